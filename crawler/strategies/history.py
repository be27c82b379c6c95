"""What this crawl has found so far: the relevance of pages by host and kind of URL, and of the pages that have a link."""

import re
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

_DIGITS = re.compile(r"\d+")
_MAX_KEYS = 50_000
_MAX_LINKS = 200_000
_PRIOR_PAGES = 2.0
"""Pages of prior: one or two pages of a site do not show its frame."""


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
        return total / count * (1 - others / (self._pages[host] - 1 + _PRIOR_PAGES)), count == 1


def host_and_kind(url: str) -> tuple[str, str]:
    """A URL's host, and its kind there: the first folder, the number of folders, whether it names a file."""
    parts = urlsplit(url)
    folders = parts.path.strip("/").split("/")
    first = _DIGITS.sub("0", folders[0])[:40] if len(folders) > 1 or "." not in folders[0] else ""
    file = "." in folders[-1]
    return parts.netloc, f"{parts.netloc} {first} {len(folders)} {file} {bool(parts.query)}"
