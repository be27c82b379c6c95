"""Which titles have a term: lists of positions in one pool of memory.

A list lies in a slab whose length is a power of two, or from 64 on one of three between two powers. A full one moves to
the next longer slab, and a slab that is left goes to the next list of its length. So a list of one costs four bytes,
where an array of its own costs eighty, and a long one a tenth more than what is in it.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from extractors.titles.columns import Column
from extractors.titles.vectors import COUNTED, LOGARITHMS, logarithm

_LENGTHS = [*(1 << bit for bit in range(7)), *(part << bit for bit in range(4, 30) for part in (5, 6, 7, 8))]
NEXT = dict(zip([0, *_LENGTHS], _LENGTHS, strict=False))
"""By how many a slab holds how many the next longer one holds."""


class Postings:
    """Positions by term number, ascending; `frequencies` tells how many each term has, `offsets` where they begin,
    `logs` the logarithm of one more than how many.
    """

    def __init__(self) -> None:
        self.frequencies, self.offsets, self.pool = Column(np.uint32), Column(np.uint32), Column(np.uint32)
        self.logs = Column(np.float64)
        self._left: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.frequencies)

    def __getitem__(self, number: int) -> NDArray[np.uint32]:
        start = self.offsets.view[number]
        return self.pool.data[start : start + self.frequencies.view[number]]

    def new_term(self) -> int:
        """The number of a term that no title has yet."""
        self.offsets.append(0)
        self.logs.append(0.0)
        return self.frequencies.reserve(1)

    def post(self, numbers: Iterable[int], position: int) -> None:
        """Add a position, later than those that they have, to the lists of these terms."""
        frequencies, offsets, logs, pool = self.frequencies.view, self.offsets.view, self.logs.view, self.pool.view
        for number in numbers:
            count = frequencies[number]
            if count in NEXT:
                self._move(number, count)
                pool = self.pool.view
            pool[offsets[number] + count] = position
            frequencies[number] = count + 1
            logs[number] = LOGARITHMS[count + 2] if count < COUNTED else math.log(count + 2)

    def _move(self, number: int, count: int) -> None:
        """From a slab of `count` (0: none yet) to the next longer one."""
        wanted = NEXT[count]
        left = self._left.get(wanted)
        target = left.pop() if left else self.pool.reserve(wanted)
        if count:
            start, data = self.offsets.view[number], self.pool.data
            data[target : target + count] = data[start : start + count]
            self._left.setdefault(count, []).append(start)
        self.offsets.view[number] = target

    def fill(self, terms: NDArray[np.uint32], positions: NDArray[np.uint32], count: int) -> None:
        """Post into empty lists of so many terms at once; terms ascend, and positions within a term."""
        frequencies = np.bincount(terms, minlength=count).astype(np.int64)
        lengths = np.array([0, *_LENGTHS])
        slabs = lengths[np.searchsorted(lengths, frequencies)]
        offsets = np.concatenate([[0], np.cumsum(slabs)[:-1]]) if count else np.zeros(0, np.int64)
        moved = offsets - (np.cumsum(frequencies) - frequencies)
        self.frequencies.extend(frequencies)
        self.logs.extend([logarithm(count + 1) for count in frequencies.tolist()])
        self.offsets.extend(offsets)
        self.pool.reserve(int(slabs.sum()))
        self.pool.data[np.arange(len(terms)) + moved.repeat(frequencies)] = positions
