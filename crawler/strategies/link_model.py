"""How much each thing known of a link tells, learned while the crawl runs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BELIEF = 300.0
"""Pages that weigh as much as what was believed before."""
_EVERY = 20
"""Pages after which the weights are computed anew."""


class LinkModel:
    """Bayesian linear regression of a page's relevance on the parts x of the link that led to it.

        w = (λI + Σ x xᵀ)⁻¹ (λ w₀ + Σ x y)

    so that a crawl begins with the weights w₀ and moves from them as far as its own pages say.

    Args:
        weights: w₀, one for each of the P parts; a constant is added to them, which is 0 at first.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = np.array([*weights, 0.0])
        belief = np.full(len(self._weights), _BELIEF)
        belief[-1] /= 10
        self._precision = np.diag(belief)
        self._moment = belief * self._weights
        self._new = 0

    def scores(self, parts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of L links, parts of shape (L, P): the relevance that is expected behind each, about 0 … 1."""
        return np.asarray(parts @ self._weights[:-1] + self._weights[-1])

    def learn(self, parts: NDArray[np.float64], relevance: float) -> None:
        """A link with these P parts led to a page of this relevance."""
        known = np.append(parts, 1.0)
        self._precision += np.outer(known, known)
        self._moment += relevance * known
        self._new += 1
        if self._new % _EVERY == 0:
            self._weights = np.linalg.solve(self._precision, self._moment)
