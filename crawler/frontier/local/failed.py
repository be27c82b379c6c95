"""Failed requests: delayed until their next attempt, or dead."""

import sqlite3

from crawler.frontier.local.request_counts import RequestCounts
from crawler.frontier.local.schema import DEAD, DELAYED
from crawler.frontier.local.stored_request import COLUMNS, StoredRequest

_SELECT = f"SELECT {COLUMNS} FROM failed WHERE state = "


class FailedTable:
    """Single SQL statements, without transactions; updates the counts."""

    def __init__(self, database: sqlite3.Connection, counts: RequestCounts) -> None:
        self._database = database
        self._counts = counts

    def delay(self, request: StoredRequest, since: float, due: float) -> None:
        """Delay the request until its next attempt."""
        self._insert(request, DELAYED, since, due)

    def bury(self, request: StoredRequest) -> None:
        """Mark the request as dead."""
        self._insert(request, DEAD, 0.0, 0.0)

    def _insert(self, request: StoredRequest, state: int, since: float, due: float) -> None:
        self._database.execute(
            f"INSERT INTO failed ({COLUMNS}, state, since, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*request, state, since, due),
        )
        self._counts.came(request.host, state)

    def take(self, number: int) -> StoredRequest | None:
        """Remove and return the request; None if it is not here."""
        row = self._database.execute(
            f"DELETE FROM failed WHERE id = ? RETURNING {COLUMNS}, state", (number,)
        ).fetchone()
        if row is None:
            return None
        *values, state = row
        request = StoredRequest(*values)
        self._counts.went(request.host, state)
        return request

    def due(self, now: float) -> list[StoredRequest]:
        """Delayed requests that are due."""
        return self._requests(f"{DELAYED} AND due <= ?", now)

    def dead(self, host: int | None) -> list[StoredRequest]:
        """Dead requests of one host or all."""
        return self._requests(f"{DEAD}") if host is None else self._requests(f"{DEAD} AND host = ?", host)

    def _requests(self, condition: str, *values: object) -> list[StoredRequest]:
        return [StoredRequest(*row) for row in self._database.execute(_SELECT + condition, values).fetchall()]

    def first_delayed(self) -> float | None:
        """When the first delayed request is due."""
        row = self._database.execute(f"SELECT MIN(due) FROM failed WHERE state = {DELAYED}").fetchone()
        found: float | None = row[0]
        return found

    def set_clock_back(self, now: float) -> None:
        """Adjust delays after the clock was set back, which must not lengthen them."""
        self._database.execute(
            f"UPDATE failed SET due = due - since + ?, since = ? WHERE state = {DELAYED} AND since > ?", (now, now, now)
        )
