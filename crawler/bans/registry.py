"""Who must leave which host alone, and until when."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from crawler.meta import Visitor


@dataclass(slots=True)
class _Ban:
    times: int
    until: float


class Cooling:
    """Bans per visitor: each in a row doubles the time, a page that comes through ends the row.

    Args:
        seconds, longest: the first time and the longest.
        clock: monotonic seconds.
    """

    def __init__(self, seconds: float, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._longest, self._clock = seconds, longest, clock
        self._bans: dict[Visitor, _Ban] = {}
        self.tell: Callable[[Visitor, float], None] = lambda visitor, seconds: None
        """Called with each new ban: others may want to know."""

    def ban(self, visitor: Visitor, wait: float | None = None) -> float:
        """Seconds for which the visitor stays away; `wait` is what the host asked for. What was sent before counts once."""
        now, ban = self._clock(), self._bans.setdefault(visitor, _Ban(0, 0.0))
        if ban.until > now:
            return ban.until - now
        ban.times += 1
        seconds = min(self._longest, max(wait or 0.0, self._seconds * 2.0 ** min(ban.times - 1, 30)))
        ban.until = now + seconds
        self.tell(visitor, seconds)
        return seconds

    def adopt(self, visitor: Visitor, seconds: float) -> None:
        """Somebody else with the same identity and proxy was banned for so long."""
        now, ban = self._clock(), self._bans.setdefault(visitor, _Ban(1, 0.0))
        ban.until = max(ban.until, now + seconds)

    def in_force(self) -> dict[Visitor, float]:
        """Each ban with the seconds that are left."""
        now = self._clock()
        return {visitor: ban.until - now for visitor, ban in self._bans.items() if ban.until > now}

    def welcome(self, visitor: Visitor) -> None:
        """A page came through; nothing if that was asked for before the ban."""
        if self._bans and (ban := self._bans.get(visitor)) is not None and ban.until <= self._clock():
            del self._bans[visitor]

    def left(self, visitor: Visitor) -> float:
        """Seconds for which the visitor must stay away; 0 if he may come."""
        ban = self._bans.get(visitor) if self._bans else None
        return max(0.0, ban.until - self._clock()) if ban else 0.0
