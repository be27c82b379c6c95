"""What hosts and kinds of URL have given so far, each share drawn towards that of what surrounds it."""

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from urllib.parse import urlsplit

_DIGITS = re.compile(r"\d+")
_MAX_KEYS = 50_000


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


def host_and_kind(url: str) -> tuple[str, str]:
    """A URL's host, and its kind there: the first folder, the number of folders, whether it names a file."""
    parts = urlsplit(url)
    folders = parts.path.strip("/").split("/")
    first = _DIGITS.sub("0", folders[0])[:40] if len(folders) > 1 or "." not in folders[0] else ""
    file = "." in folders[-1]
    return parts.netloc, f"{parts.netloc} {first} {len(folders)} {file} {bool(parts.query)}"
