"""Which stored titles may reach a cosine: the search of `index` in numpy, without the last word.

Let |q|² be the query's squared norm and t the cosine. Terms are probed from rare to common until the rest carries less
than t²·|q|²: by Cauchy and Schwarz a title that has none of the probed ones stays below t. For the same reason one whose
shared terms carry less is dropped, first by a signature of 64 bits: a title shares at least as many bits as terms, but
for terms of the query that have the same bit.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.titles.stored import BITS, Stored

MARGIN = 1.0 - 1e-9
"""Sums in another order may differ by less."""
_FEW, _SOME, _MANY = 8, 12, 20
"""Up to so many titles no signature is counted first, no two signatures are weighed, no title is weighed with others."""


@dataclass(slots=True)
class Query:
    """A title that is looked for: its known terms by number, from rare to common, the weight of each, its square, the
    title's squared norm, and the weight of an unknown term.
    """

    numbers: list[int]
    weights: list[float]
    masses: list[float]
    norm: float
    unknown: float
    _asked: dict[int, float] | None = None

    @property
    def asked(self) -> dict[int, float]:
        """Weights by number; few queries come so far."""
        if self._asked is None:
            self._asked = dict(zip(self.numbers, self.weights, strict=True))
        return self._asked


def candidates(query: Query, stored: Stored, cosine: float) -> list[int]:
    """Positions of titles whose shared terms carry enough of the query for this cosine; none that reaches it is missing."""
    numbers, masses, enough = query.numbers, query.masses, cosine * cosine * query.norm * MARGIN
    rest, fewest, places = sum(masses), _least(masses, enough), set[int]()
    for at, number in enumerate(numbers):
        if rest < enough:
            break
        rest -= masses[at]
        listed = stored.postings[number]
        if len(listed) > _FEW:
            listed = _signed(listed, numbers[at:], _least(masses[at:], enough) if at else fewest, stored)
        places.update(listed.tolist())
    some = list(places) if len(places) <= _SOME else _heavy(places, query, stored, enough)
    if len(some) > _MANY:
        return _nearest(some, query, stored, enough)
    return _sharing(some, query, stored, fewest, enough) if some else []


def _least(masses: Iterable[float], enough: float) -> int:
    """How many terms that carry these must be shared at least to carry enough."""
    count = 0
    for mass in sorted(masses, reverse=True):
        if enough <= 0.0:
            break
        enough -= mass
        count += 1
    return count


def _signed(places: NDArray[np.uint32], numbers: list[int], least: int, stored: Stored) -> NDArray[np.uint32]:
    """Titles with the first of these terms whose signatures share bits of so many of them.

    Those with a rarer term that is probed have been seen before, so that only these can carry the others.
    """
    mask = 0
    for number in numbers:
        mask |= BITS[number & 63]
    # a mode other than "raise" spares numpy a copy of what it takes; no position lies outside
    shared = stored.signatures.data.take(places, mode="clip")
    np.bitwise_and(shared, np.uint64(mask), shared)
    left: NDArray[np.uint32] = places[np.bitwise_count(shared) >= least - len(numbers) + mask.bit_count()]
    return left


def _heavy(places: Iterable[int], query: Query, stored: Stored, enough: float) -> list[int]:
    """Titles both of whose signatures share bits that carry enough."""
    each = np.fromiter(places, np.int64)
    first = np.array([BITS[number & 63] for number in query.numbers], np.uint64)[:, None]
    second = np.array([BITS[number >> 6 & 63] for number in query.numbers], np.uint64)[:, None]
    has = (first & stored.signatures.data.take(each, mode="clip")).astype(bool)
    has &= (second & stored.seconds.data.take(each, mode="clip")).astype(bool)
    heavy: list[int] = each[np.array(query.masses).dot(has) >= enough * MARGIN].tolist()
    return heavy


def _sharing(places: Iterable[int], query: Query, stored: Stored, fewest: int, enough: float) -> list[int]:
    """Titles so many of whose terms are shared and carry enough, one by one.

    A term that a title repeats is taken as several, which only raises its cosine.
    """
    starts, terms, found = stored.starts.view, stored.terms.view, []
    shared = set(query.numbers).intersection
    for place in places:
        both = shared(terms[starts[place] : starts[place + 1]].tolist())
        if len(both) >= fewest:
            asked = query.asked
            if sum([asked[number] ** 2 for number in both]) >= enough:
                found.append(place)
    return found


def _nearest(places: Iterable[int], query: Query, stored: Stored, enough: float) -> list[int]:
    """Titles whose cosine may be the one that `enough` is for, all at once; a term that a title repeats is taken as several."""
    each = np.fromiter(places, np.int64)
    begins = stored.starts.data.take(each)
    sizes = stored.starts.data.take(each + 1) - begins
    stops = sizes.cumsum(dtype=np.int64)
    firsts = stops - sizes
    own = stored.terms.data.take(np.arange(stops[-1]) + (begins - firsts).repeat(sizes))
    numbers, asked = np.array(query.numbers, np.uint32), np.array(query.weights)
    weights = query.unknown - stored.postings.logs.data.take(own, mode="clip")
    dots = np.add.reduceat(asked @ (numbers[:, None] == own) * weights, firsts)
    norms = np.add.reduceat(weights * weights, firsts)
    near: NDArray[np.int64] = each[dots * dots >= enough * norms]
    found: list[int] = near.tolist()
    return found
