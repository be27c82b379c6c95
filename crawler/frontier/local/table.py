"""The embedded frontier's requests in SQL: single steps, without transactions and without hosts' turns."""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from crawler.frontier.base import Entry
from crawler.frontier.local.counts import Counts
from crawler.frontier.local.schema import DEAD, DELAYED, DONE, LEASED, QUEUED, REQUESTS

_REQUESTS = "SELECT r.id, h.name, priority, attempt, state FROM requests r JOIN hosts h ON h.id = r.host WHERE state = "
_LEASE = (
    f"UPDATE requests SET state = {LEASED}, attempt = attempt + 1, owner = ?, since = ?, due = ? WHERE id = ? "
    "RETURNING host, payload, attempt"
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

    def __init__(self, database: sqlite3.Connection, counts: Counts) -> None:
        self._database = database
        self._counts = counts
        self._host_numbers: dict[str, int] = {}
        self._host_names: dict[int, str] = {}

    def forget_changes(self) -> None:
        """A transaction was rolled back: hosts that it brought are not in the file, and counts not those of the file."""
        self._counts.forget()
        self._host_numbers.clear()
        self._host_names.clear()

    def mark_seen(self, key: int) -> bool:
        """Whether the key is new."""
        return self._database.execute("INSERT OR IGNORE INTO seen (key) VALUES (?)", (key,)).rowcount > 0

    def next_number(self) -> int:
        """No request has this number or a higher one."""
        return int(self._database.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM requests").fetchone()[0])

    def insert(self, number: int, entry: Entry) -> bool:
        """Queue the request under this number if its key is new, or if it may come again; whether it was."""
        verb = "REPLACE" if entry.again else "IGNORE"
        if not self._database.execute(f"INSERT OR {verb} INTO seen VALUES (?, ?)", (entry.key, number)).rowcount:
            return False
        host = self._host_number(entry.host)
        self._database.execute(
            "INSERT INTO requests (id, key, host, priority, payload) VALUES (?, ?, ?, ?, ?)",
            (number, entry.key, host, entry.priority, entry.payload),
        )
        self._counts.came(host, QUEUED)
        return True

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
        """The request, which is queued, is under way, one attempt more: its payload and attempts; None if there is none."""
        row = self._database.execute(_LEASE, (owner, since, until, number)).fetchone()
        if row is None:
            return None
        host, payload, attempts = row
        self._counts.went(host, QUEUED)
        return payload, attempts

    def held(self, number: int, owner: str) -> Request | None:
        """The request, if it is under way at this owner."""
        return next(iter(self._requests(f"{LEASED} AND r.id = ? AND owner = ?", number, owner)), None)

    def leases_of(self, number: int) -> list[Request]:
        """The request, if it is under way; at most one."""
        return self._requests(f"{LEASED} AND r.id = ?", number)

    def finish(self, number: int, owner: str) -> str | None:
        """Done: only its key stays. The host; None if the request is not under way at this owner."""
        row = self._database.execute(
            f"DELETE FROM requests WHERE id = ? AND state = {LEASED} AND owner = ? RETURNING host", (number, owner)
        ).fetchone()
        if row is None:
            return None
        self._counts.came(row[0], DONE)
        return self._host_name(row[0])

    def queue_again(self, request: Request, attempts: int) -> None:
        """Queued, with this number of attempts."""
        self._database.execute(
            "UPDATE requests SET state = ?, attempt = ?, owner = '' WHERE id = ?", (QUEUED, attempts, request.number)
        )
        self._moved(request, QUEUED)

    def delay(self, request: Request, due: float) -> None:
        """It waits until that time for its next attempt."""
        self._database.execute(
            "UPDATE requests SET state = ?, owner = '', due = ? WHERE id = ?", (DELAYED, due, request.number)
        )
        self._moved(request, DELAYED)

    def set_reason(self, number: int, reason: str) -> None:
        """Why its last attempt failed."""
        self._database.execute("UPDATE requests SET reason = ? WHERE id = ?", (reason, number))

    def bury(self, request: Request, reason: str) -> None:
        """Given up."""
        self._database.execute(
            "UPDATE requests SET state = ?, owner = '', reason = ? WHERE id = ?", (DEAD, reason, request.number)
        )
        self._moved(request, DEAD)

    def _moved(self, request: Request, state: int) -> None:
        host = self._host_number(request.host)
        self._counts.went(host, request.state)
        self._counts.came(host, state)

    def due(self, now: float) -> list[Request]:
        """Delayed requests whose time has come, and leases that have run out."""
        return [request for state in (LEASED, DELAYED) for request in self._requests(f"{state} AND due <= ?", now)]

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

    def number_leased(self) -> int:
        """How many requests are under way."""
        query = f"SELECT COUNT(*) FROM requests WHERE state = {LEASED}"
        return int(self._database.execute(query).fetchone()[0])

    # -- all requests of an owner ----------------------------------------------------------------------------------

    def prolong(self, owner: str, until: float) -> None:
        """This process's leases."""
        self._database.execute(
            f"UPDATE requests SET due = ? WHERE state = {LEASED} AND owner LIKE ? || ':%'", (until, owner)
        )

    def held_by(self, owner: str) -> list[Request]:
        """This process's leases; those of all processes if it is empty."""
        return self._requests(f"{LEASED} AND owner LIKE ? || ':%'", owner) if owner else self._requests(f"{LEASED}")

    def dead_of(self, host: str) -> list[Request]:
        """What was given up, of one host, or of all if it is empty."""
        return self._requests(f"{DEAD} AND r.host = ?", self._host_number(host)) if host else self._requests(f"{DEAD}")

    def _requests(self, condition: str, *values: object) -> list[Request]:
        return [Request(*row) for row in self._database.execute(_REQUESTS + condition, values).fetchall()]

    def set_clock_back(self, now: float) -> None:
        """A clock that was set back since must not make delays longer."""
        self._database.execute(
            f"UPDATE requests SET due = due - since + ?, since = ? WHERE state = {DELAYED} AND since > ?",
            (now, now, now),
        )

    def clear(self) -> int:
        """Forget everything; the number of requests that there were."""
        count = self.number_leased() + sum(map(self._counts.number_in, (QUEUED, DELAYED, DEAD)))
        self._database.execute("DROP TABLE requests")
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
