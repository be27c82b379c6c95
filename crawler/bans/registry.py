"""Bans: which visitor may not ask which host, and until when."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from crawler.meta import Visitor


@dataclass(slots=True)
class _Ban:
    in_row: int
    until: float


class BanRegistry:
    """Bans by visitor. Each consecutive ban doubles the backoff; a page resets it.

    Args:
        backoff: seconds of the first ban.
        max_backoff: the longest ban in seconds.
        on_ban: called with the visitor and the seconds of each new ban.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        backoff: float,
        max_backoff: float = 3_600.0,
        on_ban: Callable[[Visitor, float], None] = lambda visitor, seconds: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backoff, self._max_backoff, self._clock = backoff, max_backoff, clock
        self._bans: dict[Visitor, _Ban] = {}
        self.on_ban = on_ban

    def ban(self, visitor: Visitor, wait: float | None = None) -> float:
        """Record that a host refused a visitor; returns the seconds of the ban.

        Args:
            wait: seconds that the host asked for. A refusal during a ban changes nothing: its request was sent before.
        """
        now, ban = self._clock(), self._bans.setdefault(visitor, _Ban(0, 0.0))
        if ban.until > now:
            return ban.until - now
        ban.in_row += 1
        seconds = min(self._max_backoff, max(wait or 0.0, self._backoff * 2.0 ** min(ban.in_row - 1, 30)))
        ban.until = now + seconds
        self.on_ban(visitor, seconds)
        return seconds

    def merge(self, visitor: Visitor, seconds: float) -> None:
        """Record that another node was banned with the same identity and proxy, for another `seconds`."""
        now, ban = self._clock(), self._bans.setdefault(visitor, _Ban(1, 0.0))
        ban.until = max(ban.until, now + seconds)

    def clear(self, visitor: Visitor) -> None:
        """Record that the host answered with a page. During a ban nothing changes: the request was sent before it."""
        if self._bans and (ban := self._bans.get(visitor)) is not None and ban.until <= self._clock():
            del self._bans[visitor]

    def active(self) -> dict[Visitor, float]:
        now = self._clock()
        return {visitor: ban.until - now for visitor, ban in self._bans.items() if ban.until > now}

    def seconds_left(self, visitor: Visitor) -> float:
        """Seconds until the visitor's ban ends; 0 without a ban."""
        ban = self._bans.get(visitor) if self._bans else None
        return max(0.0, ban.until - self._clock()) if ban else 0.0
