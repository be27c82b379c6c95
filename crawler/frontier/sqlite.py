"""The embedded frontier: one process, one SQLite file, no server.

Changes gather in one open transaction that is committed every few hundredths of a second. What a kill takes away is
therefore a suffix: a push may be lost only together with the acknowledgement of the page that it came from, so that
page is fetched again.
"""

import fcntl
import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from crawler.frontier.base import (
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    MAX_LOST,
    Accounts,
    DeadRequest,
    Entry,
    FrontierError,
    HostAccount,
    Lease,
    LeasedRequest,
    Node,
    Politeness,
)
from crawler.frontier.recent import RecentPushes
from crawler.frontier.turns import HostTurns

COMMIT_SECONDS = 0.05
_SCHEMA_VERSION = 1
_DIED_HOLDING = "each process that held it has died"
_QUEUED, _LEASED, _DEAD, _DELAYED = range(4)
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, host TEXT NOT NULL, priority INTEGER NOT NULL,
    payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT {_QUEUED}, attempt INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', since REAL NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC, id) WHERE state = {_QUEUED};
CREATE INDEX IF NOT EXISTS due ON requests (state, due) WHERE state IN ({_LEASED}, {_DELAYED});
CREATE INDEX IF NOT EXISTS dead ON requests (host) WHERE state = {_DEAD};
CREATE TABLE IF NOT EXISTS seen (key INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
"""


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
        owner: str = "",
        lease_seconds: float = LEASE_SECONDS,
        clock: Callable[[], float] = time.time,
        exclusive: bool = True,
    ) -> None:
        self.path = Path(path)
        self._owner = owner or f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._lock = self._take_lock() if exclusive else None
        try:
            self._database = self._open()
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

    def _take_lock(self) -> IO[str]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = open(f"{self.path}.lock", "w", encoding="ascii")  # noqa: SIM115  # held as long as the frontier is open
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise FrontierError(
                f"Another process is crawling with {self.path}. Wait for it, stop it, or give this crawl a name of "
                "its own with -a crawl=NAME."
            ) from error
        return lock

    def _open(self) -> sqlite3.Connection:
        try:
            database = sqlite3.connect(self.path, isolation_level=None, timeout=10)
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("PRAGMA cache_size = -8000")
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version > _SCHEMA_VERSION:
                raise FrontierError(f"{self.path} was written by a newer topicrawl. Update, or remove the file.")
            database.executescript(_SCHEMA)
            if version < _SCHEMA_VERSION:
                database.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        except sqlite3.Error as error:
            raise FrontierError(
                f"The frontier {self.path} cannot be opened: {error}. Check that the disk has room and that the "
                "folder can be written; remove the file to start afresh."
            ) from error
        return database

    def _take_over(self) -> None:
        """The lock is ours, so whoever held leases is gone."""
        self._database.execute(
            "UPDATE requests SET owner = '', state = CASE WHEN attempt >= ? THEN ? ELSE ? END, "
            "reason = CASE WHEN attempt >= ? THEN ? ELSE reason END WHERE state = ?",
            (MAX_LOST, _DEAD, _QUEUED, MAX_LOST, _DIED_HOLDING, _LEASED),
        )

    def _load_turns(self) -> None:
        rows = self._database.execute(
            "SELECT host, MAX(priority), COUNT(*) FROM requests WHERE state = ? GROUP BY host", (_QUEUED,)
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
        if not fresh and not entry.again:
            return False
        self._database.execute(
            "INSERT INTO requests (key, host, priority, payload) VALUES (?, ?, ?, ?)",
            (entry.key, entry.host, entry.priority, entry.payload),
        )
        self._turns.added(entry.host, entry.priority)
        return True

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
            f"SELECT id, priority, payload, attempt FROM requests WHERE host = ? AND state = {_QUEUED} "
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
            (_LEASED, owner, now, now + self._lease_seconds, number),
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
            f"SELECT id, host, priority, attempt FROM requests WHERE id = ? AND state = {_LEASED} AND owner = ?",
            (int(number), owner),
        ).fetchone()
        return row

    def _queue_again(self, number: int, host: str, priority: int, *, attempts: int, delay: float = 0.0) -> None:
        state = _DELAYED if delay > 0 else _QUEUED
        self._database.execute(
            "UPDATE requests SET state = ?, attempt = ?, owner = '', due = ? WHERE id = ?",
            (state, attempts, self._clock() + delay, number),
        )
        self._turns.released(host)
        if state == _QUEUED:
            self._turns.added(host, priority)

    def _wake(self, now: float) -> None:
        """Queue what has waited long enough after a failure, and what a holder has kept longer than its lease."""
        due = self._database.execute(
            f"SELECT id, host, priority, state, attempt FROM requests WHERE state IN ({_LEASED}, {_DELAYED}) AND due <= ?",
            (now,),
        ).fetchall()
        for number, host, priority, state, attempt in due:
            if state == _LEASED:
                self._turns.released(host)
            if state == _LEASED and attempt >= MAX_LOST:
                self._bury(number, _DIED_HOLDING)
            else:
                self._database.execute("UPDATE requests SET state = ?, owner = '' WHERE id = ?", (_QUEUED, number))
                self._turns.added(host, priority)

    def _bury(self, number: int, reason: str) -> None:
        self._database.execute("UPDATE requests SET state = ?, reason = ? WHERE id = ?", (_DEAD, reason, number))

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`."""
        now = self._clock()
        self._begin()
        self._wake(now)
        self._database.execute(
            "UPDATE requests SET due = ? WHERE state = ? AND owner LIKE ? || ':%'",
            (now + self._lease_seconds, _LEASED, self._owner),
        )
        self.flush()

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`."""
        now = self._clock()
        by_host = self._turns.wait_seconds(now)
        due = self._database.execute(f"SELECT MIN(due) FROM requests WHERE state = {_DELAYED}").fetchone()[0]
        by_delay = None if due is None else max(0.0, due - now)
        waits = [wait for wait in (by_host, by_delay) if wait is not None]
        return min(waits, default=None)

    def pending(self) -> bool:
        """See `Frontier.pending`."""
        found = self._database.execute(
            f"SELECT EXISTS (SELECT 1 FROM requests WHERE state = {_QUEUED}) "
            f"OR EXISTS (SELECT 1 FROM requests WHERE state = {_DELAYED})"
        )
        return bool(found.fetchone()[0])

    # -- accounts -------------------------------------------------------------------------------------------------

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`."""
        rows = dict(self._database.execute("SELECT state, COUNT(*) FROM requests GROUP BY state").fetchall())
        return Accounts(
            rows.get(_QUEUED, 0) + rows.get(_DELAYED, 0),
            rows.get(_LEASED, 0),
            self._counter("done"),
            rows.get(_DEAD, 0),
        )

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`."""
        rows = self._database.execute(
            "SELECT host, SUM(state IN (?, ?)), SUM(state = ?), SUM(state = ?) FROM requests GROUP BY host ORDER BY 2 DESC",
            (_QUEUED, _DELAYED, _LEASED, _DEAD),
        )
        return (HostAccount(*row) for row in rows)

    def nodes(self) -> Iterator[Node]:
        """See `Frontier.nodes`; whoever holds leases, with the time of the next of them."""
        rows = self._database.execute(
            "SELECT substr(owner, 1, instr(owner, ':') - 1) AS node, COUNT(*), MIN(due) FROM requests "
            f"WHERE state = {_LEASED} GROUP BY node"
        )
        return (Node(owner, leased, due - self._clock()) for owner, leased, due in rows)

    def leased(self) -> Iterator[LeasedRequest]:
        """See `Frontier.leased`."""
        rows = self._database.execute("SELECT host, payload, owner, since FROM requests WHERE state = ?", (_LEASED,))
        return (LeasedRequest(*row) for row in rows)

    def dead(self) -> Iterator[DeadRequest]:
        """See `Frontier.dead`."""
        rows = self._database.execute(
            "SELECT key, host, payload, attempt, reason FROM requests WHERE state = ? ORDER BY id", (_DEAD,)
        )
        return (DeadRequest(*row) for row in rows)

    def requeue(self, host: str = "") -> int:
        """See `Frontier.requeue`."""
        self._begin()
        rows = self._database.execute(
            "UPDATE requests SET state = ?, attempt = 0 WHERE state = ? AND (host = ? OR ? = '') RETURNING host, priority",
            (_QUEUED, _DEAD, host, host),
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
        self._turns = HostTurns(self._turns.pace)
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

    def _counter(self, name: str) -> int:
        row = self._database.execute("SELECT value FROM counters WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

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
                (_QUEUED, _LEASED, self._owner),
            )
        self.flush()
        self._database.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
