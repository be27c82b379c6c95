"""Counts of queued requests by host, and of delayed, dead and done ones, updated in memory and written once per commit."""

import sqlite3
from collections import Counter

from crawler.frontier.local.schema import DEAD, DELAYED, DONE, QUEUED

_NAMES = {DEAD: "dead", DELAYED: "delayed", DONE: "done"}


class RequestCounts:
    """The counts in the file, and the changes since the last commit."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._queued: Counter[int] = Counter()
        self._others: Counter[int] = Counter()

    def came(self, host: int, state: int) -> None:
        """Count a request of this host (by number) that entered the state."""
        if state == QUEUED:
            self._queued[host] += 1
        elif state in _NAMES:
            self._others[state] += 1

    def went(self, host: int, state: int) -> None:
        """Count a request of this host that left the state."""
        if state == QUEUED:
            self._queued[host] -= 1
        elif state in _NAMES:
            self._others[state] -= 1

    def number_in(self, state: int) -> int:
        """Requests of all hosts in this state: queued, delayed, dead or done."""
        if state == QUEUED:
            written = self._database.execute("SELECT COALESCE(SUM(queued), 0) FROM hosts").fetchone()[0]
            return int(written) + self._queued.total()
        query = "SELECT value FROM counters WHERE name = ?"
        return int(self._database.execute(query, (_NAMES[state],)).fetchone()[0]) + self._others[state]

    def write(self) -> None:
        """Write the changes into the open transaction, before its commit."""
        changes = ((change, host) for host, change in self._queued.items() if change)
        self._database.executemany("UPDATE hosts SET queued = queued + ? WHERE id = ?", changes)
        numbers = ((change, _NAMES[state]) for state, change in self._others.items() if change)
        self._database.executemany("UPDATE counters SET value = value + ? WHERE name = ?", numbers)
        self.forget()

    def forget(self) -> None:
        """Reset after a rolled-back transaction, or after all requests were deleted."""
        self._queued.clear()
        self._others.clear()
