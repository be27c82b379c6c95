"""The terms of all titles by number, and their weights: tf · (ln((N + 1) / (df + 1)) + 1).

N and df count the titles up to the last full step, which grows from one title to 1,024 titles, so that at most one in 128 titles
is missing. Weights do not change between two steps.
"""

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from extractors.titles.names import TitleNames
from extractors.titles.title_column import TitleColumn

_SHARE_BITS, _MAX_STEP_TITLES = 7, 1_024
_LOGARITHMS = np.fromiter((math.log(max(count, 1)) for count in range(65_538)), np.float64, 65_538)


def step_at(titles: int) -> int:
    """The titles between two changes of the weights at this number of titles: a power of two that divides the starts of all its
    steps."""
    return min(_MAX_STEP_TITLES, 1 << max(0, titles.bit_length() - 1 - _SHARE_BITS))


class Vocabulary:
    """The terms by number.

    Attributes:
        names: the terms, in order of addition.
        titles: the number of titles in the weights. frequencies: the number of these with each term. logs: the logarithm of
            frequency plus one.
        unknown: the weight of a term in none of them; a known term weighs less by its logarithm.
    """

    def __init__(self) -> None:
        self.names = TitleNames()
        self.frequencies, self.logs = TitleColumn(np.uint32), TitleColumn(np.float64)
        self._waiting: list[Sequence[int]] = []
        self._begin_at(0)

    def __len__(self) -> int:
        return len(self.names)

    def _begin_at(self, titles: int) -> None:
        self.titles, self.unknown = titles, math.log(titles + 1) + 1.0
        self._full = step_at(titles)

    @property
    def left(self) -> int:
        """Titles until weights change, at least one."""
        return self._full - len(self._waiting)

    def known(self, terms: Sequence[str]) -> list[int]:
        """Numbers of the known terms among these."""
        found = self.names.find(terms)
        return found if -1 not in found else [number for number in found if number >= 0]

    def add(self, name: str) -> int:
        """Add a new term, not yet in any title; returns its number."""
        number = self.names.add(name)
        self.frequencies.append(0)
        self.logs.append(0.0)
        return number

    def count(self, numbers: Sequence[int]) -> NDArray[np.intp] | None:
        """Count a title's terms; at the end of a step, returns the terms whose weights may have fallen."""
        self._waiting.append(numbers)
        return None if self.left else self._settle()

    def _settle(self) -> NDArray[np.intp]:
        lengths = np.fromiter(map(len, self._waiting), np.int64, len(self._waiting))
        flat = np.fromiter(chain.from_iterable(self._waiting), np.int64, int(lengths.sum()))
        each_once: NDArray[np.int64] = np.unique(flat << 32 | np.arange(len(lengths)).repeat(lengths)) >> 32
        changed, times = np.unique(each_once.astype(np.intp), return_counts=True)
        self.frequencies.data[changed] += times.astype(np.uint32)
        self.logs.data[changed] = logarithms(self.frequencies.data[changed].astype(np.int64) + 1)
        self._begin_at(self.titles + len(self._waiting))
        self._waiting = []
        return np.asarray(changed)

    def fill(
        self, names: Sequence[str], frequencies: NDArray[np.int64], titles: int, last: list[Sequence[int]]
    ) -> None:
        """Fill an empty vocabulary with the terms of `titles` titles.

        frequencies: the number of titles with each term. last: the terms of the titles after the last full step.
        """
        self.names.extend(names)
        counted = frequencies.copy()
        for numbers in last:
            counted[list(set(numbers))] -= 1
        self.frequencies.extend(counted)
        self.logs.extend(logarithms(counted + 1))
        self._begin_at(titles - len(last))
        self._waiting = last


def unsettled(titles: int) -> int:
    """The number of titles after the last full step."""
    return titles % step_at(titles)


def logarithms(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Logarithms as by `math.log`; numpy's differ in the last digit."""
    found = _LOGARITHMS[np.minimum(counts, len(_LOGARITHMS) - 1)]
    large = np.flatnonzero(counts >= len(_LOGARITHMS))
    found[large] = [math.log(count) for count in counts[large].tolist()]
    return np.asarray(found)
