"""The cosine of a title with stored titles, with the present idf."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MAX_SINGLE_TITLES = 16
"""Titles up to which single computations are cheaper than vectorised ones."""


class TitleQuery(NamedTuple):
    """A title to search for.

    Attributes:
        weights: by term number, of the known terms, from rare to common.
        norm: squared, of all terms. unknown: the weight of a term in no title.
    """

    weights: dict[int, float]
    norm: float
    unknown: float


def make_query(numbers: Iterable[int], unknown: float, strange: Iterable[float], logs: Sequence[float]) -> TitleQuery:
    """A query of known terms, repeated as they occur.

    The squared norm does not depend on the order of terms, nor on whether terms in no title are known.

    Args:
        unknown: the weight of a term in no title; a known term weighs less by its logarithm.
        strange: the contribution of each unknown term to the squared norm.
    """
    summed: dict[int, float] = {}
    for number in numbers:
        summed[number] = summed.get(number, 0.0) + (unknown - logs[number])
    weights = {number: summed[number] for number in sorted(summed, key=logs.__getitem__)}
    norm = math.fsum([*(weight * weight for weight in weights.values()), *strange])
    return TitleQuery(weights, norm, unknown)


def cosines_of(
    places: list[int],
    asked: list[int],
    weights: list[float],
    norm: float,
    unknown: float,
    logs: NDArray[np.float64],
    starts: NDArray[np.uint32],
    terms: NDArray[np.uint32],
) -> list[float]:
    """The cosines of a query, given by its terms, their weights and its squared norm, with the titles at these places.

    Each sum is in the order of the title's terms, so that every node decides alike; the arrays: see `TitleStore`.
    """
    if len(places) <= _MAX_SINGLE_TITLES:
        query = TitleQuery(dict(zip(asked, weights, strict=True)), norm, unknown)
        return [_cosine(query, terms[starts[place] : starts[place + 1]].tolist(), logs) for place in places]
    at = np.array(places)
    first = starts[at].astype(np.int64)
    lengths = starts[at + 1] - first
    columns = np.arange(max(1, int(lengths.max())))
    inside = columns < lengths[:, None]
    own = terms[np.where(inside, first[:, None] + columns, 0)].astype(np.int64)
    mine = np.where(inside, unknown - logs[own], 0.0)
    theirs = np.zeros(own.shape)
    for number, weight in zip(asked, weights, strict=True):
        theirs[own == number] = weight
    dots, norms = ((mine * other).cumsum(axis=1)[:, -1] for other in (theirs, mine))  # sequentially, unlike `sum`
    cosines = np.minimum(1.0, dots / np.sqrt(norm * norms))
    ordered = np.sort(np.where(inside, own, -1 - columns), axis=1)
    for row in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1)).tolist():
        query = TitleQuery(dict(zip(asked, weights, strict=True)), norm, unknown)
        cosines[row] = _cosine(query, own[row, : lengths[row]].tolist(), logs)
    found: list[float] = cosines.tolist()
    return found


def _cosine(query: TitleQuery, own: Iterable[int], logs: NDArray[np.float64]) -> float:
    """The cosine with one title, whose terms may repeat."""
    weights: dict[int, float] = {}
    for number in own:
        weights[number] = weights.get(number, 0.0) + (query.unknown - logs.data[number])
    dot = norm = 0.0
    for number, weight in weights.items():
        norm += weight * weight
        dot += weight * query.weights.get(number, 0.0)
    return min(1.0, dot / math.sqrt(query.norm * norm))
