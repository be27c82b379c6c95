"""How near chosen blocks come to the known text, many choices of one page at little cost."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_RECALL, _PRECISION = 0.98, 1 / 1.1


class Bags:
    """The tokens of a page's B blocks and of its gold text, counted once."""

    def __init__(self, blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> None:
        number: dict[str, int] = {}
        counted = [Counter(tokens) for tokens in blocks]
        self._block = np.repeat(np.arange(len(blocks)), [len(bag) for bag in counted])
        self._token = np.array([number.setdefault(token, len(number)) for bag in counted for token in bag], np.intp)
        self._times = np.array([times for bag in counted for times in bag.values()], np.int64)
        self._gold = np.zeros(len(number), np.int64)
        for token, times in Counter(gold).items():
            if token in number:
                self._gold[number[token]] = times
        self._wanted = len(gold)

    def score(self, taken: NDArray[np.bool_]) -> tuple[float, bool]:
        """F1 of bags of tokens, and whether all of the text is there with at most 10 % extra, for the blocks in taken[B]."""
        chosen = taken[self._block]
        got = np.bincount(self._token[chosen], weights=self._times[chosen], minlength=len(self._gold))
        common, said = float(np.minimum(got, self._gold).sum()), float(got.sum())
        right = common >= _RECALL * self._wanted and common >= _PRECISION * max(1.0, said)
        return 2 * common / (said + self._wanted), right
