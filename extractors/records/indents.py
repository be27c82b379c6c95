"""Which record answers which where all stand beside each other: by how far they are moved in.

Templates without nested markup tell the depth in an attribute, in a class with a number, in a margin, or in the width of a
picture that shows nothing.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from extractors.html.columns import Columns
from extractors.text.multi_search import holding

_LOOKED_AT = 16
"""Elements at a record's beginning among which its depth is told."""
_LEAST = 3
"""Records."""
_TOLD = 0.9
"""Share of the records that must tell their depth."""
_DIFFERENT = 2
_LONGEST = 200
"""Characters of a value that are read."""
_THIN = ("0", "1", "2")
"""Heights of a picture that shows nothing."""
_CHAIN = 8
"""So many records, each deeper than the one before, are numbered, not moved in."""
_NUMBER = re.compile(r"^(\d{1,4})(?:px)?$")
_CLASS = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|lvl)[-_]?(\d{1,2})(?:$|\s)", re.I)
_CLASS_WORDS = re.compile("depth|level|indent|lvl")
"""In small letters, one of which each such class has."""
_STYLE = re.compile(r"(?:margin|padding)-left\s{0,3}:\s{0,3}(\d{1,4})(?:\.\d{1,6})?\s{0,3}(?:px|r?em|%)", re.I)
_ATTRIBUTES = ("indent", "data-depth", "data-level", "data-indent", "aria-level")


def answered_by_indent(columns: Columns, tops: Sequence[int]) -> list[int]:
    """By record, given by the elements around each, the number of the record that it answers, −1 for none."""
    nobody = [-1] * len(tops)
    if len(tops) < _LEAST:
        return nobody
    for name, pattern in (*((name, _NUMBER) for name in _ATTRIBUTES), ("class", _CLASS), ("style", _STYLE)):
        values = columns.sparse(name) if name != "class" else _numbered_classes(columns, tops)
        depths = _depths(columns, tops, values, pattern)
        if _tell(depths):
            return _nearest_above(depths)
    heights = columns.sparse("height")
    spacers = {place: said for place, said in columns.sparse("width").items() if heights.get(place) in _THIN}
    depths = _depths(columns, tops, spacers, _NUMBER)
    return _nearest_above(depths) if _tell(depths) else nobody


def _numbered_classes(columns: Columns, tops: Sequence[int]) -> dict[int, str]:
    """By place the classes that may tell how far something is moved in."""
    asked = np.zeros(len(columns), dtype=np.bool_)
    for top in tops:
        asked[top : min(int(columns.end[top]), top + _LOOKED_AT)] = True
    classes, which = columns.pairs("class", "class", asked)
    telling = np.flatnonzero(holding(_CLASS_WORDS, [said[:_LONGEST].lower() for said, _ in classes]))
    places, chosen = np.flatnonzero(asked), np.isin(which, telling)
    return {
        place: classes[number][0] for place, number in zip(places[chosen].tolist(), which[chosen].tolist(), strict=True)
    }


def _depths(columns: Columns, tops: Sequence[int], values: dict[int, str], pattern: re.Pattern[str]) -> list[int]:
    """How far each record is moved in by one of the ways to tell it, −1 where it does not tell."""
    if not values:
        return []
    found: list[int] = []
    for top in tops:
        places = range(top, min(int(columns.end[top]), top + _LOOKED_AT))
        said = (pattern.search(values[place][:_LONGEST]) for place in places if place in values)
        found.append(next((int(match[1]) for match in said if match), -1))
    return found


def _tell(depths: Sequence[int]) -> bool:
    """Whether these are depths: nearly all records tell one, the first the least, and they do not only count."""
    told = [depth for depth in depths if depth >= 0]
    if len(set(told)) < _DIFFERENT or len(told) < _TOLD * len(depths) or depths[0] != min(told):
        return False
    return len(told) < _CHAIN or any(one >= two for one, two in pairwise(told))


def _nearest_above(depths: Sequence[int]) -> list[int]:
    """By record the last one before it that is moved in less; records that tell nothing answer nobody."""
    found: list[int] = []
    stack: list[int] = []
    for number, depth in enumerate(depths):
        if depth < 0:
            found.append(-1)
            continue
        while stack and depths[stack[-1]] >= depth:
            stack.pop()
        found.append(stack[-1] if stack else -1)
        stack.append(number)
    return found
