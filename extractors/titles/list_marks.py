"""A mark beside every listed title, which a search reads before the title.

The highest five bits are a class: a lower bound of the title's length as a vector, divided by the occurrences of its most
frequent term. The other bits are set by the terms of the title. Weights change with every added title, so the bound counts each
term with its floor, a weight below the term's weight. Most terms occur at an even rate and keep their floor; if a term becomes
frequent so fast that its weight falls below the floor, the floor is lowered and the marks of its titles are recomputed.
"""

import math

import numpy as np
from numpy.typing import NDArray

BITS = 27
"""Bits of a mark for terms: each term sets the bit of its number modulo this."""
MASK = np.uint32((1 << BITS) - 1)
FALL = math.log(2)
"""Distance of a new floor below the weight: as if twice as many titles had the term."""
_MIN_LENGTH, _CLASSES_PER_E = 4.0, 8
BOUNDS = np.array(
    [0.0, *((_MIN_LENGTH * math.exp(step / _CLASSES_PER_E)) ** 2 for step in range((1 << 32 - BITS) - 1))]
)
"""The minimum squared length of the titles in each class."""


def classes_of(
    terms: NDArray[np.uint32], lengths: NDArray[np.integer], floors: NDArray[np.float64]
) -> NDArray[np.uint32]:
    """The classes of titles: terms title by title, `lengths` of each; floors by term."""
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
