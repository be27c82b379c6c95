"""Who wrote a record, when, and what numbers it carries: read over all records of a page together."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.records.activity import Activity, LastTimes
from extractors.records.authors import Authors
from extractors.records.counts import Counts
from extractors.records.kinds import Kinds
from extractors.records.structured import Told
from extractors.records.times import Times

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_HEAD = 4
"""Chunks at a text's beginning that may yet tell its author and time."""


class Fields:
    """The fields of a reader's records; `bodies` are the elements of their texts.

    `used` is bool[M]: chunks that tell an author or a time and so are no text.
    """

    def __init__(self, reader: "Reader", bodies: NDArray[np.intp]) -> None:
        self.reader, self.columns = reader, reader.columns
        outside = self._beside_text(bodies)
        kinds = Kinds(reader)
        self._times = Times(reader, kinds, outside)
        self._authors = Authors(reader, kinds, outside | self._heads_of(bodies))
        self._kinds = kinds
        self.used = self._used()
        told = reader.signals.structured.chunks
        self._told_by_record = {int(reader.record[chunk]): chunk for chunk in reversed(told)}

    def author(self, number: int) -> tuple[str, str]:
        """(name, address) of a record's author, "" where they are not told."""
        name, place = self._authors.name(number)
        chunk = self._times.chunks.get(number, -1)
        if not name:
            beside = self._authors.beside(self.columns.texts[chunk].strip()) if chunk >= 0 else ""
            told = self._told(number)
            return beside or (told.author if told is not None else ""), ""
        if place < 0:
            return name, ""
        return name, self.reader.signals.people.link(place, self.reader.page.base_url)

    def time(self, number: int) -> str:
        """A record's time as it is written, "" where it is not told."""
        told = self._told(number)
        return self._times.text(number) or (told.time if told is not None else "")

    def last_time(self, number: int) -> Activity:
        """When a line of a list tells that its thread was last answered."""
        return self._last.of(number)

    def counts(self, number: int) -> dict[str, str]:
        """Replies, views, likes and floor of a record as they are written, "" where they are not told."""
        return self._counts.of(number)

    @cached_property
    def _last(self) -> LastTimes:
        return LastTimes(self.reader, self._times)

    @cached_property
    def _counts(self) -> Counts:
        return Counts(self.reader, self._kinds, set(self._times.chunks.values()))

    def _told(self, number: int) -> Told | None:
        """What the page's structured data tells of a record."""
        inside = self._told_by_record.get(number)
        return None if inside is None else self.reader.signals.structured.chunks[inside]

    def _beside_text(self, bodies: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[M]: chunks of records that stand neither in their texts nor in their titles."""
        reader = self.reader
        places = bodies
        if reader.is_list:
            places = np.full(len(bodies), -1, dtype=np.intp)
            places[list(reader.heads)] = list(reader.heads.values())
        return (reader.around >= 0) & ~reader.within_own(places, reader.around)

    def _heads_of(self, bodies: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[M]: the first chunks of each text, where the text is all of its record or begins it."""
        reader, columns = self.reader, self.columns
        heads = np.zeros(len(reader.around), dtype=bool)
        if reader.is_list:
            return heads
        numbers = np.flatnonzero(bodies >= 0)
        places = bodies[numbers]
        starts, ends = columns.chunk_start[places], columns.chunk_end[places]
        early = starts - columns.chunk_start[reader.group.members[numbers]] <= 1
        for start, end in zip(starts[early].tolist(), ends[early].tolist(), strict=True):
            heads[start : min(start + _HEAD, end - 1)] = True
        return heads

    def _used(self) -> NDArray[np.bool_]:
        columns, texts = self.columns, self.columns.texts
        used = np.zeros(len(texts), dtype=bool)
        places = np.array(list(self._authors.places.values()), dtype=np.intp)
        for start, end in zip(columns.chunk_start[places].tolist(), columns.chunk_end[places].tolist(), strict=True):
            used[start:end] = True
        chunks = self._times.chunks.items()
        used[[chunk for number, chunk in chunks if len(self._times.text(number)) > 0.6 * len(texts[chunk].strip())]] = (
            True
        )
        return used
