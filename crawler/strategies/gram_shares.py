"""The yield of links by the grams in their texts and URLs."""

import numpy as np
from numpy.typing import NDArray

from extractors.topic.grams import SLOTS, gram_surplus

_PRIOR_PAGES = 5.0
"""Pages of prior, as a gram on few links has little evidence."""


class GramShares:
    """Mean relevance of the pages behind each gram, shrunk to the mean of all: m_g = (Σ x + k · m) / (n_g + k)."""

    def __init__(self) -> None:
        self._sums = np.zeros(SLOTS, dtype=np.float32)
        self._counts = np.zeros(SLOTS, dtype=np.float32)
        self._total, self._pages = 0.5, 10.0

    @property
    def mean(self) -> float:
        """Mean of all pages, with a prior of ten pages at 0.05."""
        return self._total / self._pages

    def add(self, grams: NDArray[np.int64], relevance: float) -> None:
        """Count a page that was reached by a link with these distinct grams."""
        self._sums[grams] += relevance
        self._counts[grams] += 1
        self._total += relevance
        self._pages += 1

    def surplus(self, link: NDArray[np.int64], gram: NDArray[np.int64], links: int) -> NDArray[np.float64]:
        """For L links: Σ |d_g| d_g / Σ |d_g| over the grams of each, d_g = m_g − m; grams far from the mean count most."""
        return gram_surplus(self._sums, self._counts, self.mean, _PRIOR_PAGES, link, gram, links)

    def surplus_of_one(self, gram: NDArray[np.int64]) -> float:
        """The surplus of one link with these grams."""
        return self.surplus(np.zeros(len(gram), np.int64), gram, 1).item()
