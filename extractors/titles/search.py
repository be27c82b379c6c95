"""Search for the stored titles that reach a cosine.

Method: prefix filtering as in all-pairs search (Bayardo, Ma, Srikant 2007), with the bound on the query's side alone, so
that nothing stored depends on idf. Let |q|² be the query's squared norm and t the cosine. Terms are probed from rare to
common until the others carry less than t²·|q|²: by Cauchy and Schwarz, a title with none of the probed terms stays below
t. For the same reason a title is dropped whose shared terms carry less. A signature of 64 bits drops most of them first:
a title shares at least as many bits as terms, except for terms of the query with the same bit.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.titles.storage import TitleStore

_MARGIN = 1.0 - 1e-9
"""Sums in another order differ by less."""
_MIN_SIGNED, _MIN_WEIGHED = 9, 13
"""Titles from which on the first signature is tried, and both together."""


class Query(NamedTuple):
    """A title to search for.

    Attributes:
        weights: by term number, of the known terms, from rare to common.
        norm: squared, of all terms. unknown: the weight of a term that no title has.
    """

    weights: dict[int, float]
    norm: float
    unknown: float


def make_query(numbers: Iterable[int], unknown: float, strange: float, logs: Sequence[float]) -> Query:
    """A query of known terms, as often as they occur.

    Args:
        unknown: the weight of a term that no title has; a known term weighs less by its logarithm.
        strange: what unknown terms add to the squared norm.
    """
    summed: dict[int, float] = {}
    for number in numbers:
        summed[number] = summed.get(number, 0.0) + (unknown - logs[number])
    weights = {number: summed[number] for number in sorted(summed, key=logs.__getitem__)}
    return Query(weights, sum([weight * weight for weight in weights.values()]) + strange, unknown)


def cosine_of(query: Query, own: Iterable[int], logs: Sequence[float]) -> float:
    """The cosine of a query and a stored title with these terms."""
    weights: dict[int, float] = {}
    for number in own:
        weights[number] = weights.get(number, 0.0) + (query.unknown - logs[number])
    dot = norm = 0.0
    for number, weight in weights.items():
        norm += weight * weight
        dot += weight * query.weights.get(number, 0.0)
    return min(1.0, dot / math.sqrt(query.norm * norm))


def similar_titles(
    store: TitleStore, numbers: list[int], unknown: float, strange: float, cosine: float
) -> list[tuple[float, int]]:
    """Cosine and position of all stored titles from this cosine on, the nearest first; see `make_query`."""
    lists = store.frequencies.data, store.offsets.data, store.logs.data, store.pool.data
    titles = store.signatures.data, store.seconds.data, store.starts.data, store.terms.data
    places = near_titles(numbers, cosine * cosine * _MARGIN, unknown, strange, *lists, *titles)
    if not places:
        return []
    logs = store.logs.view
    query = make_query(numbers, unknown, strange, logs)
    found = [(cosine_of(query, store.own_terms(place), logs), place) for place in places]
    return sorted([pair for pair in found if pair[0] >= cosine], key=lambda pair: (-pair[0], pair[1]))


@kernel
def near_titles(
    numbers: list[int],
    cosine_squared: float,
    unknown: float,
    strange: float,
    frequencies: NDArray[np.uint32],
    offsets: NDArray[np.uint32],
    logs: NDArray[np.float64],
    pool: NDArray[np.uint32],
    signatures: NDArray[np.uint64],
    seconds: NDArray[np.uint64],
    starts: NDArray[np.uint32],
    terms: NDArray[np.uint32],
) -> list[int]:
    """Ascending positions of the titles whose squared cosine is at least `cosine_squared`, but for rounding.

    The caller compares cosines that are summed in one order, so that every node decides alike; numbers, unknown, strange:
    see `make_query`; the arrays: see `TitleStore`.
    """
    view = logs.data
    query = make_query(numbers, unknown, strange, view)
    asked = np.array(list(query.weights), np.int64)
    probe = _Probe(asked, np.square(list(query.weights.values())), cosine_squared * query.norm, signatures, seconds)
    rest, places = float(probe.masses.sum()), set[int]()
    for at, number in enumerate(query.weights):
        if rest < probe.enough:
            break
        rest -= float(probe.masses[at])
        listed = pool[offsets[number] : int(offsets[number]) + int(frequencies[number])]
        places.update(probe.signed(listed, at).tolist())
    found = []
    for place in probe.weighed(np.array(sorted(places), np.int64)).tolist():
        cosine = cosine_of(query, terms[starts[place] : starts[place + 1]].tolist(), view)
        if cosine * cosine >= cosine_squared:
            found.append(place)
    return found


@dataclass(frozen=True, slots=True)
class _Probe:
    """What titles must share: terms[Q] from rare to common with squared weights masses[Q]; shared ones must carry `enough`."""

    terms: NDArray[np.int64]
    masses: NDArray[np.float64]
    enough: float
    signatures: NDArray[np.uint64]
    seconds: NDArray[np.uint64]

    def signed(self, places: NDArray[np.uint32], begin: int) -> NDArray[np.uint32]:
        """Of the titles with a term those whose signatures share bits with enough of the terms from `begin` on.

        Titles with a rarer probed term are found by that one, so that only these terms may carry what is needed.
        """
        if len(places) < _MIN_SIGNED:
            return places
        mask = np.bitwise_or.reduce(_bits(self.terms[begin:]))
        carried = np.cumsum(np.sort(self.masses[begin:])[::-1])
        least = int(np.searchsorted(carried, self.enough * _MARGIN)) + 1
        shared = np.bitwise_count(self.signatures[places] & mask).astype(np.int64)
        return np.asarray(places[shared >= least - len(carried) + int(mask).bit_count()])

    def weighed(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of the titles those both of whose signatures share bits that carry enough."""
        if len(places) < _MIN_WEIGHED:
            return places
        has = (_bits(self.terms)[:, None] & self.signatures[places]).astype(bool)
        has &= (_bits(self.terms >> 6)[:, None] & self.seconds[places]).astype(bool)
        return np.asarray(places[self.masses.dot(has) >= self.enough * _MARGIN])


def _bits(terms: NDArray[np.int64]) -> NDArray[np.uint64]:
    return np.left_shift(np.uint64(1), (terms & 63).astype(np.uint64))
