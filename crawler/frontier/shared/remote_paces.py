"""What a node has told a shared frontier of hosts' paces and hours, and what it still has to tell."""

import threading
from dataclasses import dataclass
from itertools import islice
from typing import Any

from crawler.config.hours import DAYS_AHEAD, Hours
from crawler.frontier.base import Politeness

_AT_ONCE = 1000
_FRESH_SECONDS = DAYS_AHEAD / 4 * 86_400
"""Spans are told again before those that were told run out."""


@dataclass(frozen=True, slots=True)
class News:
    """Paces of hosts, and hours worked out from a moment on."""

    paces: dict[str, Politeness]
    hours: dict[Hours, list[float]]
    now: float

    def __bool__(self) -> bool:
        return bool(self.paces or self.hours)

    def as_plain(self) -> list[Any]:
        """As the script `pace` takes it."""
        paces = [
            (host, pace.delay, pace.concurrency, pace.hours.name if pace.hours else False)
            for host, pace in self.paces.items()
        ]
        return [paces, [(hours.name, spans) for hours, spans in self.hours.items()]]


class RemotePaces:
    """Paces that wait to be told are told in few calls; the server knows no zones, so hours are told as spans of time.

    Kept from the event loop and told from the node's own thread.
    """

    def __init__(self) -> None:
        self._all: dict[str, Politeness] = {}
        self._untold: dict[str, Politeness] = {}
        self._hours: dict[Hours, float] = {}
        self._lock = threading.Lock()

    def keep(self, host: str, pace: Politeness) -> None:
        """To be told."""
        with self._lock:
            self._all[host] = self._untold[host] = pace

    def tell_again(self) -> None:
        """The server may have forgotten everything."""
        with self._lock:
            self._untold = dict(self._all)
            self._hours = dict.fromkeys(self._hours, float("-inf"))

    def news(self, now: float) -> News:
        """Some of what is to be told; empty if the server knows all."""
        with self._lock:
            paces = dict(islice(self._untold.items(), _AT_ONCE))
            wanted = {pace.hours for pace in paces.values() if pace.hours} - self._hours.keys()
            wanted |= {hours for hours, told_at in self._hours.items() if now - told_at > _FRESH_SECONDS}
        return News(paces, {hours: [edge for span in hours.spans(now) for edge in span] for hours in wanted}, now)

    def told(self, news: News) -> None:
        """The server has taken it."""
        with self._lock:
            self._hours.update(dict.fromkeys(news.hours, news.now))
            for host, pace in news.paces.items():
                if self._untold.get(host) == pace:
                    del self._untold[host]
