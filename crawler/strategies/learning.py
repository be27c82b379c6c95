"""How much each feature of a link tells of the page behind it, learned while the crawl runs."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PRIOR_PAGES = 300.0
"""Pages that weigh as much as the first weights."""
_UPDATE_PAGES = 20
"""Pages after which the weights are computed anew."""
_MAX_PENDING = 20_000


class LinkModel:
    """Bayesian linear regression of a page's relevance on the features x of the link that led to it.

        w = (λI + Σ x xᵀ)⁻¹ (λ w₀ + Σ x y)

    so that a crawl begins with the weights w₀ and moves from them as far as its own pages say.

    Args:
        weights: w₀, one for each of the P features; a constant is added to them, which is 0 at first.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = np.array([*weights, 0.0])
        prior = np.full(len(self._weights), _PRIOR_PAGES)
        prior[-1] /= 10
        self._precision = np.diag(prior)
        self._moment = prior * self._weights
        self._new = 0

    def scores(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of L links, features of shape (L, P): the relevance that is expected behind each, about 0 … 1."""
        return np.asarray(features @ self._weights[:-1] + self._weights[-1])

    def learn(self, features: NDArray[np.float64], relevance: float) -> None:
        """A link with these P features led to a page of this relevance."""
        known = np.append(features, 1.0)
        self._precision += np.outer(known, known)
        self._moment += relevance * known
        self._new += 1
        if self._new % _UPDATE_PAGES == 0:
            self._weights = np.linalg.solve(self._precision, self._moment)


@dataclass(frozen=True, slots=True)
class LinkFeatures:
    """L links of a page.

    Attributes:
        values: shape (L, P), the P features of each.
        link, gram: the M grams of their texts: the number of the link, never falling, and the gram.
    """

    values: NDArray[np.float64]
    link: NDArray[np.int64]
    gram: NDArray[np.int64]

    def each(self) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
        """Features and grams of one link after the other."""
        stops = np.searchsorted(self.link, np.arange(1, len(self.values) + 1)).tolist()
        start = 0
        for values, stop in zip(self.values, stops, strict=True):
            yield values.copy(), self.gram[start:stop].copy()
            start = stop


class PendingLinks:
    """Features of links that wait to be fetched, by URL, as last found on a page; the oldest are forgotten first."""

    def __init__(self, max_links: int = _MAX_PENDING) -> None:
        self._max_links = max_links
        self._links: OrderedDict[str, tuple[NDArray[Any], NDArray[Any]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._links)

    def add(self, urls: Sequence[str], features: LinkFeatures, *, listed: bool = False) -> None:
        """The links of a page. A sitemap or feed (`listed`) says so little of a link that its features replace no others."""
        for url, known in zip(urls, features.each(), strict=True):
            if not listed or url not in self._links:
                self._links[url] = known
        while len(self._links) > self._max_links:
            self._links.popitem(last=False)

    def take(self, url: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Features and grams of the link that led there; None if it was forgotten."""
        return self._links.pop(url, None)
