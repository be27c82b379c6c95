"""When each record was written: the kind of text with a time that most records have and that is not another's time."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.records.clocks import is_clock, written_time
from extractors.records.hints import OTHER_TIME, OWN_TIME
from extractors.records.kinds import SAMPLE, Inside, Kinds
from extractors.records.signals import word_bit

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_OWN, _OTHER = word_bit(OWN_TIME), word_bit(OTHER_TIME)
_KINDS = 4
"""Kinds of time from which those of the records are taken."""


class Times:
    """The time of each record as it is written."""

    def __init__(self, reader: "Reader", kinds: Kinds, outside: NDArray[np.bool_]) -> None:
        self.reader, self.kinds, self.columns = reader, kinds, reader.columns
        self._beside: list[bool] = outside.tolist()
        self._clocks = reader.signals.clocks
        self._around: list[int] = reader.around.tolist()
        self.chunks: Inside = {}
        self.all_kinds: dict[int, Inside] = {}
        """The first time of every kind in each record."""
        self._texts: dict[int, str] = {}
        self._read: dict[int, str] = {}
        self._find()

    def text(self, number: int) -> str:
        """A record's time as it is written, "" where it is not told."""
        found = self._texts.get(number)
        if found is None:
            chunk = self.chunks.get(number, -1)
            found = self._texts[number] = written_time(self._joined(chunk)) if chunk >= 0 else ""
        return found

    def _find(self) -> None:
        self._gather()
        found = self.all_kinds
        worth = {kind: self._worth(inside) for kind, inside in found.items()}
        order = [kind for kind in sorted(worth, key=lambda kind: -worth[kind])[:_KINDS] if worth[kind] > 0]
        if self.reader.is_list:
            order = self._first_made(order, found)
        for kind in order:
            for number, chunk in found[kind].items():
                self.chunks.setdefault(number, chunk)
        self._read_hidden()

    def _gather(self) -> None:
        reader, found = self.reader, self.all_kinds
        chunks = np.flatnonzero(reader.signals.time & (reader.around >= 0))
        kinds = self.kinds.of(self.columns.owner[chunks])
        previous, before = -2, -1
        for chunk, number, kind in zip(chunks.tolist(), reader.around[chunks].tolist(), kinds, strict=True):
            if before != number or not self._clocks.continues(previous, chunk):
                found.setdefault(kind, {}).setdefault(number, chunk)
            previous, before = chunk, number

    def _joined(self, chunk: int) -> str:
        """A chunk's text with the parts of the same time that follow it."""
        time, around = self._clocks.told, self._around
        last = chunk
        for after in range(chunk + 1, min(chunk + 3, len(time))):
            if time[after] and around[after] == around[chunk] and self._clocks.continues(last, after):
                last = after
        return self._clocks.joined(chunk, last)

    def _worth(self, inside: Inside) -> float:
        columns, signals, looks = self.columns, self.reader.signals, self._clocks.looks
        chunks = list(inside.values())[:SAMPLE]
        holders = columns.owner[chunks[:3]]
        owners: list[int] = holders.tolist()
        named_at = np.concatenate((holders, columns.parent[holders].clip(0)))
        other, clock, brief = (sum(look[chunk] for chunk in chunks) / len(chunks) for look in looks)
        beside = sum(self._beside[chunk] for chunk in chunks) / len(chunks)
        called = " ".join(f"{self.columns.tag_name(owner)} {self.kinds.header(owner)}" for owner in owners)
        titles = columns.sparse("title")
        named = f"{called} {' '.join(titles.get(owner, '')[:30].lower() for owner in owners)}"
        words = int(np.bitwise_or.reduce(signals.words_of(named_at)))
        own = words & _OWN or OWN_TIME.search(called)
        strange = words & _OTHER or OTHER_TIME.search(named)
        weight = 1 + 0.8 * bool(own) + 0.5 * clock + 0.6 * beside + 0.3 * brief - 0.9 * other - 0.9 * bool(strange)
        return float(self.kinds.share(inside) * weight)

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
        found = self._read.get(chunk)
        if found is None:
            text, now = self._joined(chunk), self.reader.page.fetched_at
            found = self._clocks.parsed(text, now) or (now.isoformat() if is_clock(text) else "")
            self._read[chunk] = found
        return found

    def _read_hidden(self) -> None:
        """Times in attributes, for records without a written one, and for all where few have a written one."""
        members = self.reader.group.members
        if len(self.chunks) >= 0.5 * len(members):
            lacking = [number for number in range(len(members)) if number not in self.chunks]
        else:
            lacking = list(range(len(members)))
        self._texts = self._hidden_times(np.array(lacking, dtype=np.intp))

    def _hidden_times(self, numbers: NDArray[np.intp]) -> dict[int, str]:
        """By number of a record the first time in an attribute inside it."""
        if not len(numbers) or not len((found := self._clocks.hidden)[0]):
            return {}
        places, times = found
        members = self.reader.group.members[numbers]
        first = np.searchsorted(places, members)
        held = np.append(places, len(self.columns))[first] < self.columns.end[members]
        return {number: times[at] for number, at in zip(numbers[held].tolist(), first[held].tolist(), strict=True)}
