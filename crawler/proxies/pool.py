"""Proxies of one list: who is alive, and whose turn it is."""

import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest
from importlib.util import find_spec
from typing import Literal
from urllib.parse import urlsplit

Policy = Literal["sticky", "round_robin", "least_failed"]
_MOST_KEYS, _FEW = 20_000, 4
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class ProxyError(ValueError):
    """A list that cannot be used; the message never holds an address's name or password."""


@dataclass(slots=True)
class Proxy:
    """One proxy: `url` may hold a name and password, `label` never does."""

    url: str
    label: str
    failures: int = 0
    failed_in_all: int = 0
    down_until: float = 0.0
    served: int = 0
    worked_at: float = float("-inf")


def read_proxies(text: str, source: str) -> list[Proxy]:
    """An address a line (http://name:${SECRET}@host:port); # begins a remark; ${NAME} is taken from the environment.

    Raises ProxyError naming the line.
    """
    proxies = []
    for number, line in enumerate(text.splitlines(), start=1):
        if address := line.partition("#")[0].strip():
            proxies.append(_proxy(address, f"{source}, line {number}"))
    if not proxies:
        raise ProxyError(f"{source} names no proxy")
    return proxies


def with_environment(text: str, where: str) -> str:
    """The text with each ${NAME} taken from the environment; ProxyError for one that is not there."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in os.environ:
            raise ProxyError(f"{where}: the environment has no {found[1]}")
        return os.environ[found[1]]

    return _VARIABLE.sub(value, text)


def _proxy(address: str, where: str) -> Proxy:
    url = with_environment(address if "://" in address else f"http://{address}", where)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ProxyError(f"{where}: must be like http://host:port")
    if parts.scheme not in ("http", "https", "socks5", "socks5h"):
        raise ProxyError(f"{where}: {parts.scheme} proxies cannot be used; there are http, https and socks5")
    if parts.scheme.startswith("socks") and not find_spec("socksio"):
        raise ProxyError(f"{where}: {parts.scheme} needs a package more: run  pip install 'topicrawl[socks]'")
    return Proxy(url, f"{parts.scheme}://{host}:{port}")


class ProxyPool:
    """Chooses among proxies; a failed one rests twice as long with each failure in a row, and then is tried again.

    Args:
        rest, longest: seconds of the first rest and the longest.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        proxies: Iterable[Proxy],
        policy: Policy = "sticky",
        *,
        rest: float = 5.0,
        longest: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.proxies = {proxy.label: proxy for proxy in proxies}
        self._policy, self._rest, self._longest, self._clock = policy, rest, longest, clock
        self._turn = 0
        self._ranks: dict[str, list[Proxy]] = {}
        self._silent_since: float | None = None

    def choose(self, key: str, left: Callable[[Proxy], float]) -> Proxy | float:
        """A proxy that may be used now, or the seconds until one may.

        Args:
            key: identity and host; "sticky" gives the same proxy to the same key as long as that may be used.
            left: for how many seconds the host has banned the proxy.
        """
        now = self._clock()

        def wait(proxy: Proxy) -> float:
            return max(proxy.down_until - now, left(proxy))

        chosen = None
        if self._policy == "sticky":
            chosen = next((proxy for proxy in self._ranked(key) if wait(proxy) <= 0), None)
        if chosen is None:
            free = (proxy for proxy in self.proxies.values() if wait(proxy) <= 0)
            chosen = min(free, key=self._order(key), default=None)
        if chosen is None:
            return min(map(wait, self.proxies.values()), default=self._rest)
        self._turn += 1
        chosen.served = self._turn
        return chosen

    def _order(self, key: str) -> Callable[[Proxy], tuple[int, int]]:
        if self._policy == "sticky":  # rendezvous hashing: one proxy less moves only those that had it
            return lambda proxy: (_hash(key, proxy.label), 0)
        if self._policy == "least_failed":
            return lambda proxy: (proxy.failed_in_all, proxy.served)
        return lambda proxy: (proxy.served, 0)

    def _ranked(self, key: str) -> list[Proxy]:
        """The key's first few, remembered."""
        found = self._ranks.get(key)
        if found is None:
            if len(self._ranks) >= _MOST_KEYS:
                self._ranks.clear()
            found = self._ranks[key] = nsmallest(_FEW, self.proxies.values(), key=self._order(key))
        return found

    def replace(self, proxies: Iterable[Proxy]) -> tuple[int, int]:
        """Take a list anew: what is known of those that stay is kept. How many came, and how many went."""
        new = {proxy.label: proxy for proxy in proxies}
        came, went = len(new.keys() - self.proxies.keys()), len(self.proxies.keys() - new.keys())
        for label, proxy in new.items():
            if (known := self.proxies.get(label)) is not None:
                known.url = proxy.url
                new[label] = known
        self.proxies = new
        self._ranks.clear()
        if came:
            self._silent_since = None
        return came, went

    def failed(self, label: str) -> float:
        """The proxy did not work; the seconds for which it rests."""
        proxy, now = self.proxies[label], self._clock()
        if proxy.down_until > now:
            return proxy.down_until - now
        proxy.failures += 1
        proxy.failed_in_all += 1
        seconds = float(min(self._longest, self._rest * 2 ** min(proxy.failures - 1, 30)))
        proxy.down_until = now + seconds
        if all(each.failures for each in self.proxies.values()):
            self._silent_since = self._silent_since or now
        return seconds

    def worked(self, label: str) -> None:
        """An answer came through it."""
        proxy = self.proxies[label]
        proxy.failures, proxy.down_until, proxy.worked_at = 0, 0.0, self._clock()
        self._silent_since = None

    def worked_within(self, label: str, seconds: float) -> bool:
        """Whether an answer came through it so recently."""
        return self._clock() - self.proxies[label].worked_at < seconds

    def alive(self) -> int:
        """How many are not resting."""
        now = self._clock()
        return sum(proxy.down_until <= now for proxy in self.proxies.values())

    def resting(self) -> list[str]:
        """Labels of those that are."""
        now = self._clock()
        return [label for label, proxy in self.proxies.items() if proxy.down_until > now]

    def dead_seconds(self) -> float:
        """For how long no proxy of the pool has worked, each having been tried."""
        return 0.0 if self._silent_since is None else self._clock() - self._silent_since


def _hash(key: str, label: str) -> int:
    return int.from_bytes(blake2b(f"{key} {label}".encode(), digest_size=8).digest(), "big")
