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
        tries, address_tries, user_tries: within five minutes, of one name from one address, of one address, of one name.
        what: they are, for the log.
    """

    clock: Callable[[], float]
    tries: int = MAX_TRIES
    address_tries: int = _ADDRESS_TRIES
    user_tries: int = _USER_TRIES
    what: str = "failed log-ins"
    _counts: OrderedDict[tuple[str, str], _Count] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def admit(self, user: str, address: str) -> float:
        """Seconds to wait, 0 if an attempt may be made; it counts as failed until `succeeded`, so that attempts at once count too.

        The first refusal of a series is logged.
        """
        with self._lock:
            limits = self._limits(user, address)
            wait = max(self._wait(limit, key, address) for limit, key in limits)
            if wait <= 0:
                for _, key in limits:
                    self._add(key)
        return wait

    def tries_left(self, user: str, address: str) -> int:
        """Further attempts that would be admitted."""
        with self._lock:
            return max(0, min(limit - self._failures(key) for limit, key in self._limits(user, address)))

    def succeeded(self, user: str, address: str) -> None:
        """The admitted attempt was right: it counts nowhere, and earlier ones of this name from this address are forgotten."""
        with self._lock:
            (_, own), *wider = self._limits(user, address)
            self._counts.pop(own, None)
            for _, key in wider:
                if count := self._counts.get(key):
                    count.failures = max(0, count.failures - 1)

    def _limits(self, user: str, address: str) -> tuple[tuple[int, tuple[str, str]], ...]:
        user = user[:60]
        return (self.tries, (user, address)), (self.address_tries, ("", address)), (self.user_tries, (user, ""))

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
            logger.warning("Too many %s from %s; further ones are refused for %d s", self.what, address, left)
        return left

    def _add(self, key: tuple[str, str]) -> None:
        now = self.clock()
        count = self._counts.get(key)
        if count is None or count.since + WAIT_SECONDS <= now:
            count = self._counts[key] = _Count(0, now)
            while len(self._counts) > _MAX_KNOWN:
                self._counts.popitem(last=False)
        count.failures += 1

    def _failures(self, key: tuple[str, str]) -> int:
        count = self._counts.get(key)
        return count.failures if count and count.since + WAIT_SECONDS > self.clock() else 0
