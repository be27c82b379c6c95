"""Recent reports in columns, with an inverted index from terms to the newest reports."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.events.reading import MAX_TITLE_TERMS, ReportReading

MAX_TERMS = 96
"""Strongest terms of a report that are compared."""
MAX_INDEXED_TERMS = 40
"""Strongest terms of a report that are indexed."""
_FIRST_SIZE = 1_024
_BUCKETS = 1 << 20
"""Number of buckets; terms with the same hash share one list of newest reports."""


@dataclass(frozen=True, slots=True)
class Vector:
    """Weights of a report's strongest terms, the strongest first; words and pairs are of length 1 each."""

    ids: NDArray[np.uint32]
    weights: NDArray[np.float16]

    def pack(self) -> bytes:
        """For the store."""
        return self.ids.tobytes() + self.weights.tobytes()

    @classmethod
    def unpack(cls, packed: bytes) -> "Vector":
        """The inverse of `pack`."""
        count = len(packed) // 6
        return cls(np.frombuffer(packed, np.uint32, count), np.frombuffer(packed, np.float16, count, 4 * count))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Of a report and others: cosines of words and of pairs of characters, the mean of both, and whether the others have pairs."""

    words: NDArray[np.float64]
    pairs: NDArray[np.float64]
    both: NDArray[np.float64]
    paired: NDArray[np.bool_]


class ReportWindow:
    """Reports by number in arrival order; the oldest are dropped."""

    def __init__(self, newest_with_term: int) -> None:
        self.first = self.end = self._base = 0
        self._recent = np.zeros((_BUCKETS, newest_with_term), np.int32)
        """Of each bucket its newest entries, 1 + number of report × INDEXED + place of the term; 0: none yet."""
        self._oldest = np.zeros(_BUCKETS, np.uint8)
        self._make(_FIRST_SIZE)

    def _make(self, size: int) -> None:
        self.ids = np.zeros((size, MAX_TERMS), np.uint32)
        self.weights = np.zeros((size, MAX_TERMS), np.float16)
        self.days = np.zeros(size, np.float64)
        self.regions = np.zeros(size, np.uint64)
        self.magnitudes = np.zeros(size, np.uint64)
        self.named = np.full((size, 3), -1, np.int32)
        self.titles = np.zeros((size, MAX_TITLE_TERMS), np.uint16)
        self.sites = np.zeros(size, np.uint32)
        self.events = np.zeros(size, np.int64)

    def __len__(self) -> int:
        return self.end - self.first

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of these reports."""
        return numbers - self._base

    def add(self, reading: ReportReading, vector: Vector, event: int) -> None:
        """Keep a report."""
        if self.end - self._base == len(self.days):
            self._make_room()
        row, count = self.end - self._base, len(vector.ids)
        self.ids[row, :count], self.weights[row, :count] = vector.ids, vector.weights
        self.ids[row, count:], self.weights[row, count:] = 0, 0
        self.days[row], self.events[row], self.sites[row] = reading.days, event, reading.site
        self.regions[row], self.magnitudes[row] = reading.regions, reading.magnitudes
        self.named[row] = (*reading.named, -1, -1, -1)[:3]
        self.titles[row, : len(reading.title)], self.titles[row, len(reading.title) :] = reading.title, 0
        indexed = vector.ids[:MAX_INDEXED_TERMS]
        # two terms of one bucket: the later one counts, also when the report is restored
        buckets = indexed % _BUCKETS
        slots = self._oldest[buckets]
        self._recent[buckets, slots] = self.end * MAX_INDEXED_TERMS + np.arange(len(indexed)) + 1
        self._oldest[buckets] = (slots + 1) % self._recent.shape[1]
        self.end += 1

    def forget_before(self, days: float) -> list[int]:
        """Free older reports; returns their events."""
        first = self.first
        while self.first < self.end and self.days[self.first - self._base] < days:
            self.first += 1
        return [int(event) for event in self.events[first - self._base : self.first - self._base]]

    def _make_room(self) -> None:
        """Move what is left to the beginning of columns that are twice as long as that, if they are too short."""
        old = self._columns()
        start, left = self.first - self._base, len(self)
        self._make(max(_FIRST_SIZE, 2 * left if left > len(self.days) // 2 else len(self.days)))
        for one, other in zip(old, self._columns(), strict=True):
            other[:left] = one[start : start + left]
        self._base = self.first

    def _columns(self) -> tuple[NDArray[Any], ...]:
        facts = (self.days, self.regions, self.magnitudes, self.named, self.titles, self.sites)
        return (self.ids, self.weights, *facts, self.events)

    def candidates(self, vector: Vector, most: int) -> NDArray[np.int64]:
        """Numbers of the reports that share most of the strongest terms, best first."""
        wanted, given = vector.ids[:MAX_INDEXED_TERMS], vector.weights[:MAX_INDEXED_TERMS].astype(np.float32)
        entries = self._recent[wanted % _BUCKETS] - 1
        term, column = np.nonzero(entries >= self.first * MAX_INDEXED_TERMS)
        at = entries[term, column].astype(np.int64)
        numbers, place = at // MAX_INDEXED_TERMS, at % MAX_INDEXED_TERMS
        rows = numbers - self._base
        same = self.ids[rows, place] == wanted[term]
        numbers, scores = numbers[same], (given[term] * self.weights[rows, place])[same]
        if not len(numbers):
            return np.empty(0, np.int64)
        found, places = np.unique(numbers, return_inverse=True)
        total = np.bincount(places, weights=scores, minlength=len(found))
        return found[np.lexsort((-found, -total))[:most]]

    def likeness(self, vector: Vector, numbers: NDArray[np.int64], contained: float = 0.0) -> Likeness:
        """Of a report and these; `contained` is the share that the part of the shorter one that the longer one has counts beside the
        cosine, so that a headline is like a longer wording of it."""
        rows = self.rows(numbers)
        order = np.argsort(vector.ids)
        sorted_ids, sorted_weights = vector.ids[order], vector.weights[order].astype(np.float64)
        ids, weights = self.ids[rows], self.weights[rows].astype(np.float64)
        place = np.minimum(np.searchsorted(sorted_ids, ids), max(0, len(sorted_ids) - 1))
        given = np.where(sorted_ids[place] == ids, sorted_weights[place], 0.0)
        pairs = (ids & 1).astype(bool)
        paired: NDArray[np.bool_] = np.any(pairs & (weights > 0), axis=1)
        shared = given * weights
        of_pairs = np.where(pairs, shared, 0.0).sum(1)
        words = shared.sum(1) - of_pairs
        both = (words + of_pairs) / 2
        if contained:
            shares = [
                _most(np.where(part & (shared > 0), weights, 0.0), np.where(part, given, 0.0))
                for part in (pairs, ~pairs)
            ]
            both = (1 - contained) * both + contained * (shares[0] + shares[1]) / 2
        return Likeness(words, of_pairs, both, paired)


def _most(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The larger share of what is shared in two reports, by squares of weights."""
    found: NDArray[np.float64] = np.maximum((one * one).sum(1), (other * other).sum(1))
    return found
