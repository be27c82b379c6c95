"""What a focused crawl learns: the weight of each link feature, and the yields of hosts, kinds of URL and links."""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Self
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

_PRIOR_PAGES = 300.0
"""Pages that weigh as much as the initial weights."""
_UPDATE_PAGES = 20
"""The weights are recomputed after this many pages."""
_MAX_PENDING = 20_000
_NUMBER_BYTES = 8
"""Size of a number in an array."""
_DIGITS = re.compile(r"\d+")
_MAX_KEYS = 50_000
_MAX_LINKS = 200_000
_MIN_RISE = 0.02
"""Minimum gain in inherited relevance for a link to be rescored."""
_FRAME_PRIOR_PAGES = 2.0
"""Pages of prior, as one or two pages of a site do not show its frame."""


class LinkModel:
    """Bayesian linear regression of a page's relevance on the features x of the link that led to it.

        w = (λI + Σ x xᵀ)⁻¹ (λ w₀ + Σ x y)

    so that a crawl starts with the weights w₀ and adapts them by its own pages.

    Args:
        weights: w₀, one for each of the P features; an intercept, initially 0, is added.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = np.array([*weights, 0.0])
        self._slopes, self._constant = self._weights[:-1], self._weights[-1]
        prior = np.full(len(self._weights), _PRIOR_PAGES)
        prior[-1] /= 10
        self._precision = np.diag(prior)
        self._moment = prior * self._weights
        self._new = 0

    def scores(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The expected relevance of the targets of L links, about 0 … 1. features: shape (L, P)."""
        return np.asarray(features.dot(self._slopes) + self._constant)

    def learn(self, features: NDArray[np.float64], relevance: float) -> None:
        """Learn that a link with these P features led to a page of this relevance."""
        known = np.ones(len(self._weights))
        known[:-1] = features
        self._precision += known[:, None] * known
        self._moment += relevance * known
        self._new += 1
        if self._new % _UPDATE_PAGES == 0:
            self._weights = np.linalg.solve(self._precision, self._moment)
            self._slopes, self._constant = self._weights[:-1], self._weights[-1]


@dataclass(frozen=True, slots=True)
class LinkFeatures:
    """The features of L links.

    Attributes:
        values: shape (L, P), the P features of each.
        link, gram: the M grams of their texts: the link's number, ascending, and the gram.
    """

    values: NDArray[np.float64]
    link: NDArray[np.int64]
    gram: NDArray[np.int64]

    def each(self) -> Iterator["PendingLink"]:
        """The links one by one."""
        values, gram, width = self.values.tobytes(), self.gram.tobytes(), _NUMBER_BYTES * self.values.shape[1]
        stops = (_NUMBER_BYTES * np.searchsorted(self.link, np.arange(1, len(self.values) + 1))).tolist()
        start = 0
        for number, stop in enumerate(stops):
            yield PendingLink(values[number * width : (number + 1) * width], gram[start:stop])
            start = stop

    @classmethod
    def of(cls, links: Sequence["PendingLink"]) -> Self:
        """The features of at least one link, joined."""
        values = np.frombuffer(bytearray().join([link.values for link in links])).reshape(len(links), -1)
        gram = np.frombuffer(b"".join([link.gram for link in links]), np.int64)
        return cls(values, np.arange(len(links)).repeat([len(link.gram) // _NUMBER_BYTES for link in links]), gram)


class PendingLink(NamedTuple):
    """One link: its P features (float64), and the distinct grams of its texts (int64), as bytes, which take a third of the
    space and time of two arrays."""

    values: bytes
    gram: bytes

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The features, as a writable array, and the grams."""
        return np.frombuffer(bytearray(self.values)), np.frombuffer(self.gram, np.int64)


class PendingLinks:
    """Features of queued links by URL, as last found on a page; the oldest are evicted first."""

    def __init__(self, max_links: int = _MAX_PENDING) -> None:
        self._max_links = max_links
        self._links: OrderedDict[str, PendingLink] = OrderedDict()

    def __len__(self) -> int:
        return len(self._links)

    def add(self, urls: Sequence[str], features: LinkFeatures, *, listed: bool = False) -> None:
        """Add the links of a page. Features from a sitemap or feed (`listed`) are too poor to replace others."""
        for url, known in zip(urls, features.each(), strict=True):
            if not listed or url not in self._links:
                self._links[url] = known
        while len(self._links) > self._max_links:
            self._links.popitem(last=False)

    def get(self, url: str) -> PendingLink | None:
        """The features of the link to this URL; None if evicted."""
        return self._links.get(url)

    def take(self, url: str) -> PendingLink | None:
        """Remove and return the features of the link to this URL."""
        return self._links.pop(url, None)


@dataclass(slots=True)
class Shares:
    """Mean relevance by key, shrunk: (Σ x + m · prior) / (n + m), an empirical Bayes estimate with m pages of prior."""

    strength: float
    _sums: OrderedDict[str, tuple[float, int]] = field(default_factory=OrderedDict)

    def add(self, key: str, value: float) -> None:
        """Count a page of this key; the least recently used key is evicted when there are too many."""
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
    """Yields of all pages, of each host, and of each kind of URL on a host."""

    def __init__(self) -> None:
        self.pages = 0
        self._all, self._hosts, self._kinds = Shares(10.0), Shares(5.0), Shares(5.0)

    def add(self, url: str, relevance: float) -> None:
        """Count a fetched page."""
        host, kind = host_and_kind(url)
        self.pages += 1
        self._all.add("", relevance)
        self._hosts.add(host, relevance)
        self._kinds.add(kind, relevance)

    def of(self, url: str) -> "Yield":
        """The yield of pages like the one at this address."""
        return self._of(*host_and_kind(url), self.mean)

    def at(self, urls: Iterable[str]) -> list["Yield"]:
        """The yields for these addresses; each kind is looked up once, as most links of a page are of a few kinds."""
        mean, known = self.mean, dict[tuple[str, str], Yield]()
        found = []
        for url in urls:
            place = host_and_kind(url)
            if (yielded := known.get(place)) is None:
                yielded = known[place] = self._of(*place, mean)
            found.append(yielded)
        return found

    def _of(self, host: str, kind: str, mean: float) -> "Yield":
        of_host = self._hosts.mean(host, mean)
        return Yield(self._kinds.mean(kind, of_host), of_host, self._hosts.count(host))

    @property
    def mean(self) -> float:
        """Mean of all pages so far, with a prior of ten pages at 0.05."""
        return self._all.mean("", 0.05)


class Yield(NamedTuple):
    """Expected relevance of a page by its kind and by its host, 0 … 1, and the number of the host's pages so far."""

    of_kind: float
    of_host: float
    fetched: int


class LinkContext:
    """How often each link was found, and the mean relevance of the pages that have it.

    A site's frame (menus, footers) is on many of its pages, whatever their subject.

    A link on k of the n pages of a site that were read inherits

        (Σ r / k) · (1 − (k − 1) / (n − 1 + m))

    of the relevance r of those pages: their mean, lowered by the share of the site's pages that have the link.
    """

    def __init__(self, max_links: int = _MAX_LINKS) -> None:
        self._max_links = max_links
        self._found: OrderedDict[str, tuple[int, float, float]] = OrderedDict()
        self._pages: Counter[str] = Counter()

    def add(self, host: str, urls: Sequence[str], relevance: float) -> "Inherited":
        """Count the L links of a page."""
        self._pages[host] += 1
        others = self._pages[host] - 1
        rows = [self._inherits(url, relevance, others) for url in urls]
        while len(self._found) > self._max_links:
            self._found.popitem(last=False)
        values, first, better = zip(*rows, strict=True) if rows else ((), (), ())
        return Inherited(np.array(values, np.float64), np.array(first, np.bool_), np.array(better, np.bool_))

    def _inherits(self, url: str, relevance: float, others: int) -> tuple[float, bool, bool]:
        """The relevance that a link inherits, whether it is new, and whether that exceeds its earlier value."""
        count, total, best = self._found.pop(url, (0, 0.0, -1.0))
        count, total = count + 1, total + relevance
        value = total / count * (1 - min(count - 1, others) / (others + _FRAME_PRIOR_PAGES))
        better = value > best + (_MIN_RISE if count > 1 else 0.0)
        self._found[url] = count, total, value if better else best
        return value, count == 1, better


@dataclass(frozen=True, slots=True)
class Inherited:
    """For L links of a page: the inherited relevance, which are new, and which gained."""

    values: NDArray[np.float64]
    first: NDArray[np.bool_]
    better: NDArray[np.bool_]


@lru_cache(maxsize=_MAX_KEYS)
def host_and_kind(url: str) -> tuple[str, str]:
    """A URL's host, and its kind: the first folder, the number of folders, whether it names a file."""
    parts = urlsplit(url)
    folders = parts.path.strip("/").split("/")
    first = _DIGITS.sub("0", folders[0])[:40] if len(folders) > 1 or "." not in folders[0] else ""
    file = "." in folders[-1]
    return parts.netloc, f"{parts.netloc} {first} {len(folders)} {file} {bool(parts.query)}"
