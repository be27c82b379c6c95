"""Memory of the index: the terms of all titles, and for each term the list of titles that have it.

A list is a slab of one pool. A full list moves to the next longer slab; the slab it leaves is given to the next list of that
length. So a list of one title costs eight bytes, where an array of its own would cost eighty, and a long list has a tenth to
spare.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from extractors.titles.marks import BITS, BOUNDS, FALL, MASK, classes_of
from extractors.titles.posting import NEXT_LENGTH, SLABS, count_titles, post_titles, store_title

_FIRST_CAPACITY = 256
_GROWTH = 1.3
_LOGARITHMS = np.array([0.0, *map(math.log, range(1, 65_538))])


class Column:
    """A numpy array that grows at its end. `data` and `view` are the same memory: `size` filled items, then zeros.

    Single numbers are read and written through the memoryview, three times as fast as through numpy. Both are replaced
    when the column grows.
    """

    __slots__ = ("data", "size", "view")

    def __init__(self, kind: DTypeLike) -> None:
        self.size = 0
        self._own(np.zeros(_FIRST_CAPACITY, kind))

    def _own(self, data: NDArray[Any]) -> None:
        self.data = data
        self.view: Any = data.data

    def __len__(self) -> int:
        return self.size

    def reserve(self, more: int) -> int:
        """Add so many zeros at the end; returns where they begin."""
        start = self.size
        self.size = start + more
        if self.size > len(self.view):
            self._grow(start)
        return start

    def _grow(self, filled: int) -> None:
        grown = np.zeros(max(self.size, int(len(self.data) * _GROWTH)), self.data.dtype)  # pages are given when used
        grown[:filled] = self.data[:filled]
        self._own(grown)

    def append(self, value: float) -> None:
        """Add one number."""
        start = self.size
        self.size = start + 1
        if start >= len(self.view):
            self._grow(start)
        self.view[start] = value

    def extend(self, values: ArrayLike) -> None:
        """Add several numbers."""
        added = np.asarray(values, self.data.dtype)
        start = self.reserve(len(added))
        self.data[start : start + len(added)] = added

    def take(self, values: NDArray[Any]) -> None:
        """Be these numbers instead of none: the same memory if it may be written to. The caller gives them away."""
        if self.size or values.dtype != self.data.dtype or not values.flags.carray or not len(values):
            self.extend(values)
        else:
            self.size = len(values)
            self._own(values)

    def filled(self) -> NDArray[Any]:
        """All numbers, without a copy."""
        return self.data[: self.size]


class TitleStore:
    """Titles by position and terms by number, both in the order in which they were added.

    Attributes:
        terms, starts: the terms of all titles, one title after the other, and where each title's begin.
        signatures: 64 bits for each title. A term sets a bit by the lowest six bits of its number.
        frequencies: how many titles have each term. logs: the logarithm of one more than that.
        floors: a weight of each term that its own is not below, see `extractors.titles.marks`.
        pool, marks, offsets: the lists of titles, positions ascending, the mark of each of them, and where each term's list begins.
    """

    def __init__(self) -> None:
        self.terms, self.starts = Column(np.uint32), Column(np.uint32)
        self.signatures = Column(np.uint64)
        self.frequencies, self.logs, self.floors = Column(np.uint32), Column(np.float64), Column(np.float64)
        self.pool, self.marks, self.offsets = Column(np.uint32), Column(np.uint32), Column(np.uint32)
        self._free: dict[int, list[int]] = {}
        self.starts.append(0)

    def __len__(self) -> int:
        return len(self.signatures)

    def own_terms(self, position: int) -> Sequence[int]:
        """The terms of a title."""
        starts = self.starts.view
        own: Sequence[int] = self.terms.view[starts[position] : starts[position + 1]]
        return own

    def listed(self, term: int) -> NDArray[np.uint32]:
        """The positions of the titles with this term."""
        start = self.offsets.view[term]
        return self.pool.data[start : start + self.frequencies.view[term]]

    def marked(self, term: int) -> NDArray[np.uint32]:
        """The marks of the titles with this term."""
        start = self.offsets.view[term]
        return self.marks.data[start : start + self.frequencies.view[term]]

    def add_term(self) -> int:
        """The number of a new term, which no title has yet."""
        self.offsets.append(0)
        self.logs.append(0.0)
        self.floors.append(0.0)
        return self.frequencies.reserve(1)

    def add(self, terms: list[int]) -> None:
        """Add a title with these terms."""
        start, position = self.terms.reserve(len(terms)), self.signatures.reserve(1)
        self.starts.append(start + len(terms))
        unknown = math.log(position + 2) + 1.0
        of_terms = self.frequencies.data, self.offsets.data, self.logs.data, self.floors.data
        lists = self.pool.data, self.marks.data
        written = self.signatures.data, self.terms.data
        full, fallen, mark = store_title(
            terms, start, position, unknown, FALL, _LOGARITHMS, BOUNDS, *of_terms, *lists, *written
        )
        for term in full:
            self._post(term, position, mark)
        for term in fallen:
            self._mark_again(term)

    def _post(self, term: int, position: int, mark: int) -> None:
        """Add a position to a list that is full, or longer than the known logarithms."""
        count = self.frequencies.view[term]
        if count in NEXT_LENGTH:
            self._move(term, count)
        place = self.offsets.view[term] + count
        self.pool.view[place], self.marks.view[place] = position, mark
        self.frequencies.view[term] = count + 1
        self.logs.view[term] = math.log(count + 2)

    def _move(self, term: int, count: int) -> None:
        """Move a list from a slab of `count` (0: none yet) to the next longer one."""
        wanted = NEXT_LENGTH[count]
        free = self._free.get(wanted)
        target = free.pop() if free else max(self.pool.reserve(wanted), self.marks.reserve(wanted))
        if count:
            start = self.offsets.view[term]
            for data in (self.pool.data, self.marks.data):
                data[target : target + count] = data[start : start + count]
            self._free.setdefault(count, []).append(start)
        self.offsets.view[term] = target

    def _mark_again(self, term: int) -> None:
        """A term's floor has been lowered: titles that have it may be shorter than their marks say."""
        listed, marks = self.listed(term), self.marked(term)
        starts = self.starts.data[listed]
        lengths = self.starts.data[listed + np.uint32(1)] - starts
        firsts = np.cumsum(lengths, dtype=np.int64) - lengths
        own = self.terms.data[np.arange(int(lengths.sum())) + np.repeat(starts - firsts, lengths)]
        classes = classes_of(own, lengths, self.floors.data)
        shorter = classes < marks >> np.uint32(BITS)
        new = classes << np.uint32(BITS) | marks & MASK
        for position, mark in zip(listed[shorter].tolist(), new[shorter].tolist(), strict=True):
            for number in set(self.own_terms(position)):
                start = self.offsets.view[number]
                self.marks.view[bisect_left(self.pool.view, position, start, start + self.frequencies.view[number])] = (
                    mark
                )

    def fill(self, terms: NDArray[np.uint32], lengths: NDArray[np.uint16], number: int) -> None:
        """Add many titles at once to an empty store: the terms of one title after those of another, so many terms each,
        `number` different ones. The terms are given away."""
        self.terms.take(terms)
        self.starts.extend(np.cumsum(lengths, dtype=np.uint32))
        starts = self.starts.filled()
        self.signatures.reserve(len(lengths))
        frequencies = count_titles(terms, starts, number, self.signatures.filled())
        sizes = SLABS[np.searchsorted(SLABS, frequencies)]
        offsets = np.cumsum(sizes) - sizes
        self.frequencies.extend(frequencies)
        self.offsets.extend(offsets)
        self.logs.extend(_logarithms(frequencies + 1))
        self.floors.extend(math.log(len(lengths) + 1) + 1.0 - self.logs.filled() - FALL)
        for column in (self.pool, self.marks):
            column.reserve(int(sizes.sum()))
        lists = self.pool.filled(), self.marks.filled()
        post_titles(terms, starts, frequencies, offsets, self.floors.filled(), BOUNDS, *lists)


def _logarithms(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """As `math.log` computes them, which numpy's own differ from in the last digit."""
    found = _LOGARITHMS[np.minimum(counts, len(_LOGARITHMS) - 1)]
    large = np.flatnonzero(counts >= len(_LOGARITHMS))
    found[large] = [math.log(count) for count in counts[large].tolist()]
    return np.asarray(found)
