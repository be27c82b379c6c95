"""Which stored titles may reach a cosine: the search of `index` in numpy, without any cosine.

Let |q|² be the query's squared norm and t the cosine. Terms are probed from rare to common until the rest carries less
than t²·|q|²: by Cauchy and Schwarz a title that has none of the probed ones stays below t. For the same reason one whose
shared terms carry less is dropped, first by a signature of 64 bits: shared bits are at least as many as shared terms
with bits of their own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.titles.columns import Column
from extractors.titles.postings import Postings

MARGIN = 1.0 - 1e-9
"""Sums in another order may differ by less."""
_FEW = 12
_NOTHING = 1e-6
"""Less than any term weighs: what is left of a sum when all was taken from it."""


@dataclass(frozen=True, slots=True)
class Query:
    """A title that is looked for: weights of its known terms by number, its squared norm, the weight of an unknown term."""

    weights: Mapping[int, float]
    norm: float
    unknown: float


@dataclass(frozen=True, slots=True)
class Stored:
    """The columns of stored titles: their terms one after the other, where each title's begin, signatures."""

    terms: Column
    starts: Column
    signatures: Column
    postings: Postings


@dataclass(frozen=True, slots=True)
class Probe:
    """A term whose titles are looked through: which bits of a signature count, and how many of them at least.

    Titles with a rarer probed term have been seen before, so that only this term and commoner ones can carry the others.
    """

    number: int
    mask: int
    least: int


def candidates(query: Query, stored: Stored, cosine: float) -> list[int]:
    """Positions of titles whose shared terms carry enough of the query for this cosine; none that reaches it is missing."""
    enough = cosine * cosine * query.norm * MARGIN
    squares = {number: weight * weight for number, weight in query.weights.items()}
    probes = _probes(stored, squares, enough)
    if not probes:
        return []
    listed = [stored.postings[probe.number] for probe in probes]
    places = np.concatenate(listed) if len(listed) > 1 else listed[0]
    if len(places) > _FEW:
        places = _signed(places, list(map(len, listed)), probes, squares, stored, enough)
    if len(places) > _FEW:
        return list(set(_nearest(places, query, stored, enough)))
    return [place for place in set(places.tolist()) if _is_near(place, query, stored, enough)]


def _probes(stored: Stored, squares: Mapping[int, float], enough: float) -> list[Probe]:
    """The rarest terms, as many as it takes; unknown ones are the rarest of all."""
    order = sorted(squares, key=stored.postings.frequencies.view.__getitem__)
    rest, probes = sum(squares.values()), []
    by_bit: dict[int, float] = {}
    for number in squares:
        by_bit[number & 63] = by_bit.get(number & 63, 0.0) + squares[number]
    for number in order:
        if rest < enough:
            break
        mask = sum([1 << bit for bit in by_bit])
        probes.append(Probe(number, mask, _least(by_bit.values(), enough)))
        rest -= squares[number]
        left = by_bit[number & 63] - squares[number]
        if left > _NOTHING:
            by_bit[number & 63] = left
        else:
            del by_bit[number & 63]
    return probes


def _is_near(place: int, query: Query, stored: Stored, enough: float) -> bool:
    """Whether a title's cosine may be the one that `enough` is for.

    A term that the title repeats is taken as several, which only raises its cosine.
    """
    starts, logs, unknown, weights = stored.starts.view, stored.postings.logs.view, query.unknown, query.weights
    dot = norm = 0.0
    for number in stored.terms.view[starts[place] : starts[place + 1]].tolist():
        weight = unknown - logs[number]
        norm += weight * weight
        if number in weights:
            dot += weight * weights[number]
    return dot * dot >= enough * norm


def _nearest(places: NDArray[np.uint32], query: Query, stored: Stored, enough: float) -> list[int]:
    """`_is_near` for many at once."""
    begins, ends = stored.starts.data.take(places), stored.starts.data.take(places + np.uint32(1))
    sizes = ends - begins
    stops = np.cumsum(sizes, dtype=np.int64)
    firsts = stops - sizes
    own = stored.terms.data.take(np.arange(int(stops[-1])) + (begins - firsts).repeat(sizes))
    own_weights = query.unknown - stored.postings.logs.data.take(own)
    numbers = np.array(sorted(query.weights), np.uint32)
    at = np.minimum(np.searchsorted(numbers, own), len(numbers) - 1)
    asked = np.array([query.weights[number] for number in numbers.tolist()])[at]
    asked[numbers[at] != own] = 0.0
    dots = np.add.reduceat(own_weights * asked, firsts)
    norms = np.add.reduceat(own_weights * own_weights, firsts)
    near: list[int] = places[dots * dots >= enough * norms].tolist()
    return near


def _signed(
    places: NDArray[np.uint32],
    sizes: list[int],
    probes: list[Probe],
    squares: Mapping[int, float],
    stored: Stored,
    enough: float,
) -> NDArray[np.uint32]:
    """Those whose signatures share bits that carry enough."""
    shared = stored.signatures.data.take(places)
    if len(probes) > 1:
        shared &= np.array([probe.mask for probe in probes], np.uint64).repeat(sizes)
        left = (
            np.bitwise_count(shared) >= np.array([probe.least for probe in probes], np.uint8).repeat(sizes)
        ).nonzero()[0]
    else:
        shared &= np.uint64(probes[0].mask)
        left = (np.bitwise_count(shared) >= probes[0].least).nonzero()[0]
    some: NDArray[np.uint32] = places[left]
    if len(some) <= _FEW:
        return some
    bits = np.array([1 << (number & 63) for number in squares], np.uint64)
    has = (shared[left][:, None] & bits) != 0
    heavy: NDArray[np.uint32] = some[has @ np.array(list(squares.values())) >= enough * MARGIN]
    return heavy


def _least(masses: Iterable[float], enough: float) -> int:
    """How many bits must be shared at least to carry enough; more than there are if all together do not."""
    count = 0
    for count, mass in enumerate(sorted(masses, reverse=True), 1):
        enough -= mass
        if enough <= 0:
            return count
    return count + 1
