"""Requests under way: in the memory of the process that crawls, and in the file as of the last commit.

Most answers come before the next commit, or in the one after: then a lease is written once and deleted once, together with
others, in a table of a few pages. After a kill the file names all requests that were under way, with their attempts.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from crawler.frontier.local.rows import COLUMNS, StoredRequest


class LocalLease(NamedTuple):
    """A request under way; times are seconds since the epoch."""

    request: StoredRequest
    owner: str
    since: float
    due: float


class Leases:
    """Leases by the number of their request; sqlite3.Error if the file cannot be read."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._held: dict[int, LocalLease] | None = None
        self._written: set[int] = set()
        self._new: set[int] = set()
        self._gone: set[int] = set()

    def forget_changes(self) -> None:
        """A transaction was rolled back: those of the file hold, which are read when they are needed."""
        self._held = None

    def _known(self) -> dict[int, LocalLease]:
        if self._held is None:
            rows = self._database.execute(f"SELECT {COLUMNS}, owner, since, due FROM leases ORDER BY since")
            self._held = {row[0]: LocalLease(StoredRequest(*row[:6]), *row[6:]) for row in rows}
            self._written = set(self._held)
            self._new, self._gone = set(), set()
        return self._held

    def __len__(self) -> int:
        return len(self._known())

    def add(self, held: LocalLease) -> None:
        """A request is under way."""
        self._known()[held.request.number] = held
        self._new.add(held.request.number)

    def of(self, number: int, owner: str) -> LocalLease | None:
        """The request with this number, if this owner holds it."""
        held = self._known().get(number)
        return held if held is not None and held.owner == owner else None

    def remove(self, number: int) -> LocalLease | None:
        """It is no longer under way; None if it was not."""
        held = self._known().pop(number, None)
        self._new.discard(number)
        if number in self._written:
            self._gone.add(number)
        return held

    def all(self) -> list[LocalLease]:
        """Oldest first, but for those that were given out again after a failed transaction."""
        return list(self._known().values())

    def run_out(self, now: float) -> list[LocalLease]:
        """Those whose time is over."""
        return [held for held in self._known().values() if held.due <= now]

    def first_due(self) -> float | None:
        """When the first one runs out."""
        return min((held.due for held in self._known().values()), default=None)

    def prolong(self, until: float) -> None:
        """All of them."""
        known = self._known()
        for number, held in known.items():
            known[number] = held._replace(due=until)
        self._database.execute("UPDATE leases SET due = ?", (until,))

    def number_by_host(self) -> Iterable[tuple[int, int]]:
        """Number of a host, how many of its requests are under way."""
        return Counter(held.request.host for held in self._known().values()).items()

    def write(self) -> None:
        """Into the open transaction, which is committed next."""
        if self._held is None:
            return
        self._database.executemany("DELETE FROM leases WHERE id = ?", ((number,) for number in self._gone))
        new = (self._held[number] for number in self._new)
        self._database.executemany(
            f"INSERT INTO leases ({COLUMNS}, owner, since, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((*held.request, held.owner, held.since, held.due) for held in new),
        )
        self._written = self._written - self._gone | self._new
        self._new, self._gone = set(), set()
