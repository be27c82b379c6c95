"""Storage of the index: the terms of all titles, and for each term the list of titles that have it.

A list is a slab of one pool. A full list moves to the next longer slab; the slab that it leaves is reused for the next list of
that length. So a list of one title takes eight bytes, where a separate array would take eighty, and a long list has a tenth to
spare.
"""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.titles.list_marks import BITS, BOUNDS, FALL, MASK, classes_of
from extractors.titles.posting_lists import NEXT_LENGTH, SLABS, count_titles, post_titles, store_titles
from extractors.titles.title_column import TitleColumn


class TitleStore:
    """Titles by position and terms by number, both in order of addition.

    Attributes:
        terms, starts: the terms of all titles, title by title, and the start of each title's terms.
        signatures: 64 bits for each title. A term sets a bit by the lowest six bits of its number.
        frequencies: the number of stored titles with each term.
        floors: a lower bound of each term's weight, see `extractors.titles.list_marks`.
        pool, marks, offsets: the lists of titles, positions ascending, the mark of each, and the start of each term's list.
    """

    def __init__(self) -> None:
        self.terms, self.starts = TitleColumn(np.uint32), TitleColumn(np.uint32)
        self.signatures = TitleColumn(np.uint64)
        self.frequencies, self.floors = TitleColumn(np.uint32), TitleColumn(np.float64)
        self.pool, self.marks, self.offsets = TitleColumn(np.uint32), TitleColumn(np.uint32), TitleColumn(np.uint32)
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

    def add_term(self, weight: float) -> None:
        """Make an empty list for a new term of this weight."""
        self.offsets.append(0)
        self.floors.append(weight - 2 * FALL)
        self.frequencies.append(0)

    def add(self, titles: list[list[int]]) -> None:
        """Add titles with these terms."""
        position = self.signatures.reserve(len(titles))
        self.starts.reserve(len(titles))
        self.terms.reserve(sum(map(len, titles)))
        lists = self.frequencies.data, self.offsets.data, self.floors.data, self.pool.data, self.marks.data
        own = self.signatures.data, self.starts.data, self.terms.data
        for term, place, mark in store_titles(titles, position, BOUNDS, *lists, *own):
            self._post(term, place, mark)

    def _post(self, term: int, position: int, mark: int) -> None:
        """Add a position to a list that was full before this batch of titles."""
        count = self.frequencies.view[term]
        if count in NEXT_LENGTH:
            self._move(term, count)
        place = self.offsets.view[term] + count
        self.pool.view[place], self.marks.view[place] = position, mark
        self.frequencies.view[term] = count + 1

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

    def lower(self, terms: NDArray[np.intp], weights: NDArray[np.float64]) -> None:
        """Set lower weights of terms, and recompute the marks of titles whose terms' floors are above."""
        fallen = weights < self.floors.data[terms]
        self.floors.data[terms[fallen]] = weights[fallen] - FALL
        for term in terms[fallen].tolist():
            if self.frequencies.view[term]:
                self._mark_again(term)

    def _mark_again(self, term: int) -> None:
        """Recompute the marks of the titles with a term whose floor was lowered: they may be shorter than their marks say."""
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

    def take(self, terms: NDArray[np.uint32], lengths: NDArray[np.uint16], number: int) -> NDArray[np.int64]:
        """Fill an empty store with many titles: terms title by title, `lengths` of each, `number` distinct terms; returns the
        number of titles with each. The caller must not use `terms` afterwards; `post` makes the lists."""
        self.terms.take(terms)
        self.starts.extend(np.cumsum(lengths, dtype=np.uint32))
        self.signatures.reserve(len(lengths))
        frequencies = count_titles(terms, self.starts.filled(), number, self.signatures.filled())
        self.frequencies.extend(frequencies)
        return frequencies

    def post(self, weights: NDArray[np.float64]) -> None:
        """Make the lists of the titles of `take`; weights: of all terms."""
        frequencies = self.frequencies.filled().astype(np.int64)
        sizes = SLABS[np.searchsorted(SLABS, frequencies)]
        offsets = np.cumsum(sizes) - sizes
        self.offsets.extend(offsets)
        self.floors.extend(weights - FALL)
        for column in (self.pool, self.marks):
            column.reserve(int(sizes.sum()))
        lists = self.pool.filled(), self.marks.filled()
        terms, starts = self.terms.filled(), self.starts.filled()
        post_titles(terms, starts, frequencies, offsets, self.floors.filled(), BOUNDS, *lists)
