"""Selects the next host: by priority band, round robin within a band, each at its own pace."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from crawler.config.hours import Politeness
from crawler.priorities import BAND


@dataclass(slots=True)
class _QueuedHost:
    pace: Politeness
    queued: int = 0
    active: int = 0
    best: int = 0
    next_time: float = 0.0
    served: int = 0
    version: int = 0


@dataclass(slots=True)
class HostQueue:
    """Counts of requests by host and in total, and two heaps: of available hosts, and of hosts that must wait.

    A heap entry is stale if its host has a later version; it is dropped at the top. Each call takes O(log hosts); memory is
    per host, not per request.
    """

    pace: Politeness
    queued: int = 0
    _hosts: dict[str, _QueuedHost] = field(default_factory=dict)
    _ready: list[tuple[int, int, int, str]] = field(default_factory=list)
    _waiting: list[tuple[float, int, str]] = field(default_factory=list)
    _turn: int = 0

    def set_pace(self, host: str, pace: Politeness) -> None:
        """Set this host's delay, concurrency and hours."""
        state = self._of(host)
        state.pace = pace
        self._place(host, state)

    def clear(self) -> None:
        """Remove all requests; the hosts' paces stay."""
        self._hosts = {host: _QueuedHost(state.pace) for host, state in self._hosts.items() if state.pace != self.pace}
        self._ready, self._waiting, self.queued = [], [], 0

    def load(self, queued: Iterable[tuple[str, int, int]], active: Iterable[tuple[str, int]] = ()) -> None:
        """Reset from (host, highest priority, number of queued requests) and (host, number under way)."""
        self._ready, self._waiting, self.queued = [], [], 0
        for state in self._hosts.values():
            state.queued = state.active = state.best = 0
        for host, number in active:
            self._of(host).active = number
        for host, best, count in queued:
            state = self._of(host)
            state.queued, state.best = count, best
            self.queued += count
        for host, state in self._hosts.items():
            self._place(host, state)

    def added(self, host: str, priority: int, count: int = 1) -> None:
        """Add `count` queued requests, the best of them with this priority."""
        state = self._of(host)
        better = state.queued == 0 or priority > state.best
        state.queued += count
        self.queued += count
        if better:
            state.best = priority
            self._place(host, state)

    def next(self, now: float) -> str | None:
        """The first available host; None if there is none."""
        while self._waiting and self._waiting[0][0] <= now:
            _, version, host = heapq.heappop(self._waiting)
            state = self._hosts[host]
            if state.version == version:
                self._make_ready(host, state)
        while self._ready:
            _, _, version, host = self._ready[0]
            state = self._hosts[host]
            if state.version != version:
                heapq.heappop(self._ready)
            elif (allowed := _allowed(state, now)) > now:
                heapq.heappop(self._ready)
                state.next_time = allowed
                self._place(host, state)
            else:
                return host
        return None

    def popped(self, host: str, now: float, next_best: int | None) -> None:
        """Note a lease of the host; `next_best` is the priority of its next request, None if there is none."""
        state = self._of(host)
        self._turn += 1
        state.served = self._turn
        state.active += 1
        state.next_time = now + state.pace.delay
        self.removed(host, next_best)

    def removed(self, host: str, next_best: int | None) -> None:
        """Note the removal of a queued request."""
        state = self._of(host)
        left = 0 if next_best is None else state.queued - 1
        self.queued += left - state.queued
        state.queued = left
        state.best = next_best or 0
        self._place(host, state)

    def released(self, host: str) -> None:
        """Note the end of a lease of the host."""
        state = self._of(host)
        full = state.active >= state.pace.concurrency
        state.active = max(0, state.active - 1)
        if full:
            self._place(host, state)

    def wait_seconds(self, now: float) -> float | None:
        """Seconds until a host becomes available; None if no host waits only for time."""
        if self.next(now) is not None:
            return 0.0
        while self._waiting and self._hosts[self._waiting[0][2]].version != self._waiting[0][1]:
            heapq.heappop(self._waiting)
        return max(0.0, self._waiting[0][0] - now) if self._waiting else None

    def seconds_until_open(self, now: float) -> float | None:
        """Seconds until the first host with queued requests that is outside its hours opens."""
        queued = (state.pace.hours for state in self._hosts.values() if state.queued)
        opening = (hours.opens(now) for hours in dict.fromkeys(queued) if hours is not None)
        return min((time - now for time in opening if time > now), default=None)

    def _of(self, host: str) -> _QueuedHost:
        state = self._hosts.get(host)
        if state is None:
            state = self._hosts[host] = _QueuedHost(self.pace)
        return state

    def _place(self, host: str, state: _QueuedHost) -> None:
        """Put the host into its current heap; older entries become stale."""
        state.version += 1
        if not state.queued or state.active >= state.pace.concurrency:
            return
        if state.next_time > 0:
            heapq.heappush(self._waiting, (state.next_time, state.version, host))
        else:
            self._make_ready(host, state)

    def _make_ready(self, host: str, state: _QueuedHost) -> None:
        heapq.heappush(self._ready, (-(state.best // BAND), state.served, state.version, host))


def _allowed(state: _QueuedHost, now: float) -> float:
    """The time at which the host becomes available."""
    return state.pace.hours.opens(max(now, state.next_time)) if state.pace.hours else state.next_time
