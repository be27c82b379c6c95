"""The embedded frontier's queued requests in SQL: single statements, without transactions and without scheduling of hosts."""

import sqlite3
from collections.abc import Iterator

from crawler.frontier.base import QueueEntry
from crawler.frontier.local.request_counts import RequestCounts
from crawler.frontier.local.schema import DONE, QUEUED, REQUESTS
from crawler.frontier.local.stored_request import COLUMNS, StoredRequest

_MIN_FREE_PAGES = 2_000
_MAX_FREE_SHARE = 0.25
_VACUUM_PAGES = 200


class RequestTable:
    """Queued requests, and the seen keys."""

    def __init__(self, database: sqlite3.Connection, counts: RequestCounts) -> None:
        self._database = database
        self._counts = counts
        self._host_numbers: dict[str, int] = {}
        self._host_names: dict[int, str] = {}
        self._written_number = self._last_number = self._stored_number()

    def forget_changes(self) -> None:
        """Reset cached hosts and counts after a rolled-back transaction."""
        self._counts.forget()
        self._host_numbers.clear()
        self._host_names.clear()
        self._written_number = -1

    def mark_seen(self, key: int) -> bool:
        """Mark the key as seen; whether it is new."""
        return self._database.execute("INSERT OR IGNORE INTO seen (key) VALUES (?)", (key,)).rowcount > 0

    def next_number(self) -> int:
        """A number higher than that of any request so far; never reused, since seen keys refer to it forever."""
        return self._last_number + 1

    def _stored_number(self) -> int:
        return int(self._database.execute("SELECT value FROM counters WHERE name = 'number'").fetchone()[0])

    def insert(self, number: int, entry: QueueEntry) -> bool:
        """Queue the request under this number if its key is new or repeats are allowed; whether it was queued."""
        verb = "REPLACE" if entry.again else "IGNORE"
        if not self._database.execute(f"INSERT OR {verb} INTO seen VALUES (?, ?)", (entry.key, number)).rowcount:
            return False
        host = self.host_number(entry.host)
        self._database.execute(
            "INSERT INTO requests (id, host, priority, payload) VALUES (?, ?, ?, ?)",
            (number, host, entry.priority, entry.payload),
        )
        self._last_number = number
        self._counts.came(host, QUEUED)
        return True

    def promote(self, key: int, priority: int) -> bool:
        """Raise a queued request to this priority; False if none is queued with a lower one."""
        row = self._database.execute(
            "UPDATE requests SET priority = ? WHERE id = (SELECT request FROM seen WHERE key = ?) AND priority < ? "
            "RETURNING 1",
            (priority, key, priority),
        ).fetchone()
        return row is not None

    def best_two(self, host: str) -> list[tuple[int, int]]:
        """Number and priority of the host's next request, and of the one after it; read from the index alone."""
        return self._database.execute(
            "SELECT id, priority FROM requests WHERE host = ? ORDER BY priority DESC, id LIMIT 2",
            (self.host_number(host),),
        ).fetchall()

    def take(self, number: int) -> StoredRequest | None:
        """Remove and return a queued request; None if it is not queued."""
        row = self._database.execute(f"DELETE FROM requests WHERE id = ? RETURNING {COLUMNS}", (number,)).fetchone()
        if row is None:
            return None
        request = StoredRequest(*row)
        self._counts.went(request.host, QUEUED)
        return request

    def put(self, request: StoredRequest) -> None:
        """Requeue a request in its old place."""
        self._database.execute(f"INSERT INTO requests ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", request)
        self._counts.came(request.host, QUEUED)

    def count_done(self, request: StoredRequest) -> None:
        """Count a done request, of which only the key is kept."""
        self._counts.came(request.host, DONE)

    def queued_by_host(self) -> Iterator[tuple[str, int, int]]:
        """(host, highest priority, number of requests)."""
        return self._database.execute(
            "SELECT name, (SELECT priority FROM requests WHERE host = hosts.id ORDER BY priority DESC LIMIT 1), queued "
            "FROM hosts WHERE queued > 0"
        )

    def clear(self) -> None:
        """Delete everything."""
        self._database.execute("DROP TABLE requests")
        for statement in REQUESTS:
            self._database.execute(statement)
        for name in ("hosts", "seen", "leases", "failed"):
            self._database.execute(f"DELETE FROM {name}")
        self._database.execute("UPDATE counters SET value = 0")
        self.forget_changes()

    def write(self) -> None:
        """Write the changes into the open transaction, before its commit."""
        self._counts.write()
        if self._last_number != self._written_number:
            self._database.execute("UPDATE counters SET value = ? WHERE name = 'number'", (self._last_number,))
            self._written_number = self._last_number

    def give_room_back(self) -> None:
        """Truncate the file by some pages if many are free; call it outside transactions."""
        free, all_pages = (
            self._database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count")
        )
        if free > max(_MIN_FREE_PAGES, _MAX_FREE_SHARE * all_pages):
            self._database.executescript(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})")  # execute would free one page

    def host_number(self, name: str) -> int:
        """The number of a host in the tables; a new one is added."""
        number = self._host_numbers.get(name)
        if number is None:
            self._database.execute("INSERT OR IGNORE INTO hosts (name) VALUES (?)", (name,))
            number = int(self._database.execute("SELECT id FROM hosts WHERE name = ?", (name,)).fetchone()[0])
            self._host_numbers[name] = number
            self._host_names[number] = name
        return number

    def host_name(self, number: int) -> str:
        """The inverse of `host_number`."""
        name = self._host_names.get(number)
        if name is None:
            name = str(self._database.execute("SELECT name FROM hosts WHERE id = ?", (number,)).fetchone()[0])
            self._host_names[number] = name
        return name
