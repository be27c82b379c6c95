"""Search for the stored titles with at least a given cosine.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007). Let |q| be the query's norm, t the cosine, and |d| a
stored title's norm. Terms are probed from rare to common until the others carry less than t²·|q|²: by Cauchy and Schwarz, a
title with none of the probed terms stays below t. For the same reason a title is dropped if its shared terms carry less, or
less than t·|q|·|d|, since both titles give a shared term the same weight. The mark beside each listed title (see `list_marks`) has a
lower bound of |d| and a bit for each of its terms, so that a list is read sequentially and most titles in it are
dropped unread; a signature of 64 bits drops most others. With a window of days, the parts of a list that are certainly outside
(see `days`) are searched for the higher cosine that applies there; elsewhere the day of each remaining title decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.cosines import cosines_of, make_query
from extractors.titles.days import NO_WINDOW, DayWindow
from extractors.titles.list_marks import BITS, BOUNDS, bits_of
from extractors.titles.title_column import TitleColumn
from extractors.titles.title_store import TitleStore

_Marked = tuple[NDArray[np.uint32], NDArray[np.uint32]]
"""Positions of titles, and the marks beside them."""
Near = tuple[list[float], list[int]]
"""Cosines and positions of titles, the nearest first, the earliest of equals first."""
_ROUNDING_FACTOR = 1.0 - 1e-9
"""Rounding margin: sums in another order differ by less."""
_MIN_MARKED_TITLES, _MIN_SIGNED_TITLES = 256, 13
"""Minimum titles for which marks are read, and for which signatures are."""


def similar_titles(
    store: TitleStore,
    logs: TitleColumn,
    numbers: list[int],
    unknown: float,
    strange: list[float],
    cosine: float,
    window: DayWindow = NO_WINDOW,
) -> Near:
    """Cosine and position of all stored titles with at least this cosine, or the window's cosine outside it, the nearest first;
    see `make_query`."""
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
    """The titles with at least their own minimum cosine, by falling cosine; equal ones stay in order of position."""
    near = [(value, place) for value, place, needed in zip(cosines, places, least, strict=False) if value >= needed]
    near.sort(key=itemgetter(0), reverse=True)
    return [value for value, _ in near], [place for _, place in near]


def _needs(cosine: float, norm: float, bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mass that shared terms must carry for this cosine with a query of this squared length, by the title's class."""
    enough = cosine * cosine * _ROUNDING_FACTOR * norm
    return np.asarray(np.maximum(enough, np.sqrt(enough * bounds)) * _ROUNDING_FACTOR)


@dataclass(frozen=True, slots=True)
class _Probe:
    """The terms of a query, terms[Q] from rare to common with squared weights masses[Q]; the terms shared with a title of class c
    must carry needs[c], and outer[c] outside the window."""

    terms: NDArray[np.int64]
    masses: NDArray[np.float64]
    needs: NDArray[np.float64]
    outer: NDArray[np.float64]
    window: DayWindow

    def found(self, places: NDArray[np.uint32], marks: NDArray[np.uint32], begin: int, rest: float) -> list[_Marked]:
        """The titles with a term that may be near enough; rest: the mass of this and all later terms."""
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
        """The titles with a term whose marks share bits with enough of the terms starting at `begin`.

        Titles with a rarer probed term are found by that term, so that only these terms can carry the needed mass.
        """
        if len(places) < _MIN_MARKED_TITLES:
            return places, marks
        bits, masses = bits_of(self.terms[begin:]), self.masses[begin:]
        mask = np.bitwise_or.reduce(bits)
        carried = np.array([0.0, *np.sort(masses)[::-1].cumsum()])
        most = np.searchsorted(needs, carried[len(bits) - int(mask).bit_count() :], "right")
        kept = np.flatnonzero(marks >> np.uint32(BITS) < most[np.bitwise_count(marks & mask)])
        places, marks = places[kept], marks[kept]
        if len(places) < _MIN_MARKED_TITLES:
            return places, marks
        enough = masses.dot((bits[:, None] & marks).astype(bool)) >= needs[marks >> np.uint32(BITS)]
        return places[enough], marks[enough]

    def signed(
        self, places: NDArray[np.uint32], marks: NDArray[np.uint32], signatures: NDArray[np.uint64]
    ) -> NDArray[np.uint32]:
        """The titles whose signatures and marks share bits with terms that carry enough."""
        if len(places) < _MIN_SIGNED_TITLES:
            return places
        bits = np.left_shift(np.uint64(1), (self.terms & 63).astype(np.uint64))
        shared = (bits[:, None] & signatures[places]).astype(bool) & (bits_of(self.terms)[:, None] & marks).astype(bool)
        return np.asarray(places[self.masses.dot(shared) >= self.needs[marks >> np.uint32(BITS)]])
