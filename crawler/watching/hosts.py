"""When a host may be asked again: spacing, a cap that learns, and backing off from refusals and outages."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WINDOW_SECONDS = 600.0
"""Seconds in which requests to one host are counted."""
_RAISED, _LOWERED = 1.4, 0.7
_MAX_HOLD_SECONDS = 24 * 3_600.0
"""Seconds for which a cap that a host has set is not raised."""
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 30.0, 600.0
_UNSURE_REFUSALS = 2
"""Failures in a row after which it is the host that fails, and not a page."""


@dataclass(slots=True)
class Host:
    """What is known of one host.

    Attributes:
        number: its place in the arrays over all hosts.
        cap: requests within `WINDOW_SECONDS`.
        paused_until: it is left alone until then.
        failures: answers in a row that were none.
    """

    name: str
    number: int
    cap: float
    sent: deque[float] = field(default_factory=deque)
    under_way: int = 0
    paused_until: float = 0.0
    held_until: float = 0.0
    raised_at: float = 0.0
    failures: int = 0


class Hosts:
    """All hosts of a watch.

    Args:
        per_hour: requests an hour to one host at first, six at least; an answer 429 lowers it, a host that bears it is asked up
            to `most`.
        under_way: requests in progress at one host.
    """

    def __init__(self, per_hour: float, most: float, under_way: int = 2) -> None:
        self._cap, self._most = (max(1.0, requests * WINDOW_SECONDS / 3_600) for requests in (per_hour, most))
        self._under_way = under_way
        self._hosts: dict[str, Host] = {}
        self._ready_at = np.zeros(64)

    def of(self, name: str) -> Host:
        """The host of this name, made when it is first asked for."""
        found = self._hosts.get(name)
        if found is None:
            found = self._hosts[name] = Host(name, len(self._hosts), self._cap)
            if found.number == len(self._ready_at):
                self._ready_at = np.concatenate((self._ready_at, np.zeros_like(self._ready_at)))
        return found

    def __len__(self) -> int:
        return len(self._hosts)

    def ready(self, now: float) -> NDArray[np.bool_]:
        """For each host, by its number, whether it may be asked."""
        return self._ready_at <= now

    def is_ready(self, name: str, now: float) -> bool:
        """Whether the host may be asked."""
        return bool(self._ready_at[self.of(name).number] <= now)

    def learned(self, name: str) -> list[float]:
        """What a host bears, as plain values."""
        host = self.of(name)
        return [host.cap, host.held_until, host.raised_at]

    def restore(self, name: str, learned: list[float]) -> None:
        """What an earlier run has learned of a host."""
        host = self.of(name)
        host.cap, host.held_until, host.raised_at = learned

    def send(self, name: str, now: float) -> None:
        """A request goes out."""
        host = self.of(name)
        host.under_way += 1
        host.sent.append(now)
        self._update(host, now)

    def answered(self, name: str, now: float) -> None:
        """A good answer, or one that says nothing against the host."""
        host = self._ended(name)
        if host.failures:
            host.failures, host.paused_until = 0, now
        self._update(host, now)

    def failed(self, name: str, now: float) -> None:
        """No answer, or an error of the server: after the second in a row the host is left alone, longer each time."""
        host = self._ended(name)
        host.failures += 1
        if host.failures >= _UNSURE_REFUSALS:
            pause = min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** (host.failures - _UNSURE_REFUSALS))
            host.paused_until = max(host.paused_until, now + pause)
        self._update(host, now)

    def refused(self, name: str, now: float, retry_after: float) -> None:
        """429, or Retry-After: so much is too much, for a day."""
        host = self._ended(name)
        self._forget(host, now)
        host.cap = max(1.0, _LOWERED * min(host.cap, len(host.sent)))
        host.held_until = now + _MAX_HOLD_SECONDS
        host.paused_until = max(host.paused_until, now + (retry_after or _FIRST_PAUSE_SECONDS * 4))
        self._update(host, now)

    def _ended(self, name: str) -> Host:
        host = self.of(name)
        host.under_way = max(0, host.under_way - 1)
        return host

    def _update(self, host: Host, now: float) -> None:
        self._forget(host, now)
        ready = host.paused_until
        if len(host.sent) >= int(host.cap):
            if (
                now >= max(host.held_until, host.raised_at + WINDOW_SECONDS)
                and host.cap < self._most
                and not host.failures
            ):
                host.cap, host.raised_at = min(self._most, host.cap * _RAISED), now
            ready = max(ready, host.sent[len(host.sent) - max(1, int(host.cap))] + WINDOW_SECONDS)
        if host.under_way >= self._under_way:
            ready = np.inf
        self._ready_at[host.number] = ready

    def _forget(self, host: Host, now: float) -> None:
        while host.sent and host.sent[0] <= now - WINDOW_SECONDS:
            host.sent.popleft()
