"""Requests under way: in memory of the crawling process, and in the file as of the last commit.

Most requests end within two commits, so a lease is written once and deleted once, together with others, in a table of a few
pages. After a kill the file has all requests that were under way, with their attempts.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from crawler.frontier.local.stored_request import COLUMNS, StoredRequest


class LocalLease(NamedTuple):
    """A request under way; times are seconds since the epoch."""

    request: StoredRequest
    owner: str
    since: float
    due: float


class Leases:
    """Leases by the number of their request. Raises sqlite3.Error if the file cannot be read."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._held: dict[int, LocalLease] | None = None
        self._written: set[int] = set()
        self._new: set[int] = set()
        self._gone: set[int] = set()

    def forget_changes(self) -> None:
        """Discard the leases in memory after a rolled-back transaction; those of the file are read on the next use."""
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
        """Add a lease."""
        self._known()[held.request.number] = held
        self._new.add(held.request.number)

    def of(self, number: int, owner: str) -> LocalLease | None:
        """The lease of the request with this number, if this owner holds it."""
        held = self._known().get(number)
        return held if held is not None and held.owner == owner else None

    def remove(self, number: int) -> LocalLease | None:
        """Remove and return the lease of a request; None if there is none."""
        held = self._known().pop(number, None)
        self._new.discard(number)
        if number in self._written:
            self._gone.add(number)
        return held

    def all(self) -> list[LocalLease]:
        """All leases, oldest first, except for those renewed after a failed transaction."""
        return list(self._known().values())

    def run_out(self, now: float) -> list[LocalLease]:
        """Expired leases."""
        return [held for held in self._known().values() if held.due <= now]

    def first_due(self) -> float | None:
        """When the first lease expires."""
        return min((held.due for held in self._known().values()), default=None)

    def prolong(self, until: float) -> None:
        """Extend all leases."""
        known = self._known()
        for number, held in known.items():
            known[number] = held._replace(due=until)
        self._database.execute("UPDATE leases SET due = ?", (until,))

    def number_by_host(self) -> Iterable[tuple[int, int]]:
        """(number of a host, number of its requests under way)."""
        return Counter(held.request.host for held in self._known().values()).items()

    def write(self) -> None:
        """Write the changes into the open transaction, before its commit."""
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
