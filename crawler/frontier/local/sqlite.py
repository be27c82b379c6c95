"""The embedded frontier: one process, one SQLite file, no server.

Changes are batched in one open transaction that is committed every few hundredths of a second. A kill therefore loses only a
suffix: a push is lost only together with the acknowledgement of its page, which is then fetched again. A full disk loses
nothing: see `crawler.frontier.local.journal`.
"""

import logging
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from crawler.clock import crawl_seconds, wait_time
from crawler.config.hours import Politeness
from crawler.frontier.base import (
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    Accounts,
    DeadRequest,
    FrontierError,
    HostAccount,
    KnownRequest,
    LeasedRequest,
    Node,
    QueueEntry,
    RequestLease,
)
from crawler.frontier.local.database import explained, open_database, take_lock
from crawler.frontier.local.failed import FailedTable
from crawler.frontier.local.host_queue import HostQueue
from crawler.frontier.local.journal import RETRY_SECONDS, Journal
from crawler.frontier.local.leases import Leases
from crawler.frontier.local.request_counts import RequestCounts
from crawler.frontier.local.request_queue import RequestQueue
from crawler.frontier.local.schema import DEAD, DELAYED, DONE, QUEUED
from crawler.frontier.local.table import RequestTable
from crawler.frontier.local.views import RequestViews
from crawler.frontier.recent_keys import RecentKeys

logger = logging.getLogger(__name__)
_Row = TypeVar("_Row")


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
        clock: Callable[[], float] = wait_time,
        exclusive: bool = True,
    ) -> None:
        self.path = Path(path)
        self.lost = ""
        self._owner = owner or f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._lease_seconds = crawl_seconds(lease_seconds)
        self._clock = clock
        self._recent_keys = RecentKeys()
        self._closed = False
        self._wake: Callable[[], None] = lambda: None
        self._hosts = HostQueue(pace or Politeness())
        self._lock = take_lock(self.path) if exclusive else None
        try:
            self._open(crawl, exclusive=exclusive)
        except FrontierError:
            self._unlock()
            raise
        except sqlite3.Error as error:
            self._unlock()
            raise FrontierError(explained(error, self.path)) from error
        self._journal = Journal(self._database, self.path, self._write, self._forget_changes, self._reload)

    def _open(self, crawl: str, *, exclusive: bool) -> None:
        self._database = open_database(self.path, crawl)
        self._counts = RequestCounts(self._database)
        self._table = RequestTable(self._database, self._counts)
        self._leases = Leases(self._database)
        self._failed = FailedTable(self._database, self._counts)
        self._views = RequestViews(self._database, self._table)
        self._queue = RequestQueue(
            self._table, self._leases, self._failed, self._hosts, self._owner, self._lease_seconds, self._clock
        )
        if exclusive:
            self._release_all()
        self._hosts.load(self._table.queued_by_host())
        self._queue.reload()

    def _release_all(self) -> None:
        """Recover all leases: we have the lock, so their holders have died."""
        self._database.execute("BEGIN")
        self._queue.release_all(self._clock())
        self._write()
        self._database.execute("COMMIT")

    def _write(self) -> None:
        """Write the changes that are kept in memory between commits."""
        self._table.write()
        self._leases.write()

    def _forget_changes(self) -> None:
        self._table.forget_changes()
        self._leases.forget_changes()

    @property
    def fault(self) -> str:
        return self._journal.fault

    @property
    def away(self) -> str:
        return self._journal.error

    def _reload(self) -> None:
        """Recount the hosts' queued and leased requests after a replay of changes."""
        active = [(self._table.host_name(host), number) for host, number in self._leases.number_by_host()]
        self._hosts.load(self._table.queued_by_host(), active)
        self._queue.reload()
        self._wake()

    def begin(self) -> Accounts:
        left = self.accounts()
        if left.done + left.dead and not left.queued + left.leased:
            self.purge()
        return left

    def notify(self, wake: Callable[[], None]) -> None:
        """See `Frontier.notify`; called when a full disk has space again."""
        self._wake = wake

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`; not stored in the file."""
        self._hosts.set_pace(host, pace)

    def knows(self, key: int) -> bool:
        return self._recent_keys.knows(key)

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        accepted = [entry.again or not self._recent_keys.knows(entry.key) for entry in entries]
        for entry in entries:
            self._recent_keys.add(entry.key)
        numbered = self._queue.numbered(entries)
        return self._journal.make(lambda: [self._queue.push(*each) for each in numbered], accepted)

    def promote(self, key: int, host: str, priority: int) -> bool:
        return self._journal.make(lambda: self._queue.promote(key, host, priority), True)

    def pop(self, count: int) -> list[RequestLease]:
        now = self._clock()
        none: list[RequestLease] = []
        leases = self._journal.attempt(lambda: self._queue.pop(count, now), none)
        self._journal.remember(*(partial(self._queue.lease_again, lease, now) for lease in leases))
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        return self._journal.make(lambda: sum(map(self._queue.ack, tokens)), len(tokens))

    def give_back(self, tokens: Sequence[str]) -> None:
        self._journal.make(lambda: self._queue.give_back(tokens), None)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        attempt = int(token.split(":", 2)[1])
        return self._journal.make(lambda: self._queue.fail(token, reason, delay), attempt >= MAX_ATTEMPTS)

    def heartbeat(self) -> None:
        now = self._clock()
        self._journal.attempt(lambda: self._leases.prolong(now + self._lease_seconds), None)
        self._journal.attempt(lambda: self._queue.queue_due(now), None)
        self.flush()
        if not self._database.in_transaction:
            with suppress(sqlite3.Error):
                self._table.give_room_back()

    def wait_seconds(self) -> float | None:
        if self._journal.away:
            return RETRY_SECONDS
        now = self._clock()
        delayed = self._journal.read(self._failed.first_delayed, None)
        waits = (self._hosts.wait_seconds(now), None if delayed is None else max(0.0, delayed - now))
        return min((wait for wait in waits if wait is not None), default=None)

    def seconds_until_open(self) -> float | None:
        return self._hosts.seconds_until_open(self._clock())

    def pending(self) -> bool:
        return self._journal.read(lambda: self._number_queued() > 0, True)

    def accounts(self) -> Accounts:
        return self._journal.read(self._counted, Accounts(self._hosts.queued, 0, 0, 0))

    def _counted(self) -> Accounts:
        done, dead = self._counts.number_in(DONE), self._counts.number_in(DEAD)
        leased = self._views.number_leased() if self._lock is None else len(self._leases)
        return Accounts(self._number_queued(), leased, done, dead)

    def _number_queued(self) -> int:
        """The number of queued and delayed requests: from memory in the crawling process, from the file in others."""
        queued = self._counts.number_in(QUEUED) if self._lock is None else self._hosts.queued
        return queued + self._counts.number_in(DELAYED)

    def hosts(self) -> Iterator[HostAccount]:
        return self._listed(self._views.hosts)

    def nodes(self) -> Iterator[Node]:
        """See `ManagedFrontier.nodes`; the holders of leases."""
        return self._listed(lambda: self._views.nodes(self._clock()))

    def leased(self) -> Iterator[LeasedRequest]:
        return self._listed(self._views.leased)

    def dead(self) -> Iterator[DeadRequest]:
        return self._listed(self._views.dead)

    def _listed(self, query: Callable[[], Iterator[_Row]]) -> Iterator[_Row]:
        """The current rows. Raises FrontierError if the file cannot be read."""
        self.flush()
        try:
            yield from query()
        except sqlite3.Error as error:
            raise FrontierError(explained(error, self.path)) from error

    def find(self, key: int, host: str) -> KnownRequest | None:
        return next(self._listed(lambda: iter([self._views.find(key)])))

    def requeue(self, host: str = "") -> int:
        count = self._journal.make(lambda: self._queue.requeue(host), 0)
        self._flush_or_raise()
        return count

    def purge(self) -> int:
        count = self._journal.make(self._clear, 0)
        self._hosts.clear()
        self._queue.reload()
        self._recent_keys = RecentKeys()
        self._flush_or_raise()
        return count

    def _clear(self) -> int:
        accounts = self._counted()
        self._table.clear()
        self._leases.forget_changes()
        return accounts.enqueued - accounts.done

    def _flush_or_raise(self) -> None:
        self.flush()
        if self._journal.away:
            raise FrontierError(self._journal.error)

    def flush(self) -> None:
        self._journal.flush()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._lock is not None:
            self._journal.make(self._queue.release, None)
        self._journal.flush(at_once=True)
        if self._journal.away:
            logger.warning("The frontier could not be written at the end; the next run fetches the last pages again")
        self._database.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
