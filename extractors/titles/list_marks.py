"""A mark beside every listed title: what a search reads before it reads the title.

The highest five bits are a class: a lower bound of the title's length as a vector, divided by how often its most frequent
term occurs. The other bits have one for each term of the title. Weights change with every title that comes in, so the bound
counts each term with its floor, a weight below the term's own. Most terms come at an even pace and keep their floor; where one
becomes frequent so fast that its weight falls below it, the floor is lowered and the marks of its titles are made again.
"""

import math

import numpy as np
from numpy.typing import NDArray

BITS = 27
"""Of a mark that stand for terms: each sets the one of its number modulo this."""
MASK = np.uint32((1 << BITS) - 1)
FALL = math.log(2)
"""How far a floor lies below the weight at which it is set: as if twice as many titles had the term."""
_SHORTEST, _STEPS = 4.0, 8
BOUNDS = np.array([0.0, *((_SHORTEST * math.exp(step / _STEPS)) ** 2 for step in range((1 << 32 - BITS) - 1))])
"""The squared length from which a title is in each class."""


def classes_of(
    terms: NDArray[np.uint32], lengths: NDArray[np.integer], floors: NDArray[np.float64]
) -> NDArray[np.uint32]:
    """The classes of titles: terms of one after those of another, so many each; floors by term."""
    pairs = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths) << np.uint64(32) | terms
    distinct, times = np.unique(pairs, return_counts=True)
    titles = (distinct >> np.uint64(32)).astype(np.int64)
    weights = floors[distinct & np.uint64(0xFFFFFFFF)] * times
    squared = np.bincount(titles, weights * weights, minlength=len(lengths))
    most = np.ones(len(lengths), np.int64)
    several = times > 1
    np.maximum.at(most, titles[several], times[several])
    return (np.searchsorted(BOUNDS, squared / (most * most), "right") - 1).astype(np.uint32)


def bits_of(terms: NDArray[np.integer]) -> NDArray[np.uint32]:
    """The bit of each term."""
    return np.left_shift(np.uint32(1), (terms % BITS).astype(np.uint32))
