"""The embedded frontier: one process, one SQLite file, no server.

Changes gather in one open transaction that is committed every few hundredths of a second. What a kill takes away is
therefore a suffix: a push may be lost only together with the acknowledgement of the page that it came from, so that
page is fetched again.
"""

import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from crawler.config.hours import Politeness
from crawler.frontier.base import (
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    MAX_LOST,
    Accounts,
    DeadRequest,
    Entry,
    FrontierError,
    HostAccount,
    KnownRequest,
    Lease,
    LeasedRequest,
    Node,
)
from crawler.frontier.local.database import DEAD, DELAYED, LEASED, QUEUED, open_database, take_lock
from crawler.frontier.local.host_queue import HostQueue
from crawler.frontier.local.table import HOLDERS_DIED, Request, RequestTable
from crawler.frontier.recent_keys import RecentKeys

COMMIT_SECONDS = 0.05


class SqliteFrontier:
    """The frontier protocol over one SQLite file, for one crawling process at a time.

    Raises:
        FrontierError: another process crawls with this file, or the file cannot be used.
    """

    def __init__(
        self,
        path: str | Path,
        pace: Politeness | None = None,
        *,
        crawl: str = "",
        owner: str = "",
        lease_seconds: float = LEASE_SECONDS,
        clock: Callable[[], float] = time.time,
        exclusive: bool = True,
    ) -> None:
        self.path = Path(path)
        self.lost = ""
        self._owner = owner or f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._lock = take_lock(self.path) if exclusive else None
        try:
            self._database = open_database(self.path, crawl)
        except FrontierError:
            self._unlock()
            raise
        self._table = RequestTable(self._database)
        self._committed_at = time.monotonic()
        self._recent_keys = RecentKeys()
        self._leases = 0
        self._closed = False
        self._hosts = HostQueue(pace or Politeness())
        if exclusive:
            self._table.release_all()  # the lock is ours, so the holders of leases have died
        for host, best, count in self._table.queued_by_host():
            self._hosts.added(host, best, count)

    def begin(self) -> Accounts:
        """See `Frontier.begin`."""
        left = self.accounts()
        if left.done + left.dead and not left.queued + left.leased:
            self.purge()
        return left

    def notify(self, wake: Callable[[], None]) -> None:
        """See `Frontier.notify`; here nothing changes without a call."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`; it holds as long as this object does."""
        self._hosts.set_pace(host, pace)

    def knows(self, key: int) -> bool:
        """See `Frontier.knows`."""
        return self._recent_keys.knows(key)

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `Frontier.push`."""
        self._begin()
        accepted = [self._push(entry) for entry in entries]
        self._commit_if_due()
        return accepted

    def _push(self, entry: Entry) -> bool:
        self._recent_keys.add(entry.key)
        fresh = self._table.mark_seen(entry.key)
        if not entry.payload or not (fresh or entry.again):
            if entry.movable and not fresh:
                self._promote(entry.key, entry.host, entry.priority)
            return False
        self._table.insert(entry)
        self._hosts.added(entry.host, entry.priority)
        return True

    def promote(self, key: int, host: str, priority: int) -> bool:
        """See `Frontier.promote`."""
        self._begin()
        moved = self._promote(key, host, priority)
        self._commit_if_due()
        return moved

    def _promote(self, key: int, host: str, priority: int) -> bool:
        moved = self._table.promote(key, priority)
        if moved:
            self._hosts.added(host, priority, 0)
        return moved

    def pop(self, count: int) -> list[Lease]:
        """See `Frontier.pop`."""
        leases: list[Lease] = []
        now = self._clock()
        self._begin()
        self._queue_due(now)
        while len(leases) < count and (host := self._hosts.next(now)) is not None:
            lease = self._lease(host, now)
            if lease:
                leases.append(lease)
        self._commit_if_due()
        return leases

    def _lease(self, host: str, now: float) -> Lease | None:
        best = self._table.best_two(host)
        if not best:
            self._hosts.removed(host, None)
            return None
        number, _, payload, attempt = best[0]
        self._leases += 1
        owner = f"{self._owner}:{self._leases}"
        self._table.lease(number, owner, now, now + self._lease_seconds)
        self._hosts.popped(host, now, best[1][1] if len(best) > 1 else None)
        return Lease(f"{number}:{attempt + 1}:{owner}", host, payload, attempt + 1)

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`."""
        self._begin()
        count = 0
        for request in map(self._held, tokens):
            if request:
                self._table.finish(request.number)
                self._hosts.released(request.host)
                count += 1
        self._commit_if_due()
        return count

    def give_back(self, tokens: Sequence[str]) -> None:
        """See `Frontier.give_back`."""
        self._begin()
        for request in map(self._held, tokens):
            if request:
                self._hosts.released(request.host)
                self._queue_again(request, request.attempt - 1)
        self._commit_if_due()

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """See `Frontier.fail`."""
        self._begin()
        request = self._held(token)
        dead = request is not None and request.attempt >= MAX_ATTEMPTS
        if request:
            self._hosts.released(request.host)
            self._fail(request, reason, delay)
        self._commit_if_due()
        return dead

    def _fail(self, request: Request, reason: str, delay: float) -> None:
        if request.attempt >= MAX_ATTEMPTS:
            self._table.bury(request.number, reason)
            return
        self._table.set_reason(request.number, reason)
        if delay > 0:
            self._table.delay(request.number, self._clock() + delay)
        else:
            self._queue_again(request, request.attempt)

    def _held(self, token: str) -> Request | None:
        """The request that this lease still holds."""
        number, _, owner = token.split(":", 2)
        return self._table.held(int(number), owner)

    def _queue_again(self, request: Request, attempts: int) -> None:
        self._table.queue_again(request.number, attempts)
        self._hosts.added(request.host, request.priority)

    def _queue_due(self, now: float) -> None:
        """Queue delayed requests whose time has come, and those whose lease has run out."""
        for request in self._table.due(now):
            if request.state == LEASED:
                self._hosts.released(request.host)
            if request.state == LEASED and request.attempt >= MAX_LOST:
                self._table.bury(request.number, HOLDERS_DIED)
            else:
                self._queue_again(request, request.attempt)

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`."""
        now = self._clock()
        self._begin()
        self._queue_due(now)
        self._table.prolong(self._owner, now + self._lease_seconds)
        self.flush()

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`."""
        now = self._clock()
        delayed = self._table.first_delayed()
        waits = (self._hosts.wait_seconds(now), None if delayed is None else max(0.0, delayed - now))
        return min((wait for wait in waits if wait is not None), default=None)

    def seconds_until_open(self) -> float | None:
        """See `Frontier.seconds_until_open`."""
        return self._hosts.seconds_until_open(self._clock())

    def pending(self) -> bool:
        """See `Frontier.pending`."""
        return self._table.has_queued()

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`."""
        queued = self._table.number_in(QUEUED) if self._lock is None else self._hosts.queued()  # a million count slowly
        delayed, leased, dead = (self._table.number_in(state) for state in (DELAYED, LEASED, DEAD))
        return Accounts(queued + delayed, leased, self._table.number_done(), dead)

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`."""
        return self._table.hosts()

    def nodes(self) -> Iterator[Node]:
        """See `ManagedFrontier.nodes`; the holders of leases."""
        return self._table.nodes(self._clock())

    def leased(self) -> Iterator[LeasedRequest]:
        """See `ManagedFrontier.leased`."""
        return self._table.leased()

    def dead(self) -> Iterator[DeadRequest]:
        """See `ManagedFrontier.dead`."""
        return self._table.dead()

    def find(self, key: int, host: str) -> KnownRequest | None:
        """See `ManagedFrontier.find`."""
        return self._table.find(key)

    def requeue(self, host: str = "") -> int:
        """See `ManagedFrontier.requeue`."""
        self._begin()
        requeued = self._table.requeue_dead(host)
        for name, priority in requeued:
            self._hosts.added(name, priority)
        self.flush()
        return len(requeued)

    def purge(self) -> int:
        """See `ManagedFrontier.purge`."""
        self._begin()
        count = self._table.clear()
        self._hosts.clear()
        self._recent_keys = RecentKeys()
        self.flush()
        return count

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._database.execute("BEGIN")

    def _commit_if_due(self) -> None:
        if time.monotonic() - self._committed_at > COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Commit the pending changes."""
        if self._database.in_transaction:
            self._database.execute("COMMIT")
        self._committed_at = time.monotonic()

    def close(self) -> None:
        """See `Frontier.close`."""
        if self._closed:
            return
        self._closed = True
        if self._lock is not None:
            self._begin()
            self._table.release(self._owner)
        self.flush()
        self._database.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
