"""When each record was written: the kind of text with a time that most records have and that is not another's time."""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.dates import find_time, parse_time
from extractors.records.hints import OTHER_TIME, OWN_TIME, TIME
from extractors.records.kinds import SAMPLE, Inside, Kinds

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LONGEST = 24
"""Of a text that looks like a time but is read by nobody."""
_JOINT = 4
"""Visible characters that may stand between the parts of one time."""
_CLOCK_ONLY = re.compile(r"^\D*\d{1,2}:\d\d(?::\d\d)?\D*$")
_AFTER = re.compile(r"\s?[ap]\.?m\b\.?", re.I)


class Times:
    """The time of each record as it is written."""

    def __init__(self, reader: "Reader", kinds: Kinds, outside: NDArray[np.bool_]) -> None:
        self.reader, self.kinds, self.columns, self._outside = reader, kinds, reader.columns, outside
        self.chunks: Inside = {}
        self.all_kinds: dict[int, Inside] = {}
        """The first time of every kind in each record."""
        self._texts: dict[int, str] = {}
        self._find()

    def text(self, number: int) -> str:
        """A record's time as it is written, "" where it is not told."""
        found = self._texts.get(number)
        if found is None:
            chunk = self.chunks.get(number, -1)
            found = self._texts[number] = written_time(self._joined(chunk)) if chunk >= 0 else ""
        return found

    def _find(self) -> None:
        reader = self.reader
        found = self.all_kinds
        previous = -2
        chunks = np.flatnonzero(reader.signals.time & (reader.around >= 0))
        kinds = self.kinds.of(self.columns.owner[chunks])
        for chunk, kind in zip(chunks.tolist(), kinds, strict=True):
            number = int(reader.around[chunk])
            if not (self._continues(previous, chunk) and reader.around[previous] == number):
                found.setdefault(kind, {}).setdefault(number, chunk)
            previous = chunk
        worth = {kind: self._worth(inside) for kind, inside in found.items()}
        order = [kind for kind in sorted(worth, key=lambda kind: -worth[kind])[:4] if worth[kind] > 0]
        if reader.is_list:
            order = self._first_made(order, found)
        for kind in order:
            for number, chunk in found[kind].items():
                self.chunks.setdefault(number, chunk)
        self._read_hidden()

    def _continues(self, before: int, chunk: int) -> bool:
        """Whether two chunks with times are parts of one time, as where date and clock stand in elements of their own."""
        if before < 0 or chunk - before > 2 or self.reader.signals.length[before] > _LONGEST:
            return False
        between = self.reader.signals.length[before + 1 : chunk]
        one_is_clock = any(_CLOCK_ONLY.match(self.columns.texts[each]) for each in (before, chunk))
        return bool(between.sum() <= _JOINT) and one_is_clock

    def _joined(self, chunk: int) -> str:
        """A chunk's text with the parts of the same time that follow it."""
        columns, time = self.columns, self.reader.signals.time
        last = chunk
        for after in range(chunk + 1, min(chunk + 3, len(time))):
            if time[after] and self.reader.around[after] == self.reader.around[chunk] and self._continues(last, after):
                last = after
        return " ".join(" ".join(columns.texts[chunk : last + 1]).split())

    def _worth(self, inside: Inside) -> float:
        columns, reader, kinds = self.columns, self.reader, self.kinds
        chunks = list(inside.values())[:SAMPLE]
        owners = [int(columns.owner[chunk]) for chunk in chunks[:3]]
        said = " ".join(
            f"{reader.names[owner]} {columns.elements[owner].tag} {kinds.header(owner)}" for owner in owners
        )
        above = " ".join(reader.names[max(0, int(columns.parent[owner]))] for owner in owners)
        titles = " ".join(columns.elements[owner].get("title", "")[:30].lower() for owner in owners)
        near = [columns.texts[max(0, chunk - 1)][-20:] + columns.texts[chunk][:20] for chunk in chunks]
        other = float(np.mean([OTHER_TIME.search(text.lower()) is not None for text in near]))
        clock = float(np.mean([":" in columns.texts[chunk] for chunk in chunks]))
        beside = float(np.mean(self._outside[chunks]))
        own = OWN_TIME.search(said) is not None or OWN_TIME.search(above) is not None
        strange = OTHER_TIME.search(f"{said} {above} {titles}") is not None
        brief = float(np.mean([len(columns.texts[chunk]) < 40 for chunk in chunks]))
        weight = 1 + 0.8 * own + 0.5 * clock + 0.6 * beside + 0.3 * brief - 0.9 * other - 0.9 * strange
        return kinds.share(inside) * weight

    def _first_made(self, order: list[int], found: dict[int, Inside]) -> list[int]:
        """In a list, the kind whose times come first goes first: a thread is begun before it is last answered."""
        wide = [kind for kind in order if self.kinds.share(found[kind]) >= 0.6]
        if len(wide) < 2:
            return order
        first = min(wide, key=lambda kind: self._lateness(found[kind], [found[each] for each in wide]))
        return [first, *(kind for kind in order if kind != first)]

    def _lateness(self, inside: Inside, others: list[Inside]) -> int:
        """In how many of the sampled records another kind's time comes before this kind's."""
        late = 0
        for number in list(inside)[:SAMPLE]:
            times = [self._when(other[number]) for other in others if number in other]
            own = self._when(inside[number])
            late += bool(own) and any(time and time[:10] < own[:10] for time in times)
        return late

    def written(self, chunk: int) -> str:
        """The time that begins in a chunk, as it is written."""
        return written_time(self._joined(chunk))

    def _when(self, chunk: int) -> str:
        text, now = self._joined(chunk), self.reader.page.fetched_at
        return parse_time(text, now=now) or (now.isoformat() if _CLOCK_ONLY.match(text) else "")

    def _read_hidden(self) -> None:
        """Times in attributes, for records without a written one, and for all where few have a written one."""
        members = self.reader.group.members
        if len(self.chunks) >= 0.5 * len(members):
            lacking = [number for number in range(len(members)) if number not in self.chunks]
        else:
            lacking = list(range(len(members)))
        self._texts = {number: time for number in lacking if (time := self._hidden_time(number))}

    def _hidden_time(self, number: int) -> str:
        columns = self.columns
        member = int(self.reader.group.members[number])
        for element in columns.elements[member : int(columns.end[member])]:
            if element.tag not in _TIMED:
                continue
            value = element.get("datetime") or element.get("title") or ""
            if value and (found := find_time(value)):
                shown = str(element.xpath("string()")) if element.tag == "time" else ""
                return " ".join(shown.split())[:60] or found
        return ""


_TIMED = frozenset(("abbr", "span", "time", "a"))


def written_time(text: str) -> str:
    """The time in a text as written, with all its parts; all of a short text that looks like one but is read by nobody."""
    found = find_time(text)
    spans = [match.span() for match in TIME.finditer(text)]
    if spans and len(text) <= 60:
        start, end = min(spans[0][0], text.find(found) if found else len(text)), spans[-1][1]
        after = _AFTER.match(text, end)
        parts = text[start : after.end() if after else end]
        if OTHER_TIME.search(parts):
            return found or parts
        if not found or (len(parts) > len(found) + 2 and found in parts):
            found = parts if not found or len(parts) - len(found) <= _LONGEST else found
    return found or (" ".join(text.split()) if len(text.strip()) <= _LONGEST else "")
