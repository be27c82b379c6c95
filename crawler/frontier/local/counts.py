"""How many requests of each host are queued, and how many are delayed, dead and done: kept, and written once a commit."""

import sqlite3
from collections import Counter

from crawler.frontier.local.schema import DEAD, DELAYED, DONE, QUEUED

_NAMES = {DEAD: "dead", DELAYED: "delayed", DONE: "done"}


class RequestCounts:
    """Those of the file, and what has changed since the last commit."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._queued: Counter[int] = Counter()
        self._others: Counter[int] = Counter()

    def came(self, host: int, state: int) -> None:
        """A request of the host (its number) is in this state."""
        if state == QUEUED:
            self._queued[host] += 1
        elif state in _NAMES:
            self._others[state] += 1

    def went(self, host: int, state: int) -> None:
        """A request of the host is no longer in this state."""
        if state == QUEUED:
            self._queued[host] -= 1
        elif state in _NAMES:
            self._others[state] -= 1

    def number_in(self, state: int) -> int:
        """Of all hosts: queued, delayed, dead or done."""
        if state == QUEUED:
            written = self._database.execute("SELECT COALESCE(SUM(queued), 0) FROM hosts").fetchone()[0]
            return int(written) + self._queued.total()
        query = "SELECT value FROM counters WHERE name = ?"
        return int(self._database.execute(query, (_NAMES[state],)).fetchone()[0]) + self._others[state]

    def write(self) -> None:
        """Into the open transaction, which is committed next."""
        changes = ((change, host) for host, change in self._queued.items() if change)
        self._database.executemany("UPDATE hosts SET queued = queued + ? WHERE id = ?", changes)
        numbers = ((change, _NAMES[state]) for state, change in self._others.items() if change)
        self._database.executemany("UPDATE counters SET value = value + ? WHERE name = ?", numbers)
        self.forget()

    def forget(self) -> None:
        """The transaction was rolled back, or all requests were deleted."""
        self._queued.clear()
        self._others.clear()
