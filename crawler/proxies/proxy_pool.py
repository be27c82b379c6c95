"""A pool of proxies: tracks which work, and chooses one for each request."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest
from typing import Literal

Policy = Literal["sticky", "round_robin", "least_failed"]
_MAX_KEYS = 20_000
_RANKED_PROXIES = 4
"""Cached proxies per key."""


@dataclass(slots=True)
class Proxy:
    """One proxy. `url` may hold a name and password, `label` never does. Times are monotonic seconds."""

    url: str
    label: str
    failures: int = 0
    """Consecutive failures."""
    all_failures: int = 0
    down_until: float = 0.0
    used_at: int = 0
    """Number of the choice that used it last."""
    worked_at: float = float("-inf")


class ProxyPool:
    """Chooses among proxies. A failed proxy backs off, twice as long with each consecutive failure.

    Args:
        backoff: seconds of backoff after the first failure.
        max_backoff: the longest backoff in seconds.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        proxies: Iterable[Proxy],
        policy: Policy = "sticky",
        *,
        backoff: float = 5.0,
        max_backoff: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.proxies = {proxy.label: proxy for proxy in proxies}
        self._policy, self._backoff, self._max_backoff, self._clock = policy, backoff, max_backoff, clock
        self._choices = 0
        self._ranked: dict[str, list[Proxy]] = {}
        self._dead_since: float | None = None

    def choose(self, key: str, banned: Callable[[Proxy], float]) -> Proxy | float:
        """An available proxy, or the seconds until one is available.

        Args:
            key: identity and host; with the policy "sticky" a key keeps its proxy while that is available.
            banned: seconds for which the host has banned a proxy.
        """
        now = self._clock()

        def wait(proxy: Proxy) -> float:
            return max(proxy.down_until - now, banned(proxy))

        chosen = None
        if self._policy == "sticky":
            chosen = next((proxy for proxy in self._first_ranked(key) if wait(proxy) <= 0), None)
        if chosen is None:
            free = (proxy for proxy in self.proxies.values() if wait(proxy) <= 0)
            chosen = min(free, key=self._order(key), default=None)
        if chosen is None:
            return min(map(wait, self.proxies.values()), default=self._backoff)
        self._choices += 1
        chosen.used_at = self._choices
        return chosen

    def _order(self, key: str) -> Callable[[Proxy], tuple[int, int]]:
        if self._policy == "sticky":  # rendezvous hashing: a lost proxy changes only the keys that used it
            return lambda proxy: (_hash(key, proxy.label), 0)
        if self._policy == "least_failed":
            return lambda proxy: (proxy.all_failures, proxy.used_at)
        return lambda proxy: (proxy.used_at, 0)

    def _first_ranked(self, key: str) -> list[Proxy]:
        found = self._ranked.get(key)
        if found is None:
            if len(self._ranked) >= _MAX_KEYS:
                self._ranked.clear()
            found = self._ranked[key] = nsmallest(_RANKED_PROXIES, self.proxies.values(), key=self._order(key))
        return found

    def replace(self, proxies: Iterable[Proxy]) -> tuple[int, int]:
        """Use another list; proxies on both lists keep their state. Returns the numbers of added and removed ones."""
        new = {proxy.label: proxy for proxy in proxies}
        added, removed = len(new.keys() - self.proxies.keys()), len(self.proxies.keys() - new.keys())
        for label, proxy in new.items():
            if (known := self.proxies.get(label)) is not None:
                known.url = proxy.url
                new[label] = known
        self.proxies = new
        self._ranked.clear()
        if added:
            self._dead_since = None
        return added, removed

    def failed(self, label: str) -> float:
        """Record a failure of the proxy; returns the seconds of its backoff."""
        proxy, now = self.proxies[label], self._clock()
        if proxy.down_until > now:
            return proxy.down_until - now
        proxy.failures += 1
        proxy.all_failures += 1
        seconds = float(min(self._max_backoff, self._backoff * 2 ** min(proxy.failures - 1, 30)))
        proxy.down_until = now + seconds
        if all(each.failures for each in self.proxies.values()):
            self._dead_since = self._dead_since or now
        return seconds

    def worked(self, label: str) -> None:
        proxy = self.proxies[label]
        proxy.failures, proxy.down_until, proxy.worked_at = 0, 0.0, self._clock()
        self._dead_since = None

    def worked_within(self, label: str, seconds: float) -> bool:
        """Whether the proxy delivered an answer in the last `seconds`."""
        return self._clock() - self.proxies[label].worked_at < seconds

    def alive(self) -> int:
        return len(self.proxies) - len(self.down())

    def down(self) -> list[str]:
        """Labels of the proxies in backoff."""
        now = self._clock()
        return [label for label, proxy in self.proxies.items() if proxy.down_until > now]

    def dead_seconds(self) -> float:
        """Seconds since all proxies of the pool have failed; 0 if one works."""
        return 0.0 if self._dead_since is None else self._clock() - self._dead_since


def _hash(key: str, label: str) -> int:
    return int.from_bytes(blake2b(f"{key} {label}".encode(), digest_size=8).digest(), "big")
