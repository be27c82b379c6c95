"""What a watch is compared with: small policies over the same web, which know which pages are lists."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.living import simulator

_HOUR, _WEEK = 3_600.0, 7 * 86_400.0


@dataclass
class ListSource:
    """A list of which the policy knows, and what it has seen there."""

    site: Any
    target: str
    rate: float = 0.0
    cycle: str = ""
    visited: float = -_HOUR
    found: int = 0
    interval: float = 3_600.0
    keys: frozenset[tuple[str, int]] = frozenset()

    @property
    def host(self) -> str:
        """Whose it is."""
        return str(self.site.host)


@dataclass
class PageRequest:
    """A page of content."""

    host: str
    target: str
    headers: dict[str, str] = field(default_factory=dict)
    source: ListSource | None = None


Value = Callable[[ListSource, float], float]


def alike(source: ListSource, now: float) -> float:
    """Every list as often as the others."""
    return now - source.visited


def entry_frequency(source: ListSource, now: float) -> float:
    """Miniflux's: a week over the items of the last week, between five minutes and a day."""
    items = max(1.0, source.found * _WEEK / max(now, _HOUR))
    return (now - source.visited) / min(86_400.0, max(300.0, _WEEK / items))


def nutch(source: ListSource, now: float) -> float:
    """Nutch's adaptive interval."""
    return (now - source.visited) / source.interval


def true_rates(source: ListSource, now: float) -> float:
    """The index rule with rates that nobody can know."""
    rhythm = simulator("living_web").cycle(source.cycle, now) if source.cycle else 1.0
    return source.rate / 86_400 * float(rhythm) * (now - source.visited) ** 2 / 2


class Baseline:
    """New pages first, then the list of greatest value.

    Args:
        best: only the lists that together show everything, with their true rates; else every list.
    """

    def __init__(self, world: Any, per_hour: float, value: Value, *, best: bool = False) -> None:
        self._per_hour, self._value, self._tokens, self._at = per_hour, value, 1.0, 0.0
        self._new: deque[PageRequest] = deque()
        self._known: dict[str, int] = {}
        self.sources = [
            ListSource(site, target, *known)
            for site in world.sites
            for target, *known in (site.best_hubs() if best else [(path,) for path, _ in site.hubs()])
        ]

    def next(self, now: float) -> PageRequest | None:
        """See `benchmarks.living.Policy`."""
        self._tokens, self._at = min(5.0, self._tokens + (now - self._at) * self._per_hour / _HOUR), now
        if self._tokens < 1:
            return None
        self._tokens -= 1
        if self._new:
            return self._new.popleft()
        source = max(self.sources, key=lambda each: self._value(each, now))
        source.visited = now
        return PageRequest(source.host, source.target, {}, source)

    def seen(self, request: PageRequest, answer: Any, now: float) -> None:
        """See `benchmarks.living.Policy`."""
        if (source := request.source) is None:
            if answer.status in (0, 429, 503) or answer.drop:
                self._new.append(request)
            return
        if answer.status != 200:
            return
        shown = frozenset(answer.shown)
        source.interval = min(86_400.0, max(60.0, source.interval * (0.8 if shown != source.keys else 1.3)))
        source.keys = shown
        for key, count in answer.shown:
            if count > self._known.get(key, 0):
                self._take(source, key, count)

    def _take(self, source: ListSource, key: str, count: int) -> None:
        before, self._known[key] = self._known.get(key, 0), count
        number, site = int(key.split(".")[1]), source.site
        if site.kind == "forum":
            source.found += 1
            pages = range(max(1, -(-max(1, before) // 15)), -(-count // 15) + 1) if before else [-(-count // 15)]
            self._new.extend(PageRequest(site.host, f"/thread-{number + 100}-{page}-1.html") for page in pages)
        elif not before and site.t[number] >= 0:
            source.found += 1
            self._new.append(PageRequest(site.host, site.url(number)))
