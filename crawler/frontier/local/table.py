"""The embedded frontier's requests in SQL: single steps, without transactions and without hosts' turns."""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from crawler.frontier.base import MAX_LOST, Entry
from crawler.frontier.local.schema import DEAD, DELAYED, LEASED, QUEUED, REQUESTS

HOLDERS_DIED = "each process that held it has died"
_NUMBER_IN = {
    QUEUED: "SELECT COALESCE(SUM(queued), 0) FROM hosts",
    LEASED: f"SELECT COUNT(*) FROM requests WHERE state = {LEASED}",
    DEAD: "SELECT value FROM counters WHERE name = 'dead'",
    DELAYED: "SELECT value FROM counters WHERE name = 'delayed'",
}
_SEEN_NEXT = "INSERT OR IGNORE INTO seen (key, request) VALUES (?, (SELECT COALESCE(MAX(id), 0) + 1 FROM requests))"
"""SQLite gives a row the number after the highest."""
_LEASE = (
    f"UPDATE requests SET state = {LEASED}, attempt = attempt + 1, owner = ?, since = ?, due = ? WHERE id = ? "
    "RETURNING payload, attempt"
)
_MIN_FREE_PAGES = 2_000
_MAX_FREE_SHARE = 0.25
_VACUUM_PAGES = 200


class Request(NamedTuple):
    """A row, as far as its way through the states needs it."""

    number: int
    host: str
    priority: int
    attempt: int
    state: int


class RequestTable:
    """What is queued, under way, delayed and dead, which keys were seen, and how many requests are done.

    A state that is written into a statement, not bound to it, lets SQLite use the index of that state alone.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._host_numbers: dict[str, int] = {}
        self._host_names: dict[int, str] = {}

    def forget_changes(self) -> None:
        """A transaction was rolled back: hosts that it brought are not in the file."""
        self._host_numbers.clear()
        self._host_names.clear()

    def mark_seen(self, key: int) -> bool:
        """Whether the key is new."""
        return self._database.execute("INSERT OR IGNORE INTO seen (key) VALUES (?)", (key,)).rowcount > 0

    def mark_queued(self, key: int) -> bool:
        """Whether the key is new; then it names the request that `insert` queues next."""
        return self._database.execute(_SEEN_NEXT, (key,)).rowcount > 0

    def insert(self, entry: Entry, *, is_named: bool) -> None:
        """Queue it; `is_named` after `mark_queued` has let it in."""
        number = self._database.execute(
            "INSERT INTO requests (key, host, priority, payload) VALUES (?, ?, ?, ?)",
            (entry.key, self._host_number(entry.host), entry.priority, entry.payload),
        ).lastrowid
        if not is_named:
            self._database.execute("UPDATE seen SET request = ? WHERE key = ?", (number, entry.key))

    def promote(self, key: int, priority: int) -> bool:
        """Raise a queued request to this priority; False if there is none with a lower one."""
        row = self._database.execute(
            "UPDATE requests SET priority = ? WHERE id = (SELECT request FROM seen WHERE key = ?) "
            f"AND key = ? AND state = {QUEUED} AND priority < ? RETURNING 1",
            (priority, key, key, priority),
        ).fetchone()
        return row is not None

    def best_two(self, host: str) -> list[tuple[int, int]]:
        """Number and priority of the host's next request, and of the one after it; read from the index alone."""
        return self._database.execute(
            f"SELECT id, priority FROM requests WHERE host = ? AND state = {QUEUED} ORDER BY priority DESC, id LIMIT 2",
            (self._host_number(host),),
        ).fetchall()

    def lease(self, number: int, owner: str, since: float, until: float) -> tuple[bytes, int] | None:
        """The request is under way, one attempt more: its payload and attempts; None if there is none."""
        row: tuple[bytes, int] | None = self._database.execute(_LEASE, (owner, since, until, number)).fetchone()
        return row

    def held(self, number: int, owner: str) -> Request | None:
        """The request, if it is under way at this owner."""
        row = self._database.execute(
            "SELECT r.id, h.name, priority, attempt, state FROM requests r JOIN hosts h ON h.id = r.host "
            f"WHERE r.id = ? AND state = {LEASED} AND owner = ?",
            (number, owner),
        ).fetchone()
        return Request(*row) if row else None

    def finish(self, number: int, owner: str) -> str | None:
        """Done: only its key stays. The host; None if the request is not under way at this owner."""
        row = self._database.execute(
            f"DELETE FROM requests WHERE id = ? AND state = {LEASED} AND owner = ? RETURNING host", (number, owner)
        ).fetchone()
        return None if row is None else self._host_name(row[0])

    def queue_again(self, number: int, attempts: int) -> None:
        """Queued, with this number of attempts."""
        self._database.execute(
            "UPDATE requests SET state = ?, attempt = ?, owner = '' WHERE id = ?", (QUEUED, attempts, number)
        )

    def delay(self, number: int, due: float) -> None:
        """It waits until that time for its next attempt."""
        self._database.execute(
            "UPDATE requests SET state = ?, owner = '', due = ? WHERE id = ?", (DELAYED, due, number)
        )

    def set_reason(self, number: int, reason: str) -> None:
        """Why its last attempt failed."""
        self._database.execute("UPDATE requests SET reason = ? WHERE id = ?", (reason, number))

    def bury(self, number: int, reason: str) -> None:
        """Given up."""
        self._database.execute("UPDATE requests SET state = ?, reason = ? WHERE id = ?", (DEAD, reason, number))

    def due(self, now: float) -> list[Request]:
        """Delayed requests whose time has come, and leases that have run out."""
        rows = self._database.execute(
            " UNION ALL ".join(
                "SELECT r.id, h.name, priority, attempt, state FROM requests r JOIN hosts h ON h.id = r.host "
                f"WHERE state = {state} AND due <= ?1"
                for state in (LEASED, DELAYED)
            ),
            (now,),
        )
        return [Request(*row) for row in rows.fetchall()]

    def first_delayed(self) -> float | None:
        """When the first delayed request is due."""
        return self._first(DELAYED)

    def first_due(self) -> float | None:
        """When the first delayed request is due or the first lease runs out."""
        return min((due for due in (self._first(DELAYED), self._first(LEASED)) if due is not None), default=None)

    def _first(self, state: int) -> float | None:
        found: float | None = self._database.execute(f"SELECT MIN(due) FROM requests WHERE state = {state}").fetchone()[
            0
        ]
        return found

    def queued_by_host(self) -> Iterator[tuple[str, int, int]]:
        """Host, highest priority, number of requests."""
        return self._database.execute(
            f"SELECT name, (SELECT priority FROM requests WHERE host = hosts.id AND state = {QUEUED} "
            "ORDER BY priority DESC LIMIT 1), queued FROM hosts WHERE queued > 0"
        )

    def number_by_host(self, state: int) -> Iterator[tuple[str, int]]:
        """Host, number of its requests in a state other than queued."""
        return self._database.execute(
            f"SELECT name, COUNT(*) FROM requests r JOIN hosts h ON h.id = r.host WHERE state = {state} GROUP BY r.host"
        )

    def number_in(self, state: int) -> int:
        """How many requests are in this state."""
        return int(self._database.execute(_NUMBER_IN[state]).fetchone()[0])

    def number_done(self) -> int:
        """How many requests are done."""
        return int(self._database.execute("SELECT value FROM counters WHERE name = 'done'").fetchone()[0])

    # -- all requests of an owner ----------------------------------------------------------------------------------

    def prolong(self, owner: str, until: float) -> None:
        """This process's leases."""
        self._database.execute(
            f"UPDATE requests SET due = ? WHERE state = {LEASED} AND owner LIKE ? || ':%'", (until, owner)
        )

    def release(self, owner: str) -> None:
        """This process gives back its leases."""
        self._database.execute(
            f"UPDATE requests SET state = {QUEUED}, owner = '', attempt = MAX(0, attempt - 1) "
            f"WHERE state = {LEASED} AND owner LIKE ? || ':%'",
            (owner,),
        )

    def release_all(self, now: float) -> None:
        """The holders of all leases have died: queue the requests again, except those that may have killed them.

        A clock that was set back since must not make delays longer.
        """
        self._database.execute(
            f"UPDATE requests SET due = due - since + ?, since = ? WHERE state = {DELAYED} AND since > ?",
            (now, now, now),
        )
        self._database.execute(
            "UPDATE requests SET owner = '', state = CASE WHEN attempt >= ? THEN ? ELSE ? END, "
            f"reason = CASE WHEN attempt >= ? THEN ? ELSE reason END WHERE state = {LEASED}",
            (MAX_LOST, DEAD, QUEUED, MAX_LOST, HOLDERS_DIED),
        )

    def requeue_dead(self, host: str) -> list[tuple[str, int]]:
        """Host and priority of each dead request that is queued again; of one host, or of all if it is empty."""
        dead = self._database.execute(
            "SELECT r.id, h.name, priority FROM requests r JOIN hosts h ON h.id = r.host "
            f"WHERE state = {DEAD}" + (" AND r.host = ?" if host else ""),
            (self._host_number(host),) if host else (),
        ).fetchall()
        self._database.executemany(
            "UPDATE requests SET state = ?, attempt = 0 WHERE id = ?", ((QUEUED, number) for number, _, _ in dead)
        )
        return [(name, priority) for _, name, priority in dead]

    def clear(self) -> int:
        """Forget everything; the number of requests that there were."""
        count = sum(map(self.number_in, _NUMBER_IN))
        self._database.execute("DROP TABLE requests")  # a row at a time would fire its triggers
        for statement in REQUESTS:
            self._database.execute(statement)
        self._database.execute("DELETE FROM hosts")
        self._database.execute("DELETE FROM seen")
        self._database.execute("UPDATE counters SET value = 0")
        self.forget_changes()
        return count

    def give_room_back(self) -> None:
        """Cut some pages off the file if many are free; call it outside a transaction."""
        free, all_pages = (
            self._database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
        )
        if free > max(_MIN_FREE_PAGES, _MAX_FREE_SHARE * all_pages):
            self._database.executescript(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})")  # execute would free one page

    def _host_number(self, name: str) -> int:
        number = self._host_numbers.get(name)
        if number is None:
            self._database.execute("INSERT OR IGNORE INTO hosts (name) VALUES (?)", (name,))
            number = int(self._database.execute("SELECT id FROM hosts WHERE name = ?", (name,)).fetchone()[0])
            self._host_numbers[name] = number
            self._host_names[number] = name
        return number

    def _host_name(self, number: int) -> str:
        name = self._host_names.get(number)
        if name is None:
            name = str(self._database.execute("SELECT name FROM hosts WHERE id = ?", (number,)).fetchone()[0])
        return name
