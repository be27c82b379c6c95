"""Waiting pages by site: the registered domains that named them take turns, by what their pages were worth."""

from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import islice

_MAX_HOSTS = 50
"""Hosts of one site that one choice looks at."""

Ready = Callable[[str, str], bool]
"""Whether pages that a site named may be fetched from a host."""


class SiteTurns:
    """Addresses by site and host, in the order of their arrival.

    A turn of a site costs 1 / worth; the next one is that of the site with the smallest sum. A site that had nothing to
    fetch begins at the sum of the others, so that turns cannot be saved.

    Args:
        worth: of a site's pages, above 0 and at most 1.
    """

    def __init__(self, worth: Callable[[str], float]) -> None:
        self._worth = worth
        self._hosts: dict[str, OrderedDict[str, deque[str]]] = {}
        self._counts: dict[str, int] = {}
        self._sums: dict[str, float] = {}
        self._begin = 0.0

    def __len__(self) -> int:
        return sum(self._counts.values())

    def count(self, site: str) -> int:
        """The number of addresses that wait for a site's turns."""
        return self._counts.get(site, 0)

    def add(self, site: str, host: str, url: str, *, first: bool = False) -> None:
        """Add an address as the last of its host, or as the first."""
        if site not in self._hosts:
            self._hosts[site] = OrderedDict()
            self._sums[site] = max(self._begin, self._sums.get(site, 0.0))
        line = self._hosts[site].setdefault(host, deque())
        self._counts[site] = self.count(site) + 1
        if first:
            line.appendleft(url)
        else:
            line.append(url)

    def next(
        self, ready: Ready, is_usable: Callable[[str], bool], among: Callable[[str], bool] = lambda site: True
    ) -> str | None:
        """Remove and return the longest waiting usable address of a ready host of the next of some sites; unusable ones
        are removed too."""
        for site in sorted(filter(among, self._hosts), key=self._sums.__getitem__):
            url = self._next_of(site, ready, is_usable)
            if url is not None:
                self._begin = max(self._begin, self._sums[site])
                self._sums[site] += 1.0 / self._worth(site)
                return url
        return None

    def drop_newest(self) -> str:
        """Remove and return the newest address of the site with most; "" if there is none."""
        site = max(self._counts, key=self._counts.__getitem__, default="")
        if not site:
            return ""
        host, line = next(reversed(self._hosts[site].items()))
        return self._take(site, host, line.pop)

    def _next_of(self, site: str, ready: Ready, is_usable: Callable[[str], bool]) -> str | None:
        for host in list(islice(self._hosts[site], _MAX_HOSTS)):
            if found := self._next_at(site, host, ready, is_usable):
                return found
        return None

    def _next_at(self, site: str, host: str, ready: Ready, is_usable: Callable[[str], bool]) -> str:
        hosts = self._hosts[site]
        hosts.move_to_end(host)
        if not ready(site, host):
            return ""
        line = hosts[host]
        while line:
            url = self._take(site, host, line.popleft)
            if is_usable(url):
                return url
        return ""

    def _take(self, site: str, host: str, pop: Callable[[], str]) -> str:
        url, hosts = pop(), self._hosts[site]
        self._counts[site] -= 1
        if not hosts[host]:
            del hosts[host]
        if not hosts:
            del self._hosts[site], self._counts[site]
        return url
