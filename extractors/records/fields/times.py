"""The time of each record, and of the last answer of a listed thread.

A record's time is taken from the kind of text with a time that most records have, unless it is another event's time.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.tags import TAG, tag_set
from extractors.records.groups.layout import Layout
from extractors.records.signals import page_signals
from extractors.records.signals.class_names import word_bit
from extractors.records.signals.template_words import OTHER_TIME, OWN_TIME, is_clock, written_time
from extractors.text.date_order import day_first
from extractors.text.dates import find_time, parse_time
from extractors.text.multi_search import contains_match

_OWN, _OTHER = word_bit(OWN_TIME), word_bit(OTHER_TIME)
_MAX_KINDS = 4
"""Kinds of time used for the records' times."""
_SAMPLE_TIMES = 20
"""Times of a kind by which it is judged."""
_MAX_PART_CHARS = 24
"""Visible characters of the first of several chunks that make one time."""
_MAX_CHARS_BETWEEN = 4
"""Visible characters between the parts of one time."""
_NEAR_CHARS = 20
_BRIEF_CHARS = 40
_MAX_SHOWN_CHARS, _MAX_SHOWN_CHUNKS = 60, 8
_TIME_TAGS = tag_set("abbr", "span", "time", "a")
_MIN_OTHER_RATIO = 0.5
"""Minimum ratio of another event's times to the other times in one kind of element; fewer are chance, such as a person's name."""
_MIN_ACTIVITY_SHARE = 0.4
"""Minimum share of lines with a kind of time."""
_MAX_ACTIVITY_KINDS = 3
_MAY_SWAP = re.compile(r"\d[/-]\d{1,2}[/-]\d")
"""A date in which day and month may be swapped."""
_DIGIT = re.compile(r"\d")
_STAMP = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:T\d\d:\d\d| \d\d:\d\d:\d\dZ)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d[-/.]\d{1,2}[-/.]\d\d(?!\d)")
_MAX_ZONES = timedelta(days=1)
"""Maximum difference between the days of one instant in two zones."""
_MAX_AHEAD = timedelta(days=1)
"""A time further after the fetch is not an activity; within a day it may be in another zone."""

ByRecord = dict[int, int]
"""A chunk by record."""


@dataclass(frozen=True, slots=True)
class TimeTexts:
    """The chunks of a page that have times.

    Attributes:
        near_other: by chunk, whether it is beside words for another event's time.
        continued: cache, by two chunks, whether they are parts of one time; groups of a page share chunks.
    """

    near_other: dict[int, bool]
    continued: dict[tuple[int, int], bool]


def time_texts(page: Document) -> TimeTexts:
    """The chunks with times."""
    texts, chunks = page.columns.texts, np.flatnonzero(page.once(page_signals).has_time).tolist()
    near = [(texts[max(0, chunk - 1)][-_NEAR_CHARS:] + texts[chunk][:_NEAR_CHARS]).lower() for chunk in chunks]
    return TimeTexts(dict(zip(chunks, contains_match(OTHER_TIME, near).tolist(), strict=True)), {})


def attribute_times(page: Document) -> tuple[NDArray[np.intp], list[str]]:
    """Elements that hold a time in an attribute, ascending, and these times."""
    stamps, tags = page.columns.sparse("datetime"), page.columns.tag
    values = page.columns.sparse("title") | {place: value for place, value in stamps.items() if value}
    found = {
        place: _shown(page, place) or time
        for place in sorted(values)
        if _TIME_TAGS[tags[place]] and _DIGIT.search(values[place]) and (time := find_time(values[place]))
    }
    return np.array(list(found), dtype=np.intp), list(found.values())


def _shown(page: Document, place: int) -> str:
    """The shown text of a time element."""
    columns = page.columns
    if columns.tag[place] != TAG["time"]:
        return ""
    start = int(columns.chunk_start[place])
    shown = columns.texts[start : min(int(columns.chunk_end[place]), start + _MAX_SHOWN_CHUNKS)]
    return " ".join("".join(shown).split())[:_MAX_SHOWN_CHARS]


def parsed_time(page: Document, text: str) -> str:
    """A time of a page as ISO 8601; "" without a time. Days and months have the same order on the whole page."""
    return _parsed(text, page.made_at, page.once(day_order) if _MAY_SWAP.search(text) else None)


@lru_cache(maxsize=2_000)
def _parsed(text: str, now: datetime, day_comes_first: bool | None) -> str:
    return parse_time(text, now=now, day_first=day_comes_first)


def exact_time(page: Document, chunk: int, shown: str) -> str:
    """The instant in the attribute of a shown time's element, as ISO 8601, if the shown time has no year, is relative, differs
    only by its zone, or has an unknown form; else ""."""
    columns, stamps = page.columns, page.columns.sparse("datetime")
    place = int(columns.owner[chunk])
    stamp = stamps.get(place, "") or stamps.get(int(columns.parent[place]), "")
    if not _STAMP.match(stamp):
        title = columns.sparse("title").get(place, "")
        return "" if not title or parsed_time(page, shown) else parsed_time(page, title[:_MAX_SHOWN_CHARS])
    exact = _parsed(stamp[:_MAX_SHOWN_CHARS], page.made_at, None)
    written = parsed_time(page, shown) if _YEAR.search(shown) else ""
    return exact if exact and (not written or _same_time(exact, written)) else ""


def _same_time(one: str, other: str) -> bool:
    days = [datetime.fromisoformat(each[:10]) for each in (one, other)]
    return abs(days[0] - days[1]) <= _MAX_ZONES


def in_order(page: Document, time: str, text: str, *, day_first: bool) -> str:
    """A record's time parsed again with this order, if its text alone gave the time and days and months may be swapped."""
    if not (time and _MAY_SWAP.search(text)) or time != _parsed(text, page.made_at, None):
        return time
    return _parsed(text, page.made_at, day_first)


def day_order(page: Document) -> bool | None:
    """Whether the page writes days before months; None if its times do not tell."""
    texts = page.columns.texts
    return day_first([texts[chunk] for chunk in page.once(time_texts).near_other], page.made_at)


@dataclass(frozen=True, slots=True)
class Times:
    """By record, its time as written, and its chunk if it is in one; kinds: by kind, the first time in each record."""

    layout: Layout
    texts: dict[int, str]
    chunks: ByRecord
    kinds: dict[int, ByRecord]

    def last_times(self) -> dict[int, tuple[str, str]]:
        """By line of a list, the time of its thread's last answer, (ISO 8601, as written): the latest time outside its title."""
        if not self.layout.is_list:
            return {}
        layout, page = self.layout, self.layout.page
        least, limit = _MIN_ACTIVITY_SHARE * len(layout.members), (page.made_at + _MAX_AHEAD).isoformat()
        wide = [inside for inside in self.kinds.values() if len(inside) >= least]
        titles = {int(layout.columns.chunk_start[title]) for title in layout.titles.values()}
        found: dict[int, tuple[str, str]] = {}
        for inside in sorted(wide, key=len, reverse=True)[:_MAX_ACTIVITY_KINDS]:
            for number, chunk in inside.items():
                text = "" if chunk in titles else written_time(_joined(layout, chunk))
                time = parsed_time(page, text) if text else ""
                if time and time <= limit:
                    found[number] = max(found.get(number, ("", "")), (time, text))
        return found


def find_times(layout: Layout, beside_text: NDArray[np.bool_]) -> Times:
    """The times of a group's records. beside_text: bool[M], the chunks beside their texts and titles."""
    kinds = _kinds(layout)
    scores = {kind: _score(layout, inside, beside_text) for kind, inside in kinds.items()}
    order = [kind for kind in sorted(scores, key=lambda kind: -scores[kind])[:_MAX_KINDS] if scores[kind] > 0]
    if layout.is_list:
        order = _earliest_first(layout, order, kinds)
    order = order[:1] + sorted(order[1:], key=lambda kind: not kinds[order[0]].keys().isdisjoint(kinds[kind]))
    chunks: ByRecord = {}
    for kind in order:
        chunks = kinds[kind] | chunks
    texts = {number: written_time(_joined(layout, chunk)) for number, chunk in chunks.items()}
    return Times(layout, texts | _in_attributes(layout, chunks), chunks, kinds)


def _kinds(layout: Layout) -> dict[int, ByRecord]:
    """The times by kind of element; those that most records tell of another event are a kind of their own (an odd number)."""
    found: dict[int, ByRecord] = {}
    owner = layout.records.outer_owner
    chunks = np.flatnonzero(layout.signals.has_time & (owner >= 0))
    near_other = layout.page.once(time_texts).near_other
    elements = layout.classes.kinds[layout.columns.owner[chunks]].tolist()
    kinds = [2 * kind + near_other[chunk] for kind, chunk in zip(elements, chunks.tolist(), strict=True)]
    previous, before = -2, -1
    for chunk, number, kind in zip(chunks.tolist(), owner[chunks].tolist(), kinds, strict=True):
        if before != number or not _continues(layout, previous, chunk):
            found.setdefault(kind, {}).setdefault(number, chunk)
        previous, before = chunk, number
    rare = [kind for kind in found if kind % 2 and len(found[kind]) < _MIN_OTHER_RATIO * len(found.get(kind - 1, ()))]
    for kind in rare:
        inside, same = found.pop(kind), found.setdefault(kind - 1, {})
        same |= {number: min(chunk, same.get(number, chunk)) for number, chunk in inside.items()}
    return found


def _continues(layout: Layout, before: int, chunk: int) -> bool:
    """Whether two chunks with times are parts of one time, for instance date and clock in separate elements."""
    if before < 0 or chunk - before > 2:
        return False
    known = layout.page.once(time_texts).continued
    found = known.get((before, chunk))
    if found is None:
        visible, texts = layout.signals.visible, layout.columns.texts
        close = visible[before] <= _MAX_PART_CHARS and visible[before + 1 : chunk].sum() <= _MAX_CHARS_BETWEEN
        found = known[before, chunk] = bool(close) and any(is_clock(texts[each]) for each in (before, chunk))
    return found


def _joined(layout: Layout, chunk: int) -> str:
    """A chunk's text joined with the following parts of the same time."""
    time, owner, folded, last = layout.signals.has_time, layout.records.outer_owner, layout.signals.texts.folded, chunk
    for after in range(chunk + 1, min(chunk + 3, len(time))):
        if time[after] and owner[after] == owner[chunk] and _continues(layout, last, after):
            last = after
    return folded[chunk] if chunk == last else " ".join(folded[chunk : last + 1])


def _score(layout: Layout, inside: ByRecord, beside_text: NDArray[np.bool_]) -> float:
    columns, near_other, texts = layout.columns, layout.page.once(time_texts).near_other, layout.columns.texts
    chunks = list(inside.values())[:_SAMPLE_TIMES]
    holders = columns.owner[chunks[:3]]
    owners: list[int] = holders.tolist()
    around = np.concatenate((holders, np.maximum(columns.parent[holders], 0)))
    words = int(np.bitwise_or.reduce(layout.signals.names.words[around]))
    called = " ".join(f"{columns.tag_name(owner)} {layout.header(owner)}" for owner in owners)
    titles = columns.sparse("title")
    named = f"{called} {' '.join(titles.get(owner, '')[:30].lower() for owner in owners)}"
    own, strange = words & _OWN or OWN_TIME.search(called), words & _OTHER or OTHER_TIME.search(named)
    stamps = [bool(_STAMP.search(texts[chunk])) for chunk in chunks]
    rows = (
        (near_other[chunk], ":" in texts[chunk] and not machine, len(texts[chunk]) < _BRIEF_CHARS, machine)
        for chunk, machine in zip(chunks, stamps, strict=True)
    )
    other, clock, brief, machine = (sum(found) / len(chunks) for found in zip(*rows, strict=True))
    beside = np.count_nonzero(beside_text[chunks]) / len(chunks)
    weight = 1 + 0.8 * bool(own) + 0.5 * clock + 0.6 * beside + 0.3 * brief
    weight -= 0.9 * (machine + other + bool(strange))
    return float(len(inside) / len(layout.members) * weight)


def _earliest_first(layout: Layout, order: list[int], found: dict[int, ByRecord]) -> list[int]:
    """Order the kinds of a list by time: a thread begins before its last answer. Next come kinds in other lines than the first:
    new threads are often marked."""
    wide = [kind for kind in order if len(found[kind]) / len(layout.members) >= 0.6]
    if len(wide) < 2:
        return order
    page = layout.page

    @cache
    def when(chunk: int) -> str:
        text = _joined(layout, chunk)
        return parsed_time(page, text) or (page.made_at.isoformat() if is_clock(text) else "")

    others = [found[each] for each in wide]
    first = min(wide, key=lambda kind: _lateness(found[kind], others, when))
    return [first, *(kind for kind in order if kind != first)]


def _lateness(inside: ByRecord, others: Iterable[ByRecord], when: Callable[[int], str]) -> int:
    """The number of sampled records in which another kind's time is before this kind's."""
    late = 0
    for number in list(inside)[:_SAMPLE_TIMES]:
        times = [when(other[number]) for other in others if number in other]
        own = when(inside[number])
        late += bool(own) and any(time and time[:10] < own[:10] for time in times)
    return late


def _in_attributes(layout: Layout, chunks: ByRecord) -> dict[int, str]:
    """By record the first time in an attribute inside it: for records without a written time, or for all if few have one."""
    members, few = layout.members, len(chunks) < 0.5 * len(layout.members)
    numbers = np.array([number for number in range(len(members)) if few or number not in chunks], dtype=np.intp)
    if not len(numbers):
        return {}
    places, times = layout.page.once(attribute_times)
    first = np.searchsorted(places, members[numbers])
    held = np.append(places, len(layout.columns))[first] < layout.columns.end[members[numbers]]
    return {number: times[at] for number, at in zip(numbers[held].tolist(), first[held].tolist(), strict=True)}
