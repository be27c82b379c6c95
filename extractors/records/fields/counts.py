"""Replies, views, likes and floor of each record: kinds of numbers, classified by their labels."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from extractors.html.columns import Columns
from extractors.records.groups.layout import Layout
from extractors.records.signals.links import profile_links

_MAX_CHARS = 24
"""Maximum characters of a chunk that is a number with its label."""
_MAX_FLOOR_CHUNKS = 3
"""A floor's number with a sign before and after it."""
_MAX_LINE_CHARS = 120
"""Maximum characters of a line with several items, one of them a number."""
_MAX_LABEL_CHARS = 20
_WORDS = {
    "replies": re.compile(
        r"repl|respon|comment|answer|rep_?num|回复|回帖|回應|评论|antwort|réponse|respuesta|rispost|ответ|反馈"
    ),
    "views": re.compile(
        r"view|hits|\breads?\b|查看|浏览|點閱|点击|阅读|人气|aufruf|zugriffe|gelesen|lecture|vues|\bvus\b|visita|просмотр"
    ),
    "likes": re.compile(r"like|vote|score|point|赞|推|up-?count|good|karma"),
}
_POSTS = re.compile(r"\bposts?\b|\bmessages?\b|beitr[aä]g|帖|сообщени|mensaj|mensagen|投稿|게시")
"""Words for replies in lists; in threads they count what a person has written."""
_ICONS = {
    "replies": re.compile(r"comment|message|bubble|chat|repl"),
    "views": re.compile(r"\beye\b|view"),
    "likes": re.compile(r"heart|thumb|like|vote"),
}
"""Classes of pictures in place of labels."""
_FLOOR = re.compile(r"^(?:#\s?(\d{1,6})|(\d{1,6})\s?[#楼樓F]|第\s?(\d{1,6})\s?[楼樓])$")
NAMED_FLOORS = {
    f"{name}{sign}": str(floor) for floor, name in enumerate(("沙发", "板凳", "地板"), 2) for sign in ("", "#")
}
"""Names of the floors after the opening post on Chinese boards: sofa, bench, floor."""
_UNIT = r"(?:\s?(?:[kKwWmM](?![a-zA-Z\u00c0-\u024f])|[千万萬亿億]))?"
"""A letter is a unit only at the end of a word: "5 messages" are five."""
_NUMBER = re.compile(rf"^\D{{0,16}}?(\d[\d.,]{{0,12}}{_UNIT})\D{{0,14}}$")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:['’ \u00a0\u202f]\d{3})+(?!\d)")
"""12 345 and 12'345: a number in groups of digits."""
_PAIR = re.compile(r"^\D{0,3}(\d[\d.,]{0,9})\s?/\s?(\d[\d.,]{0,9})\D{0,3}$")
_PAIR_BEHIND = re.compile(r"[\[(（【](\d[\d.,]{0,9})\s?/\s?(\d[\d.,]{0,9})[\])）】]\D{0,3}$")
"""A pair in brackets behind another number: "138字 [140/0]"."""
_IN_LINE = re.compile(
    rf"(\d[\d.,]{{0,12}}{_UNIT})\s?(\w*(?:repl|respon|comment|answer|view|hits|posts?\b|回复|查看|浏览|阅读|评论|antwort|répons|respues)\w*)",
    re.I,
)
COUNT_UNITS = {
    "k": 1_000, "千": 1_000, "w": 10_000, "万": 10_000, "萬": 10_000, "m": 1_000_000, "亿": 100_000_000, "億": 100_000_000,
}  # fmt: skip
_SEPARATOR = re.compile(r"[.,](?=\d{3}(?!\d))|[^\d.,]|[.,](?=.*[.,])")
"""Separators of groups of digits in a number with a unit: 1,234k has one, 1.2k has none."""
_NO_WORD = re.compile(r"[\d\W_]+")
_MIN_UNNAMED_SHARE = 0.7
"""Minimum share of lines with a kind of number without a label."""
_MIN_RARE_SHARE = 0.5
"""The same where it is the only kind of number: lines without replies often show none."""

Values = dict[int, str]
_Kind = tuple[int, str, str, int]
"""The kind of element, the words beside the number, its part in a pair, and which of such numbers in its record it is."""


class _WrittenNumber(NamedTuple):
    """A number in a chunk of a record, the words beside it, and its part ("low" or "high") in a pair such as "12/345"."""

    chunk: int
    record: int
    value: str
    words: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class ReplyCounts:
    """By name ("replies", "views", "likes", "floor") and record, the numbers as written; and the names of which the page has a label."""

    values: dict[str, Values]
    labelled: frozenset[str]

    def of(self, number: int) -> dict[str, str]:
        """Replies, views, likes and floor of a record, "" where unknown."""
        return {name: self.values.get(name, {}).get(number, "") for name in (*_WORDS, "floor")}


def find_counts(layout: Layout, times: set[int]) -> ReplyCounts:
    """The numbers of a group's records. times: the chunks of their times."""
    floors = _named_floors(layout)
    kinds: dict[_Kind, Values] = {}
    called: dict[_Kind, str] = {}
    before: Counter[tuple[int, tuple[int, str, str]]] = Counter()
    for found in _numbers(layout, times):
        if found.part == "floor":
            floors.setdefault(found.record, found.value)
            continue
        owner = int(layout.columns.owner[found.chunk])
        alike = int(layout.classes.kinds[owner]), found.words, found.part
        before[found.record, alike] += layout.is_list
        kind = *alike, before[found.record, alike]
        if kind not in kinds:
            kinds[kind], called[kind] = {}, _called(layout, owner, found.words)
        kinds[kind].setdefault(found.record, found.value)
    named, bare = _named(layout, kinds, called)
    return ReplyCounts(named | bare | {"floor": floors}, frozenset(named))


def _named_floors(layout: Layout) -> Values:
    """Named floors, each found in one record only."""
    texts, owner = layout.signals.texts, layout.records.outer_owner
    found: Values = {}
    for number, text in enumerate(texts.distinct):
        if text in NAMED_FLOORS:
            places = owner[texts.number == number]
            records = set(places[places >= 0].tolist())
            if len(records) == 1:
                found[records.pop()] = NAMED_FLOORS[text]
    return {} if layout.is_list else found


def _numbers(layout: Layout, times: set[int]) -> Iterator[_WrittenNumber]:
    texts, visible, owner = layout.signals.texts.folded, layout.signals.visible, layout.records.outer_owner
    with_digits = (visible <= _MAX_LINE_CHARS) & (layout.columns.counts("digit") > 0)
    places = np.flatnonzero((owner >= 0) & with_digits)
    columns = places, owner[places], visible[places] <= _MAX_CHARS, layout.signals.has_time[places]
    for chunk, number, brief, is_time in zip(*(column.tolist() for column in columns), strict=True):
        if brief and chunk in times:
            continue
        text = texts[chunk]
        if "/" in text and (pair := _PAIR.match(text) or _PAIR_BEHIND.search(text)):
            if layout.is_list:  # the smaller is the number of replies
                low, high = sorted(pair.groups(), key=_value)
                yield from (
                    _WrittenNumber(chunk, number, low, "", "low"),
                    _WrittenNumber(chunk, number, high, "", "high"),
                )
        elif not brief:
            for match in _IN_LINE.finditer(text):
                yield _WrittenNumber(chunk, number, match.group(1).strip(), match.group(2).lower())
        elif is_time:
            continue
        elif floor := _floor(layout, chunk, text):
            yield _WrittenNumber(chunk, number, floor, "", "floor")
        elif (count := _NUMBER.match(text) or _NUMBER.match(_joined(text))) and not _is_name(layout, chunk, text):
            yield _WrittenNumber(chunk, number, count.group(1).strip(), _words(layout, chunk, text))
        elif layout.is_list and (within := _IN_LINE.search(text)):
            yield _WrittenNumber(chunk, number, within.group(1).strip(), within.group(2).lower())


def _joined(text: str) -> str:
    """The text with the digit groups of each number joined."""
    return _GROUPED.sub(lambda found: re.sub(r"\D", "", found.group()), text)


def _is_name(layout: Layout, chunk: int, text: str) -> bool:
    """Whether a text with a number is a link to a person: user12."""
    return not text.isdecimal() and bool(layout.page.once(profile_links)[layout.columns.owner[chunk]])


def _floor(layout: Layout, chunk: int, text: str) -> str:
    """The floor in a text, "" for none; its sign may be in a separate element."""
    columns, found = layout.columns, _FLOOR.match(text)
    if found is None and not text.isdecimal():
        return ""
    place = int(columns.owner[chunk])
    for around in (place, int(columns.parent[place])) if text.isdecimal() else ():
        start, end = int(columns.chunk_start[around]), int(columns.chunk_end[around])
        if 1 < end - start <= _MAX_FLOOR_CHUNKS:
            found = found or _FLOOR.match("".join("".join(columns.texts[start:end]).split()))
    return next(part for part in found.groups() if part) if found else ""


def _words(layout: Layout, chunk: int, text: str) -> str:
    """The label of a number in place: in its own text, or in the text before or after it."""
    own = _NO_WORD.sub(" ", text.lower()).strip()
    if len(own) > 1 or _names_in(own):
        return own
    columns, template = layout.columns, layout.template
    named = layout.page.once(profile_links)[columns.owner[chunk - 1]]
    label = "" if named or not _in_one_cell(layout, chunk - 1, chunk) else layout.label_before(chunk)
    before, after = _NO_WORD.sub(" ", label).strip(), _after(layout, chunk)
    owner = int(columns.owner[chunk])
    parent = max(0, int(columns.parent[owner]))
    first_of_two = columns.chunk_start[parent] == chunk and chunk + 1 < columns.chunk_end[parent]
    beside = first_of_two or chunk + 1 < int(columns.chunk_end[owner])
    if after and (beside or not (before and template[chunk - 1])):
        return after
    return before if before and template[chunk - 1] else ""


def _after(layout: Layout, chunk: int) -> str:
    """The template text after a chunk of the same record."""
    after, owner = chunk + 1, layout.records.outer_owner
    if after >= len(owner) or owner[after] != owner[chunk] or not layout.template[after]:
        return ""
    if not _in_one_cell(layout, chunk, after):
        return ""
    return _NO_WORD.sub(" ", layout.columns.texts[after].lower()[:_MAX_LABEL_CHARS]).strip()


def _in_one_cell(layout: Layout, one: int, other: int) -> bool:
    """Whether two chunks of a line are not in different cells of a table; the cells of posts may be a label and its value."""
    cell, owner = layout.classes.cell, layout.columns.owner
    return not layout.is_list or bool(cell[owner[one]] == cell[owner[other]])


def _called(layout: Layout, place: int, words: str) -> str:
    """The label of a number in an element: by the class of the element or of its sole wrapper, if unambiguous; else by the words
    beside it, its title and the heading of its column, or by the classes around it."""
    columns, names, parent = layout.columns, layout.signals.names, max(0, int(layout.columns.parent[place]))
    alone = columns.chunk_end[parent] - columns.chunk_start[parent] == 1
    for name in (names.spelling(place), names.spelling(parent) if alone else ""):
        if len(_names_in(name)) == 1:
            return name
    title = columns.sparse("title").get(place, "").lower()[:_MAX_LABEL_CHARS]
    called = f"{words} {title} {layout.header(place)}"
    if _names_in(called):
        return called
    drawn = _icon(layout.columns, place) if layout.is_list else ""
    if layout.is_list and not drawn and _POSTS.search(called):
        return "replies"
    return drawn or f"{called} {layout.names_around(place)}"


def _icon(columns: Columns, place: int) -> str:
    """The name of the kind of numbers before which an icon stands, inside the number's element or just before it; "" for none."""
    for icon in (place + 1, place - 1):
        beside = 0 <= icon < len(columns) and not columns.text_length[icon] and columns.end[icon] == icon + 1
        drawn = columns.value(icon, "class").lower() if beside else ""
        if names := [name for name, words in _ICONS.items() if words.search(drawn)]:
            return names[0]
    return ""


def _names_in(text: str) -> list[str]:
    return [name for name, words in _WORDS.items() if words.search(text)]


def _named(
    layout: Layout, kinds: dict[_Kind, Values], called: dict[_Kind, str]
) -> tuple[dict[str, Values], dict[str, Values]]:
    """The numbers by their labels, and others by their sizes."""
    found: dict[str, Values] = {}
    bare: list[Values] = []
    both: list[Values] = []
    rare: list[Values] = []
    for kind, inside in kinds.items():
        names = _names_in(called[kind])
        if {"replies", "views"} <= set(names) or not names:
            share = len(inside) / len(layout.members)
            if share > _MIN_UNNAMED_SHARE and layout.is_list and not _counts_up(inside):
                (both if names else bare).append(inside)
            elif share > _MIN_RARE_SHARE and layout.is_list and not _counts_up(inside):
                rare.append(inside)
            continue
        known = found.get(names[0], {})
        found[names[0]] = inside | known if len(inside) <= len(known) else known | inside
    if not (found or bare or both) and len(rare) == 1:
        return found, {"replies": rare[0]}
    return found, _by_size(found, both if len(both) > 1 else bare + both)


def _by_size(found: dict[str, Values], bare: list[Values]) -> dict[str, Values]:
    """Name unlabelled numbers by size: a line of a list shows its replies, and beside them its views, which are more."""
    open_names = [name for name in ("replies", "views") if len(found.get(name, {})) < 2]
    bare = sorted(bare, key=lambda inside: sum(map(_value, inside.values())))[:2]
    if len(bare) == 1 or len(open_names) == 1:
        bare = bare[-1:] if open_names == ["views"] else bare[:1]
    return dict(zip(open_names, bare, strict=False))


def _counts_up(inside: Values) -> bool:
    """Whether the numbers only count the records."""
    values = [_value(value) for _, value in sorted(inside.items())]
    steps = np.diff(values)
    return len(values) > 2 and bool((np.abs(steps) == 1).all())


def _value(text: str) -> float:
    unit = COUNT_UNITS.get(text[-1:].lower(), 0)
    if not unit:
        return float(re.sub(r"\D", "", text) or 0)
    return float(_SEPARATOR.sub("", text[:-1]).replace(",", ".").rstrip(". ") or 0) * unit
