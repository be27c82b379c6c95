"""Rate limit of log-in attempts. Kept in memory: a restart resets it, which does not help an attacker."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

logger = logging.getLogger(__name__)
MAX_TRIES = 5
WAIT_SECONDS = 300.0
_ADDRESS_TRIES = 30
_USER_TRIES = 100
_MAX_KNOWN = 20_000


@dataclass(slots=True)
class _Count:
    failures: int
    since: float
    is_logged: bool = False


@dataclass(frozen=True, slots=True)
class Throttle:
    """Counts failures by name and address together, by address, and by name.

    A wrong password for one name from one address stops after `MAX_TRIES`; the two wider limits stop attackers who change
    names or addresses. The limit per name is high, so that attackers cannot easily lock a user out.

    Attributes:
        clock: monotonic seconds.
    """

    clock: Callable[[], float]
    _counts: OrderedDict[tuple[str, str], _Count] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def seconds_to_wait(self, user: str, address: str) -> float:
        """Seconds to wait, 0 if an attempt is allowed. The first refusal of a series is logged."""
        with self._lock:
            waits = [self._wait(limit, key, address) for limit, key in _limits(user, address)]
        return max(waits)

    def failed(self, user: str, address: str) -> int:
        """Count a failure; returns the number of attempts left."""
        with self._lock:
            left = [limit - self._add(key) for limit, key in _limits(user, address)]
        return max(0, min(left))

    def succeeded(self, user: str, address: str) -> None:
        with self._lock:
            self._counts.pop((user, address), None)

    def _wait(self, limit: int, key: tuple[str, str], address: str) -> float:
        count = self._counts.get(key)
        left = count.since + WAIT_SECONDS - self.clock() if count else 0.0
        if count is None or left <= 0:
            self._counts.pop(key, None)
            return 0.0
        if count.failures < limit:
            return 0.0
        if not count.is_logged:
            count.is_logged = True
            logger.warning("Too many failed log-ins from %s; further ones are refused for %d s", address, left)
        return left

    def _add(self, key: tuple[str, str]) -> int:
        now = self.clock()
        count = self._counts.get(key)
        if count is None or count.since + WAIT_SECONDS <= now:
            count = self._counts[key] = _Count(0, now)
            while len(self._counts) > _MAX_KNOWN:
                self._counts.popitem(last=False)
        count.failures += 1
        return count.failures


def _limits(user: str, address: str) -> tuple[tuple[int, tuple[str, str]], ...]:
    user = user[:60]
    return (MAX_TRIES, (user, address)), (_ADDRESS_TRIES, ("", address)), (_USER_TRIES, (user, ""))
