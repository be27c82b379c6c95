"""What a focused crawl learns: how much each feature of a link tells, and what hosts, kinds of URL and links have given so far."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

_PRIOR_PAGES = 300.0
"""Pages that weigh as much as the first weights."""
_UPDATE_PAGES = 20
"""Pages after which the weights are computed anew."""
_MAX_PENDING = 20_000
_DIGITS = re.compile(r"\d+")
_MAX_KEYS = 50_000
_MAX_LINKS = 200_000
_FRAME_PRIOR_PAGES = 2.0
"""Pages of prior: one or two pages of a site do not show its frame."""


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


@dataclass(slots=True)
class Shares:
    """Mean relevance by key, shrunk: (Σ x + m · prior) / (n + m), an empirical Bayes estimate with m pages of prior."""

    strength: float
    _sums: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)

    def add(self, key: str, value: float) -> None:
        """One more page of this key; the key longest untouched is forgotten when there are too many."""
        total, count = self._sums.pop(key, (0.0, 0))
        self._sums[key] = total + value, count + 1
        if len(self._sums) > _MAX_KEYS:
            self._sums.popitem(last=False)

    def mean(self, key: str, prior: float) -> float:
        """The shrunk mean."""
        total, count = self._sums.get(key, (0.0, 0))
        return (total + self.strength * prior) / (count + self.strength)

    def count(self, key: str) -> int:
        """Pages of this key so far."""
        return self._sums.get(key, (0.0, 0))[1]


class HostYields:
    """Of all pages, of each host, of each kind of URL on a host."""

    def __init__(self) -> None:
        self.pages = 0
        self._all, self._hosts, self._kinds = Shares(10.0), Shares(5.0), Shares(5.0)

    def add(self, url: str, relevance: float) -> None:
        """A fetched page."""
        host, kind = host_and_kind(url)
        self.pages += 1
        self._all.add("", relevance)
        self._hosts.add(host, relevance)
        self._kinds.add(kind, relevance)

    def expected(self, url: str) -> float:
        """What a page at this URL may be worth, 0 … 1."""
        host, kind = host_and_kind(url)
        return self._kinds.mean(kind, self._hosts.mean(host, self.mean))

    @property
    def mean(self) -> float:
        """Of all pages so far, with ten of prior at a twentieth."""
        return self._all.mean("", 0.05)

    def host(self, url: str) -> float:
        """Of the URL's host, drawn to the mean of all."""
        return self._hosts.mean(host_and_kind(url)[0], self.mean)

    def fetched(self, url: str) -> int:
        """Pages of the URL's host so far."""
        return self._hosts.count(host_and_kind(url)[0])


class LinkContext:
    """How often each link was found, and the mean relevance of the pages that have it.

    A site's frame (menus, footers) is on many of its pages, whatever they are about.

    A link on k of the n pages of a site that were read inherits

        (Σ r / k) · (1 − (k − 1) / (n − 1 + m))

    of the relevance r of those pages: their mean, and less of it the larger the share of the site's pages that have the
    link.
    """

    def __init__(self, max_links: int = _MAX_LINKS) -> None:
        self._max_links = max_links
        self._found: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._pages: Counter[str] = Counter()

    def add(self, host: str, urls: Sequence[str], relevance: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """A page of a host has these L links. Returns what each inherits, and which are found for the first time; two arrays of L."""
        self._pages[host] += 1
        count = np.empty(len(urls))
        total = np.empty(len(urls))
        for place, url in enumerate(urls):
            known, of_all = self._found.pop(url, (0, 0.0))
            count[place], total[place] = self._found[url] = known + 1, of_all + relevance
        while len(self._found) > self._max_links:
            self._found.popitem(last=False)
        others = np.minimum(count - 1, self._pages[host] - 1)
        return total / count * (1 - others / (self._pages[host] - 1 + _FRAME_PRIOR_PAGES)), count == 1


def host_and_kind(url: str) -> tuple[str, str]:
    """A URL's host, and its kind there: the first folder, the number of folders, whether it names a file."""
    parts = urlsplit(url)
    folders = parts.path.strip("/").split("/")
    first = _DIGITS.sub("0", folders[0])[:40] if len(folders) > 1 or "." not in folders[0] else ""
    file = "." in folders[-1]
    return parts.netloc, f"{parts.netloc} {first} {len(folders)} {file} {bool(parts.query)}"
