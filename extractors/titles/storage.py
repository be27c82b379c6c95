"""Memory of the index: the terms of all titles, and for each term the list of titles that have it.

A list is a slab of one pool. The length of a slab is a power of two, or from 64 on one of three lengths between two
powers. A full list moves to the next longer slab; the slab it leaves is given to the next list of that length. So a list
of one title costs four bytes, where an array of its own would cost eighty, and a long list has a tenth to spare.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from extractors.kernels import kernel

_FIRST_CAPACITY = 256
_GROWTH = 1.3
_LENGTHS = [*(1 << bit for bit in range(7)), *(part << bit for bit in range(4, 30) for part in (5, 6, 7, 8))]
NEXT_LENGTH = dict(zip([0, *_LENGTHS], _LENGTHS, strict=False))
"""The length of a slab → that of the next longer slab."""
_SLABS = np.array([0, *_LENGTHS], np.int64)
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

    def filled(self) -> NDArray[Any]:
        """All numbers, without a copy."""
        return self.data[: self.size]


class TitleStore:
    """Titles by position and terms by number, both in the order in which they were added.

    Attributes:
        terms, starts: the terms of all titles, one title after the other, and where each title's begin.
        signatures, seconds: two signatures of 64 bits for each title. A term sets a bit by the lowest six bits of its
            number in the first, by the next six in the second.
        frequencies: how many titles have each term. logs: the logarithm of one more than that.
        pool, offsets: the lists of titles, positions ascending, and where each term's list begins.
    """

    def __init__(self) -> None:
        self.terms, self.starts = Column(np.uint32), Column(np.uint32)
        self.signatures, self.seconds = Column(np.uint64), Column(np.uint64)
        self.frequencies, self.logs = Column(np.uint32), Column(np.float64)
        self.pool, self.offsets = Column(np.uint32), Column(np.uint32)
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

    def add_term(self) -> int:
        """The number of a new term, which no title has yet."""
        self.offsets.append(0)
        self.logs.append(0.0)
        return self.frequencies.reserve(1)

    def add(self, terms: list[int]) -> None:
        """Add a title with these terms."""
        start, position = self.terms.reserve(len(terms)), self.signatures.reserve(1)
        self.seconds.reserve(1)
        self.starts.append(start + len(terms))
        lists = self.frequencies.data, self.offsets.data, self.logs.data, self.pool.data
        titles = self.signatures.data, self.seconds.data, self.terms.data
        for term in store_title(terms, start, position, _LOGARITHMS, *lists, *titles):
            self._post(term, position)

    def _post(self, term: int, position: int) -> None:
        """Add a position to a list that is full, or longer than the known logarithms."""
        count = self.frequencies.view[term]
        if count in NEXT_LENGTH:
            self._move(term, count)
        self.pool.view[self.offsets.view[term] + count] = position
        self.frequencies.view[term] = count + 1
        self.logs.view[term] = math.log(count + 2)

    def _move(self, term: int, count: int) -> None:
        """Move a list from a slab of `count` (0: none yet) to the next longer one."""
        wanted = NEXT_LENGTH[count]
        free = self._free.get(wanted)
        target = free.pop() if free else self.pool.reserve(wanted)
        if count:
            start, data = self.offsets.view[term], self.pool.data
            data[target : target + count] = data[start : start + count]
            self._free.setdefault(count, []).append(start)
        self.offsets.view[term] = target

    def fill(self, terms: NDArray[np.uint32], lengths: NDArray[np.uint16], number: int) -> None:
        """Add many titles at once to an empty store: the terms of one title after those of another, so many terms each,
        `number` different ones."""
        self.terms.extend(terms)
        self.starts.extend(np.cumsum(lengths, dtype=np.int64))
        frequencies, offsets, pool, *signatures = post_titles(terms, lengths, number, _SLABS)
        self.frequencies.extend(frequencies)
        self.logs.extend([math.log(count + 1) for count in frequencies.tolist()])
        self.offsets.extend(offsets)
        self.pool.extend(pool)
        self.signatures.extend(signatures[0])
        self.seconds.extend(signatures[1])


@kernel
def post_titles(
    terms: NDArray[np.uint32], lengths: NDArray[np.uint16], number: int, slabs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]:
    """The lists of many titles at once, for `number` terms: how many titles have each term, where its list begins, the pool
    of lists, and the two signatures of each title.

    terms: of one title after those of another, so many each. slabs: possible lengths of lists, ascending, 0 first.
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    listed, positions = _distinct(terms, lengths)
    frequencies = np.bincount(listed, minlength=number).astype(np.int64)
    sizes = slabs[np.searchsorted(slabs, frequencies)]
    offsets = np.cumsum(sizes) - sizes
    pool = np.zeros(int(sizes.sum()), np.uint32)
    pool[np.arange(len(listed)) + (offsets - (np.cumsum(frequencies) - frequencies)).repeat(frequencies)] = positions
    signatures = _signatures(terms, ends, lengths), _signatures(terms >> np.uint32(6), ends, lengths)
    return frequencies, offsets, pool, *signatures


@kernel
def store_title(
    numbers: list[int],
    start: int,
    position: int,
    logarithms: NDArray[np.float64],
    frequencies: NDArray[np.uint32],
    offsets: NDArray[np.uint32],
    logs: NDArray[np.float64],
    pool: NDArray[np.uint32],
    signatures: NDArray[np.uint64],
    seconds: NDArray[np.uint64],
    terms: NDArray[np.uint32],
) -> list[int]:
    """Write a title's terms from `start` on, its signatures, and its position into the lists of its terms; returns the
    terms whose lists are full or longer than the logarithms reach."""
    terms[start : start + len(numbers)] = numbers
    first = second = 0
    full = []
    for number in dict.fromkeys(numbers):
        first |= 1 << (number & 63)
        second |= 1 << (number >> 6 & 63)
        count = int(frequencies[number])
        if count in NEXT_LENGTH or count + 2 >= len(logarithms):
            full.append(number)
        else:
            pool[offsets[number] + count] = position
            frequencies[number] = count + 1
            logs[number] = logarithms[count + 2]
    signatures[position], seconds[position] = first, second
    return full


def _distinct(terms: NDArray[np.uint32], lengths: NDArray[np.uint16]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each title's terms once, by term and then by title: the terms, and the title of each."""
    pairs = terms.astype(np.uint64) << np.uint64(32)
    pairs |= np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    pairs.sort()
    pairs = pairs[np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)]]
    return (pairs >> np.uint64(32)).astype(np.uint32), (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _signatures(terms: NDArray[np.uint32], ends: NDArray[np.int64], lengths: NDArray[np.uint16]) -> NDArray[np.uint64]:
    signatures = np.zeros(len(lengths), np.uint64)
    filled = lengths > 0
    if filled.any():
        bits = np.left_shift(np.uint64(1), (terms & np.uint32(63)).astype(np.uint64))
        signatures[filled] = np.bitwise_or.reduceat(bits, (ends - lengths)[filled])
    return signatures
