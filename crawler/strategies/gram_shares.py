"""What links whose text holds a gram have led to so far: how far their pages' relevance lies from that of all."""

import numpy as np
from numpy.typing import NDArray

from crawler.strategies.grams import SLOTS

_PRIOR = 5.0
"""Pages of prior: a gram seen on few links says little."""
_LEAST = 2
"""Links on which a gram has been seen before it says anything."""


class GramShares:
    """Mean relevance of the pages behind each gram, drawn to the mean of all: m_g = (Σ x + k · m) / (n_g + k)."""

    def __init__(self) -> None:
        self._sums = np.zeros(SLOTS, dtype=np.float32)
        self._counts = np.zeros(SLOTS, dtype=np.float32)
        self._total, self._pages = 0.5, 10.0

    @property
    def mean(self) -> float:
        """Of all pages, with ten of prior at a twentieth."""
        return self._total / self._pages

    def add(self, grams: NDArray[np.int64], relevance: float) -> None:
        """A page has been read to which a link with these different grams led."""
        self._sums[grams] += relevance
        self._counts[grams] += 1
        self._total += relevance
        self._pages += 1

    def surplus(self, link: NDArray[np.int64], gram: NDArray[np.int64], links: int) -> NDArray[np.float64]:
        """For each of the links Σ |d_g| d_g / Σ |d_g| over its grams, d_g = m_g − m: grams that tell much count most."""
        count = self._counts[gram]
        apart = (self._sums[gram] + _PRIOR * self.mean) / (count + _PRIOR) - self.mean
        apart = np.where(count >= _LEAST, apart, 0.0)
        weight = np.bincount(link, weights=np.abs(apart), minlength=links)
        told = np.bincount(link, weights=np.abs(apart) * apart, minlength=links)
        return np.asarray(told / np.maximum(weight, 1e-9))
