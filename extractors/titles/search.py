"""Search for the stored titles that reach a cosine.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007). Let |q| be the query's norm, t the cosine, and |d| a
stored title's norm. Terms are probed from rare to common until the others carry less than t²·|q|²: by Cauchy and Schwarz, a
title with none of the probed terms stays below t. For the same reason a title is dropped whose shared terms carry less, or
less than t·|q|·|d|, as both titles give a shared term the same weight. The mark beside each listed title (see `list_marks`) has a
lower bound of |d| and a bit for each of its terms, so that a list is read from end to end and most titles in it are
dropped unread; a signature of 64 bits drops most others. With a window of days, the parts of a list that surely lie outside of it
(see `days`) are read for the higher cosine that counts there; elsewhere the day of each title that is left decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.columns import TitleColumn
from extractors.titles.cosines import cosines_of, make_query
from extractors.titles.days import NO_WINDOW, DayWindow
from extractors.titles.list_marks import BITS, BOUNDS, bits_of
from extractors.titles.storage import TitleStore

_Marked = tuple[NDArray[np.uint32], NDArray[np.uint32]]
"""Positions of titles, and the marks beside them."""
Near = tuple[list[float], list[int]]
"""Cosines and positions of titles, the nearest first, of equals the earliest."""
_MARGIN = 1.0 - 1e-9
"""Sums in another order differ by less."""
_MIN_MARKED, _MIN_SIGNED = 256, 13
"""Titles from which on marks are read, and signatures."""


def similar_titles(
    store: TitleStore,
    logs: TitleColumn,
    numbers: list[int],
    unknown: float,
    strange: list[float],
    cosine: float,
    window: DayWindow = NO_WINDOW,
) -> Near:
    """Cosine and position of all stored titles from this cosine on, or outside of the window from its own, the nearest first; see
    `make_query`."""
    lists = store.frequencies.data, store.offsets.data, logs.data, store.pool.data, store.marks.data
    titles = store.signatures.data, store.starts.data, store.terms.data
    return near_titles(numbers, cosine, unknown, strange, *window, BOUNDS, *lists, *titles)


@kernel
def near_titles(
    numbers: list[int],
    cosine: float,
    unknown: float,
    strange: list[float],
    outside: float,
    day: int,
    width: int,
    days: NDArray[np.int32],
    ranges: NDArray[np.uint32],
    bounds: NDArray[np.float64],
    frequencies: NDArray[np.uint32],
    offsets: NDArray[np.uint32],
    logs: NDArray[np.float64],
    pool: NDArray[np.uint32],
    marks: NDArray[np.uint32],
    signatures: NDArray[np.uint64],
    starts: NDArray[np.uint32],
    terms: NDArray[np.uint32],
) -> Near:
    """See `similar_titles`, `make_query`, and `DayWindow`. bounds: of the classes, see `list_marks`; the arrays: see `TitleStore`."""
    query = make_query(numbers, unknown, strange, logs.data)
    asked, weights = np.array(list(query.weights)), np.array(list(query.weights.values()))
    window = DayWindow(outside, day, width, days, ranges)
    needs, outer = (_needs(each, query.norm, bounds) for each in (cosine, outside))
    probe = _Probe(asked, weights * weights, needs, outer, window)
    enough, rest, found = probe.needs[0], float(probe.masses.sum()), list[_Marked]()
    for at, number in enumerate(query.weights):
        if rest < enough:
            break
        part = slice(offsets[number], int(offsets[number]) + int(frequencies[number]))
        found += probe.found(pool[part], marks[part], at, rest)
        rest -= float(probe.masses[at])
    if not found:
        return [], []
    listed, beside = (np.concatenate(columns) for columns in zip(*found, strict=True))
    places = sorted(set(probe.signed(listed, beside, signatures).tolist()))
    cosines = cosines_of(places, asked.tolist(), weights.tolist(), query.norm, unknown, logs, starts, terms)
    least = np.where(window.far(np.array(places, np.uint32)), outside, cosine).tolist() if day else repeat(cosine)
    return _nearest_first(cosines, places, least)


def _nearest_first(cosines: list[float], places: list[int], least: Iterable[float]) -> Near:
    """The titles whose cosine reaches its own least one; titles with equal cosines stay in order of position."""
    near = [(value, place) for value, place, needed in zip(cosines, places, least, strict=False) if value >= needed]
    near.sort(key=itemgetter(0), reverse=True)
    return [value for value, _ in near], [place for _, place in near]


def _needs(cosine: float, norm: float, bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    """What shared terms must carry of a query of this squared length for the cosine with a title, by the title's class."""
    enough = cosine * cosine * _MARGIN * norm
    return np.asarray(np.maximum(enough, np.sqrt(enough * bounds)) * _MARGIN)


@dataclass(frozen=True, slots=True)
class _Probe:
    """What titles must share: terms[Q] from rare to common with squared weights masses[Q]; shared ones must carry needs[c] where
    the title is of class c, and outer[c] where it is outside of the window."""

    terms: NDArray[np.int64]
    masses: NDArray[np.float64]
    needs: NDArray[np.float64]
    outer: NDArray[np.float64]
    window: DayWindow

    def found(self, places: NDArray[np.uint32], marks: NDArray[np.uint32], begin: int, rest: float) -> list[_Marked]:
        """Of the titles with a term those that may be near enough; rest: what the terms from this one on carry."""
        if not self.window.day:
            return [self.marked(places, marks, begin, self.needs)]
        counts = np.diff(np.searchsorted(places, self.window.ranges), prepend=0, append=len(places))
        inside = np.repeat(np.arange(len(counts)) % 2 == 1, counts)
        listed, beside = self.marked(places[inside], marks[inside], begin, self.needs)
        far = self.window.far(listed)
        near = listed[~far], beside[~far]
        if rest < self.outer[0]:
            return [near]
        outer = np.concatenate([places[~inside], listed[far]]), np.concatenate([marks[~inside], beside[far]])
        return [near, self.marked(*outer, begin, self.outer)]

    def marked(
        self, places: NDArray[np.uint32], marks: NDArray[np.uint32], begin: int, needs: NDArray[np.float64]
    ) -> _Marked:
        """Of the titles with a term those whose marks share bits with enough of the terms from `begin` on.

        Titles with a rarer probed term are found by that one, so that only these terms may carry what is needed.
        """
        if len(places) < _MIN_MARKED:
            return places, marks
        bits, masses = bits_of(self.terms[begin:]), self.masses[begin:]
        mask = np.bitwise_or.reduce(bits)
        carried = np.array([0.0, *np.sort(masses)[::-1].cumsum()])
        most = np.searchsorted(needs, carried[len(bits) - int(mask).bit_count() :], "right")
        kept = np.flatnonzero(marks >> np.uint32(BITS) < most[np.bitwise_count(marks & mask)])
        places, marks = places[kept], marks[kept]
        if len(places) < _MIN_MARKED:
            return places, marks
        enough = masses.dot((bits[:, None] & marks).astype(bool)) >= needs[marks >> np.uint32(BITS)]
        return places[enough], marks[enough]

    def signed(
        self, places: NDArray[np.uint32], marks: NDArray[np.uint32], signatures: NDArray[np.uint64]
    ) -> NDArray[np.uint32]:
        """Of the titles those whose signatures and marks share bits with terms that carry enough."""
        if len(places) < _MIN_SIGNED:
            return places
        bits = np.left_shift(np.uint64(1), (self.terms & 63).astype(np.uint64))
        shared = (bits[:, None] & signatures[places]).astype(bool) & (bits_of(self.terms)[:, None] & marks).astype(bool)
        return np.asarray(places[self.masses.dot(shared) >= self.needs[marks >> np.uint32(BITS)]])
