"""The terms of all titles by number, and what each weighs: tf · (ln((N + 1) / (df + 1)) + 1).

N and df count the titles up to the last full step: of one title at first, of 1,024 where there are many, so that never more than
one in 128 is missing. Between two steps no weight changes.
"""

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from extractors.titles.columns import TitleColumn
from extractors.titles.names import TitleNames

_SHARE_BITS, _LONGEST = 7, 1_024
_LOGARITHMS = np.fromiter((math.log(max(count, 1)) for count in range(65_538)), np.float64, 65_538)


def step_at(titles: int) -> int:
    """How many titles come between two changes of the weights, where there are so many: a power of two that divides all beginnings
    of its steps."""
    return min(_LONGEST, 1 << max(0, titles.bit_length() - 1 - _SHARE_BITS))


class Vocabulary:
    """The terms by number.

    Attributes:
        names: the terms, in the order in which they came.
        titles: how many the weights count. frequencies: how many of these have each term. logs: the logarithm of one more than that.
        unknown: the weight of a term that none of them has; a known one weighs less by its logarithm.
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
        """Titles that can be counted until weights change, at least one."""
        return self._full - len(self._waiting)

    def known(self, terms: Sequence[str]) -> list[int]:
        """Numbers of those that have one."""
        found = self.names.find(terms)
        return found if -1 not in found else [number for number in found if number >= 0]

    def add(self, name: str) -> int:
        """The number of a new term, which no title has yet."""
        number = self.names.add(name)
        self.frequencies.append(0)
        self.logs.append(0.0)
        return number

    def count(self, numbers: Sequence[int]) -> NDArray[np.intp] | None:
        """Count a title's terms; where it fills a step, returns the terms whose weights may be lower now."""
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
        """Be the vocabulary of so many titles instead of an empty one.

        frequencies: how many titles have each term. last: the terms of the titles after the last full step.
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
    """How many of so many titles come after the last full step."""
    return titles % step_at(titles)


def logarithms(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """As `math.log` computes them, which numpy's own differ from in the last digit."""
    found = _LOGARITHMS[np.minimum(counts, len(_LOGARITHMS) - 1)]
    large = np.flatnonzero(counts >= len(_LOGARITHMS))
    found[large] = [math.log(count) for count in counts[large].tolist()]
    return np.asarray(found)
