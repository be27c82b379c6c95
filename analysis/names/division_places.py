"""Divisions of China in a text by the list of them alone, also where the dictionary cuts them apart: 浙江 + 义乌, 横州市."""

import re
from collections.abc import Iterator, Sequence

from analysis.names.divisions import is_division, is_within, sure_code
from analysis.names.model import Name
from analysis.names.place_names import NOT_PLACES
from analysis.names.tokens import Token

_ENDING = re.compile("[市县区旗州盟镇乡]")
_NAME = r"[^\W\da-zA-Z_的了在有和与及是各全等到去委党政书记镇乡村市县区内外某一本多个从把被让里所]"
_TOWN = re.compile(f"{_NAME}{{2,4}}?(?:镇|乡)(?![镇村长级亲建规一])")
_VILLAGE = re.compile(f"{_NAME}{{1,4}}?(?<!农)村(?![民干委镇官级里长子])")
_TOWN_WITH_VILLAGE = re.compile(f"(?P<town>{_NAME}{{2,4}}(?:镇|乡))(?={_NAME}{{1,4}}(?<!农)村(?![党支小卫合]))")
"""Sure also without a county: 忠防镇 + 渔潭村."""
_LEAST_TOWN = 3
"""Characters of a town's name with its last one."""
_OFFICE = re.compile("[县区镇乡]长|[市县]议员")
_DAY = re.compile(r"\d[日号]")
_MAX_CHARS = 15
_TO = ("至", "到", "—")
_SOUTH = "南部"
"""A county, and the south of any province."""


def find_divisions(text: str, tokens: Sequence[Token], places: Sequence[Name]) -> tuple[Name, ...]:
    """Those with their full name, and those of any form right behind the province or city that they are in."""
    bounds = {token.start for token in tokens} | {len(text)} | {match.end() for match in _DAY.finditer(text)}
    bounds |= {name.start - 1 for name in places if text[max(0, name.start - 1) : name.start] in _TO}
    whole = tuple(_whole(text, bounds))
    found = {name.start: name for name in whole}
    for first in (*places, *whole):
        found |= {name.start: name for name in _chain(text, bounds, first)}
    for first in (*places, *found.values()):
        found |= {name.start: name for name in _other_end(text, bounds, first)}
    for division in tuple(found.values()):
        found |= {name.start: name for name in _townships(text, bounds, division.end)}
    found |= {name.start: name for name in _lone_towns(text, bounds, tuple(found.values()))}
    return tuple(sorted(found.values(), key=lambda name: name.start))


def _townships(text: str, bounds: set[int], start: int) -> Iterator[Name]:
    """The town and the village that begin there, whatever their words are: 宿松县 + 下仓镇 + 马山村."""
    town = _TOWN.match(text, start)
    village = _VILLAGE.match(text, town.end() if town else start)
    last = village or town
    if last and last.end() in bounds:
        yield from (Name(*match.span(), match.group(), "place") for match in (town, village) if match)


def _lone_towns(text: str, bounds: set[int], found: Sequence[Name]) -> Iterator[Name]:
    """Towns without a county, with their villages."""
    if "村" not in text:
        return
    taken = {at for name in found for at in range(name.start, name.end)}
    for match in _TOWN_WITH_VILLAGE.finditer(text):
        first, end = match.span("town")
        start = next((at for at in range(end - _LEAST_TOWN, first - 1, -1) if at in bounds), -1)
        if start >= 0 and end - 1 not in taken:
            yield from _townships(text, bounds, start)


def _other_end(text: str, bounds: set[int], first: Name) -> Iterator[Name]:
    """盘州 + 至 + 兴义: a division that the dictionary has as a word, where a road or journey ends that begins at a place."""
    start = first.end + 1
    if text[first.end : start] not in _TO or start not in bounds:
        return
    ends = (end for end in range(min(len(text), start + _MAX_CHARS), start + 1, -1) if end in bounds)
    if end := next((end for end in ends if is_division(text[start:end]) and text[start:end] not in NOT_PLACES), 0):
        yield Name(start, end, text[start:end], "place")


def _whole(text: str, bounds: set[int]) -> Iterator[Name]:
    free = 0
    for match in _ENDING.finditer(text):
        end = match.end()
        if end not in bounds and not _OFFICE.match(text, end - 1):
            continue
        for start in range(max(free, end - _MAX_CHARS), end - 2):
            if start in bounds and is_division(text[start:end]) and text[start:end] not in NOT_PLACES:
                yield Name(start, end, text[start:end], "place")
                free = end
                break


def _chain(text: str, bounds: set[int], first: Name) -> Iterator[Name]:
    """浙江 + 金华 + 义乌, from what is found on."""
    code, start = sure_code(first.text), first.end
    while code.endswith("00"):
        ends = (end for end in range(min(len(text), start + _MAX_CHARS), start + 1, -1) if end in bounds)
        end = next((end for end in ends if text[start:end] != _SOUTH and is_within(text[start:end], code)), 0)
        if not end:
            return
        yield Name(start, end, text[start:end], "place")
        code, start = sure_code(text[start:end]), end
