"""When a host may be requested: spacing, an adaptive rate cap, and backoff after refusals and outages."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WINDOW_SECONDS = 600.0
"""The window in which requests to one host are counted."""
_RAISED, _LOWERED = 1.4, 0.7
_MAX_HOLD_SECONDS = 24 * 3_600.0
"""A cap lowered by a host is not raised for this long."""
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 30.0, 600.0
_UNSURE_REFUSALS = 2
"""Consecutive failures that count as an outage of the host instead of a page."""


@dataclass(slots=True)
class Host:
    """The state of one host.

    Attributes:
        number: its index in the arrays over all hosts.
        cap: maximum requests within `WINDOW_SECONDS`.
        paused_until: no requests until then.
        failures: consecutive failures.
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
        per_hour: initial requests per hour and host, at least six; status 429 lowers it, success raises it up to `most`.
        under_way: maximum concurrent requests per host.
    """

    def __init__(self, per_hour: float, most: float, under_way: int = 2) -> None:
        self._cap, self._most = (max(1.0, requests * WINDOW_SECONDS / 3_600) for requests in (per_hour, most))
        self._under_way = under_way
        self._hosts: dict[str, Host] = {}
        self._ready_at = np.zeros(64)

    def of(self, name: str) -> Host:
        """The host of this name, created on first use."""
        found = self._hosts.get(name)
        if found is None:
            found = self._hosts[name] = Host(name, len(self._hosts), self._cap)
            if found.number == len(self._ready_at):
                self._ready_at = np.concatenate((self._ready_at, np.zeros_like(self._ready_at)))
        return found

    def __len__(self) -> int:
        return len(self._hosts)

    def ready(self, now: float) -> NDArray[np.bool_]:
        """Whether each host, by number, is available."""
        return self._ready_at <= now

    def is_ready(self, name: str, now: float) -> bool:
        """Whether the host is available."""
        number = self.of(name).number  # a new host may replace the array
        return bool(self._ready_at[number] <= now)

    def is_half_free(self, name: str) -> bool:
        """Whether at most half of the host's requests are used."""
        host = self.of(name)
        return 2 * len(host.sent) < host.cap

    def learned(self, name: str) -> list[float]:
        """The learned cap of a host, as plain values."""
        host = self.of(name)
        return [host.cap, host.held_until, host.raised_at]

    def restore(self, name: str, learned: list[float], now: float) -> None:
        """Restore the learned cap of a host from an earlier run."""
        host = self.of(name)
        host.cap, held_until, raised_at = learned
        host.held_until, host.raised_at = min(held_until, now + _MAX_HOLD_SECONDS), min(raised_at, now)

    def send(self, name: str, now: float) -> None:
        """Note that a request was sent."""
        host = self.of(name)
        host.under_way += 1
        host.sent.append(now)
        self._update(host, now)

    def answered(self, name: str, now: float) -> None:
        """Note an answer that is not a failure of the host."""
        host = self._ended(name)
        if host.failures:
            host.failures, host.paused_until = 0, now
        self._update(host, now)

    def failed(self, name: str, now: float) -> None:
        """Note a missing answer or a server error; from the second consecutive one on, pause the host, longer each time."""
        host = self._ended(name)
        host.failures += 1
        if host.failures >= _UNSURE_REFUSALS:
            pause = min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0 ** (host.failures - _UNSURE_REFUSALS))
            host.paused_until = max(host.paused_until, now + pause)
        self._update(host, now)

    def refused(self, name: str, now: float, retry_after: float) -> None:
        """Note status 429 or Retry-After: lower the cap for a day."""
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
