"""Text as numbered terms: words of letters, and single characters and neighbouring pairs of scripts without spaces.

So a Chinese word of any length is found, however text is segmented. All of a text is done with arrays: no step for each word.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.topic.words import folded_codes

Terms = NDArray[np.uint64]
_NONE, _LETTER, _UNSPACED = 0, 1, 2
_RANGES = ((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x0E00, 0x0EFF),
           (0x1000, 0x109F), (0x1780, 0x17FF))  # fmt: skip
"""Han, kana, Thai, Lao, Myanmar, Khmer."""
_BITS = 40
_MASK = np.uint64((1 << _BITS) - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_LONGEST_WORD = 64
FIELDS = {"": 0, "title": 1, "author": 2}
"""A term of a field is another term than the same word anywhere."""


@dataclass(frozen=True, slots=True)
class Query:
    """Terms that all have to be there for a word: `exact` where that is enough to know that the word is there."""

    terms: tuple[int, ...]
    exact: bool


@cache
def _classes() -> NDArray[np.uint8]:
    """The class of each character below 0x10000."""
    found = np.array([_LETTER if chr(code).isalnum() else _NONE for code in range(0x10000)], dtype=np.uint8)
    for first, last in _RANGES:
        inside = found[first : last + 1]
        inside[inside == _LETTER] = _UNSPACED
    return found


@cache
def _powers() -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return np.cumprod(np.full(_LONGEST_WORD, 0x100000001B3, dtype=np.uint64), dtype=np.uint64)


def _mixed(values: NDArray[np.uint64]) -> Terms:
    """Spread over 40 bits (splitmix64)."""
    with np.errstate(over="ignore"):
        values = values * _GOLDEN
        values = (values ^ (values >> np.uint64(30))) * _MIX_1
        values = (values ^ (values >> np.uint64(27))) * _MIX_2
    return (values ^ (values >> np.uint64(31))) & _MASK


def _class_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    table = _classes()
    if not len(codes) or int(codes.max()) < len(table):
        return table[codes]
    return np.where(codes < len(table), table[np.minimum(codes, len(table) - 1)], np.uint8(_UNSPACED))


@dataclass(frozen=True, slots=True)
class Raw:
    """Terms of a text, not yet of a field, and where in the text each begins."""

    values: NDArray[np.uint64]
    starts: NDArray[np.int64]

    def between(self, start: int, end: int) -> NDArray[np.uint64]:
        """Those that begin there."""
        return self.values[(self.starts >= start) & (self.starts < end)]


def terms_of(text: str, field: str = "") -> Terms:
    """All terms of a text, as often as they are in it, without order."""
    return terms_in(raw_terms(text).values, field)


def terms_in(values: NDArray[np.uint64], field: str = "") -> Terms:
    """Of raw terms those of the field."""
    with np.errstate(over="ignore"):
        return _mixed(values + (np.uint64(FIELDS[field]) << np.uint64(60)))


def raw_terms(text: str) -> Raw:
    """Single characters first, then pairs, then words."""
    codes = folded_codes(text)
    classes = _class_of(codes)
    unspaced = classes == _UNSPACED
    wide = codes.astype(np.uint64)
    singles, pairs = np.flatnonzero(unspaced), np.flatnonzero(unspaced[:-1] & unspaced[1:])
    both = (wide[pairs] << np.uint64(21)) | wide[pairs + 1]
    words, begins = _words(wide, classes == _LETTER)
    return Raw(np.concatenate([wide[singles], both, words]), np.concatenate([singles, pairs, begins]))


def _words(codes: NDArray[np.uint64], letters: NDArray[np.bool_]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """A number for each run of letters, by its first 64 characters, and where it begins."""
    places = np.flatnonzero(letters)
    if not len(places):
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    starts = np.concatenate([[0], np.flatnonzero(places[1:] - places[:-1] > 1) + 1])
    inside = np.arange(len(places)) - np.repeat(starts, np.append(starts[1:], len(places)) - starts)
    with np.errstate(over="ignore"):
        valued = (codes[places] + np.uint64(1)) * _powers()[np.minimum(inside, _LONGEST_WORD - 1)]
        valued[inside >= _LONGEST_WORD] = 0
        return np.add.reduceat(valued, starts) | np.uint64(1 << 59), places[starts]


@lru_cache(maxsize=1_024)
def query_of(text: str, field: str = "") -> Query:
    """The terms that a text has which contains this word or phrase; none for text without letters and digits."""
    codes = folded_codes(text)
    classes = _class_of(codes)
    unspaced = classes == _UNSPACED
    pairs = int(np.count_nonzero(unspaced[:-1] & unspaced[1:]))
    found = terms_of(text, field)
    singles = int(np.count_nonzero(unspaced))
    kept = found if not pairs else _without_paired(found, unspaced, singles)
    terms = tuple(dict.fromkeys(kept.tolist()))
    return Query(terms, exact=len(kept) <= 1)


def _without_paired(found: Terms, unspaced: NDArray[np.bool_], singles: int) -> Terms:
    """Characters that are part of a pair say nothing more."""
    before, behind = np.roll(unspaced, 1), np.roll(unspaced, -1)
    before[0] = behind[-1] = False
    alone = ~(before | behind)[unspaced]
    return np.concatenate([found[:singles][alone], found[singles:]])
