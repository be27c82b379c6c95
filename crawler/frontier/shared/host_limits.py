"""Sends hosts' paces and hours from a node to a shared frontier."""

import threading
from dataclasses import dataclass
from itertools import islice
from typing import Any

from crawler.config.hours import DAYS_AHEAD, Hours, Politeness

_MAX_PACES = 1000
"""Per update."""
_RESEND_SECONDS = DAYS_AHEAD / 4 * 86_400
"""Spans of hours are sent again before those on the server expire."""


@dataclass(frozen=True, slots=True)
class PaceUpdate:
    """Paces of hosts, and their opening spans after `now` (seconds since the epoch)."""

    paces: dict[str, Politeness]
    hours: dict[Hours, list[float]]
    now: float

    def __bool__(self) -> bool:
        return bool(self.paces or self.hours)

    def as_plain(self) -> list[Any]:
        paces = [
            (host, pace.delay, pace.concurrency, pace.hours.name if pace.hours else False)
            for host, pace in self.paces.items()
        ]
        return [paces, [(hours.name, spans) for hours, spans in self.hours.items()]]


class HostLimits:
    """Tracks the paces that the server lacks. Hours are sent as spans of time, as the server has no time zones.

    The event loop sets paces, the node's own thread sends them.
    """

    def __init__(self) -> None:
        self._all: dict[str, Politeness] = {}
        self._unsent: dict[str, Politeness] = {}
        self._hours_sent_at: dict[Hours, float] = {}
        self._lock = threading.Lock()

    def set(self, host: str, pace: Politeness) -> None:
        with self._lock:
            self._all[host] = self._unsent[host] = pace

    def resend_all(self) -> None:
        """Send everything again, as the server may have lost it."""
        with self._lock:
            self._unsent = dict(self._all)
            self._hours_sent_at = dict.fromkeys(self._hours_sent_at, float("-inf"))

    def next_update(self, now: float) -> PaceUpdate:
        """The next part to send; empty if the server has everything."""
        with self._lock:
            paces = dict(islice(self._unsent.items(), _MAX_PACES))
            wanted = {pace.hours for pace in paces.values() if pace.hours} - self._hours_sent_at.keys()
            wanted |= {hours for hours, sent_at in self._hours_sent_at.items() if now - sent_at > _RESEND_SECONDS}
        return PaceUpdate(paces, {hours: [edge for span in hours.spans(now) for edge in span] for hours in wanted}, now)

    def sent(self, update: PaceUpdate) -> None:
        with self._lock:
            self._hours_sent_at.update(dict.fromkeys(update.hours, update.now))
            for host, pace in update.paces.items():
                if self._unsent.get(host) == pace:
                    del self._unsent[host]
