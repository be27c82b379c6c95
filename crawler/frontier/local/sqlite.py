"""The embedded frontier: one process, one SQLite file, no server.

Changes gather in one open transaction that is committed every few hundredths of a second. What a kill takes away is
therefore a suffix: a push may be lost only together with the acknowledgement of the page that it came from, so that
page is fetched again.
"""

import os
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from crawler.frontier.base import (
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    MAX_LOST,
    Accounts,
    Entry,
    FrontierError,
    Lease,
    Politeness,
)
from crawler.frontier.local.file import DEAD, DELAYED, LEASED, QUEUED, open_database, take_lock
from crawler.frontier.local.turns import HostTurns
from crawler.frontier.local.views import SqliteViews
from crawler.frontier.recent import RecentPushes

COMMIT_SECONDS = 0.05
_DIED_HOLDING = "each process that held it has died"


class SqliteFrontier(SqliteViews):
    """The frontier protocol over one SQLite file, for one crawling process at a time.

    Raises:
        FrontierError: another process crawls with this file, or the file cannot be used.
    """

    def __init__(
        self,
        path: str | Path,
        pace: Politeness | None = None,
        *,
        owner: str = "",
        lease_seconds: float = LEASE_SECONDS,
        clock: Callable[[], float] = time.time,
        exclusive: bool = True,
    ) -> None:
        self.path = Path(path)
        self._owner = owner or f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._lease_seconds = lease_seconds
        self._lock = take_lock(self.path) if exclusive else None
        try:
            super().__init__(open_database(self.path), clock)
        except FrontierError:
            self._unlock()
            raise
        self._committed = time.monotonic()
        self._recent = RecentPushes()
        self._leases = 0
        self._closed = False
        self._turns = HostTurns(pace or Politeness())
        if exclusive:
            self._take_over()
        self._load_turns()

    # -- opening ------------------------------------------------------------------------------------------------

    def _take_over(self) -> None:
        """The lock is ours, so whoever held leases is gone."""
        self._database.execute(
            "UPDATE requests SET owner = '', state = CASE WHEN attempt >= ? THEN ? ELSE ? END, "
            "reason = CASE WHEN attempt >= ? THEN ? ELSE reason END WHERE state = ?",
            (MAX_LOST, DEAD, QUEUED, MAX_LOST, _DIED_HOLDING, LEASED),
        )

    def _load_turns(self) -> None:
        rows = self._database.execute(
            "SELECT host, MAX(priority), COUNT(*) FROM requests WHERE state = ? GROUP BY host", (QUEUED,)
        )
        for host, best, count in rows:
            self._turns.added(host, best, count)

    def begin(self) -> Accounts:
        """See `Frontier.begin`."""
        left = self.accounts()
        if left.done + left.dead and not left.queued + left.leased:
            self.purge()
        return left

    def notify(self, wake: Callable[[], None]) -> None:
        """See `Frontier.notify`; nothing changes here but by calls."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`; it holds as long as this object does."""
        self._turns.set_pace(host, pace)

    # -- the way of a request -------------------------------------------------------------------------------------

    def knows(self, key: int) -> bool:
        """See `Frontier.knows`."""
        return self._recent.knows(key)

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `Frontier.push`."""
        self._begin()
        accepted = [self._push(entry) for entry in entries]
        self._settle()
        return accepted

    def _push(self, entry: Entry) -> bool:
        self._recent.add(entry.key)
        fresh = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?)", (entry.key,)).rowcount > 0
        if not entry.payload or not (fresh or entry.again):
            if entry.movable and not fresh:
                self._move_up(entry.key, entry.host, entry.priority)
            return False
        self._database.execute(
            "INSERT INTO requests (key, host, priority, payload) VALUES (?, ?, ?, ?)",
            (entry.key, entry.host, entry.priority, entry.payload),
        )
        self._turns.added(entry.host, entry.priority)
        return True

    def promote(self, key: int, host: str, priority: int) -> bool:
        """See `Frontier.promote`."""
        self._begin()
        moved = self._move_up(key, host, priority)
        self._settle()
        return moved

    def _move_up(self, key: int, host: str, priority: int) -> bool:
        row = self._database.execute(
            f"UPDATE requests SET priority = ? WHERE key = ? AND state = {QUEUED} AND priority < ? RETURNING 1",
            (priority, key, priority),
        ).fetchone()
        if row:
            self._turns.added(host, priority, 0)
        return row is not None

    def pop(self, count: int) -> list[Lease]:
        """See `Frontier.pop`."""
        leases: list[Lease] = []
        now = self._clock()
        self._begin()
        self._wake(now)
        while len(leases) < count and (host := self._turns.next(now)) is not None:
            lease = self._lease(host, now)
            if lease:
                leases.append(lease)
        self._settle()
        return leases

    def _lease(self, host: str, now: float) -> Lease | None:
        best = self._database.execute(
            f"SELECT id, priority, payload, attempt FROM requests WHERE host = ? AND state = {QUEUED} "
            "ORDER BY priority DESC, id LIMIT 2",
            (host,),
        ).fetchall()
        if not best:
            self._turns.removed(host, None)
            return None
        number, _, payload, attempt = best[0]
        self._leases += 1
        owner = f"{self._owner}:{self._leases}"
        self._database.execute(
            "UPDATE requests SET state = ?, attempt = attempt + 1, owner = ?, since = ?, due = ? WHERE id = ?",
            (LEASED, owner, now, now + self._lease_seconds, number),
        )
        self._turns.popped(host, now, best[1][1] if len(best) > 1 else None)
        return Lease(f"{number}:{attempt + 1}:{owner}", host, payload, attempt + 1)

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`."""
        self._begin()
        held = 0
        for token in tokens:
            row = self._held(token)
            if row:
                self._database.execute("DELETE FROM requests WHERE id = ?", (row[0],))
                self._turns.released(row[1])
                held += 1
        self._count("done", held)
        self._settle()
        return held

    def give_back(self, tokens: Sequence[str]) -> None:
        """See `Frontier.give_back`."""
        self._begin()
        for token in tokens:
            row = self._held(token)
            if row:
                self._queue_again(row[0], row[1], row[2], attempts=row[3] - 1)
        self._settle()

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """See `Frontier.fail`."""
        self._begin()
        row = self._held(token)
        dead = row is not None and row[3] >= MAX_ATTEMPTS
        if row and dead:
            self._bury(row[0], reason)
            self._turns.released(row[1])
        elif row:
            self._database.execute("UPDATE requests SET reason = ? WHERE id = ?", (reason, row[0]))
            self._queue_again(row[0], row[1], row[2], attempts=row[3], delay=delay)
        self._settle()
        return dead

    def _held(self, token: str) -> tuple[int, str, int, int] | None:
        """(id, host, priority, attempt) of the request that this lease still holds."""
        number, _, rest = token.partition(":")
        _, _, owner = rest.partition(":")
        row: tuple[int, str, int, int] | None = self._database.execute(
            f"SELECT id, host, priority, attempt FROM requests WHERE id = ? AND state = {LEASED} AND owner = ?",
            (int(number), owner),
        ).fetchone()
        return row

    def _queue_again(self, number: int, host: str, priority: int, *, attempts: int, delay: float = 0.0) -> None:
        state = DELAYED if delay > 0 else QUEUED
        self._database.execute(
            "UPDATE requests SET state = ?, attempt = ?, owner = '', due = ? WHERE id = ?",
            (state, attempts, self._clock() + delay, number),
        )
        self._turns.released(host)
        if state == QUEUED:
            self._turns.added(host, priority)

    def _wake(self, now: float) -> None:
        """Queue what has waited long enough after a failure, and what a holder has kept longer than its lease."""
        due = self._database.execute(
            f"SELECT id, host, priority, state, attempt FROM requests WHERE state IN ({LEASED}, {DELAYED}) AND due <= ?",
            (now,),
        ).fetchall()
        for number, host, priority, state, attempt in due:
            if state == LEASED:
                self._turns.released(host)
            if state == LEASED and attempt >= MAX_LOST:
                self._bury(number, _DIED_HOLDING)
            else:
                self._database.execute("UPDATE requests SET state = ?, owner = '' WHERE id = ?", (QUEUED, number))
                self._turns.added(host, priority)

    def _bury(self, number: int, reason: str) -> None:
        self._database.execute("UPDATE requests SET state = ?, reason = ? WHERE id = ?", (DEAD, reason, number))

    def _number_in(self, state: int) -> int:
        if state == QUEUED and self._lock is not None:
            return self._turns.queued()  # a million of them take long to count
        return super()._number_in(state)

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`."""
        now = self._clock()
        self._begin()
        self._wake(now)
        self._database.execute(
            "UPDATE requests SET due = ? WHERE state = ? AND owner LIKE ? || ':%'",
            (now + self._lease_seconds, LEASED, self._owner),
        )
        self.flush()

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`."""
        now = self._clock()
        by_host = self._turns.wait_seconds(now)
        due = self._database.execute(f"SELECT MIN(due) FROM requests WHERE state = {DELAYED}").fetchone()[0]
        by_delay = None if due is None else max(0.0, due - now)
        waits = [wait for wait in (by_host, by_delay) if wait is not None]
        return min(waits, default=None)

    def asleep_seconds(self) -> float | None:
        """See `Frontier.asleep_seconds`."""
        return self._turns.asleep_seconds(self._clock())

    def pending(self) -> bool:
        """See `Frontier.pending`."""
        found = self._database.execute(
            f"SELECT EXISTS (SELECT 1 FROM requests WHERE state = {QUEUED}) "
            f"OR EXISTS (SELECT 1 FROM requests WHERE state = {DELAYED})"
        )
        return bool(found.fetchone()[0])

    def requeue(self, host: str = "") -> int:
        """See `Frontier.requeue`."""
        self._begin()
        rows = self._database.execute(
            "UPDATE requests SET state = ?, attempt = 0 WHERE state = ? AND (host = ? OR ? = '') RETURNING host, priority",
            (QUEUED, DEAD, host, host),
        ).fetchall()
        for name, priority in rows:
            self._turns.added(name, priority)
        self.flush()
        return len(rows)

    def purge(self) -> int:
        """See `Frontier.purge`."""
        self._begin()
        count = self._database.execute("DELETE FROM requests").rowcount
        self._database.execute("DELETE FROM seen")
        self._database.execute("DELETE FROM counters")
        self._turns.forget()
        self._recent = RecentPushes()
        self.flush()
        return count

    # -- durability -----------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        if not self._database.in_transaction:
            self._database.execute("BEGIN")

    def _settle(self) -> None:
        if time.monotonic() - self._committed > COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Commit what has gathered."""
        if self._database.in_transaction:
            self._database.execute("COMMIT")
        self._committed = time.monotonic()

    def _count(self, name: str, by: int) -> None:
        self._database.execute(
            "INSERT INTO counters VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            (name, by),
        )

    def close(self) -> None:
        """See `Frontier.close`."""
        if self._closed:
            return
        self._closed = True
        if self._lock is not None:
            self._begin()
            self._database.execute(
                "UPDATE requests SET state = ?, owner = '', attempt = MAX(0, attempt - 1) WHERE state = ? AND owner LIKE ? || ':%'",
                (QUEUED, LEASED, self._owner),
            )
        self.flush()
        self._database.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
