"""Converts texts to grams as numbers.

A gram is a word of letters or a pair of neighbouring Chinese characters; no dictionary is needed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.topic.words import folded_codes

SLOTS = 1 << 18
"""Number of hash values of grams; collisions of two important grams are rare."""
_MAX_CHARS = 200
"""Characters of one text that are read."""
_BREAK = "\n"
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def grams(
    texts: Sequence[str], salt: int | Sequence[int] = 0, most: int = _MAX_CHARS
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(text number, gram number below `SLOTS`) of each of the M distinct grams of each text: two arrays of M.

    Args:
        salt: separates the numbers of grams of different kinds of texts, such as a URL's words; one for all texts, or one each.
        most: characters of one text that are read.
    """
    codes = folded_codes(_BREAK.join([*(text[:most].replace(_BREAK, " ") for text in texts), ""]))
    salts = np.full(len(texts), salt, np.uint64) if isinstance(salt, int) else np.asarray(salt, np.uint64)
    cells = gram_cells(codes, salts)
    return cells // SLOTS, cells % SLOTS


@kernel
def gram_cells(codes: NDArray[np.uint32], salts: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The distinct grams of T texts, given as N code points, each text with a final line break: text · `SLOTS` + gram, sorted.

    Args:
        salts: uint64[T], added to the numbers of each text.
    """
    wider = codes.astype(np.uint64)
    text = np.cumsum(wider == ord(_BREAK)) - (wider == ord(_BREAK))
    wide = (wider >= 0x2E80) & (wider != 0x3000) & ~((wider >= 0xFF00) & (wider < 0xFF66))
    letter = ~wide & _letters(wider)
    places, numbers = zip(_pairs(wider, wide), _words(wider, letter), strict=True)
    place, number = text[np.concatenate(places)], np.concatenate(numbers)
    number = ((number + salts[place]) * _FACTOR) >> np.uint64(64 - 18)
    return np.unique(place.astype(np.int64) * SLOTS + number.astype(np.int64))


def _letters(codes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    small = (codes >= ord("a")) & (codes <= ord("z"))
    beyond = (codes >= 0xC0) & (codes < 0x2000) & (codes != 0xD7) & (codes != 0xF7)
    return np.asarray(small | beyond)


def _pairs(codes: NDArray[np.uint64], wide: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    at = np.flatnonzero(wide[:-1] & wide[1:])
    return at, codes[at] * np.uint64(0x10001) + codes[at + 1]


def _words(codes: NDArray[np.uint64], letter: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """Runs of two or more letters, each hashed as Σ c_k · 31^k."""
    before, after = np.concatenate(([False], letter[:-1])), np.concatenate((letter[1:], [False]))
    start, stop = np.flatnonzero(letter & ~before), np.flatnonzero(letter & ~after)
    inside = np.flatnonzero(letter)
    if not len(inside):
        return start, codes[:0]
    run = np.searchsorted(start, inside, side="right") - 1
    parts = codes[inside] * _POWERS[np.minimum(inside - start[run], _MAX_CHARS)]
    sums = np.add.reduceat(parts, np.searchsorted(inside, start))
    long = stop > start
    return start[long], sums[long]


_POWERS = np.array([pow(31, power, 1 << 64) for power in range(_MAX_CHARS + 1)], dtype=np.uint64)
