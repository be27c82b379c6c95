"""Operators' views of the embedded frontier's file."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from crawler.frontier.base import DeadRequest, HostAccount, KnownRequest, LeasedRequest, Node
from crawler.frontier.local.schema import DEAD, DELAYED
from crawler.frontier.local.table import RequestTable


class RequestViews:
    """Requests by state, host and key, as of the last commit; read-only."""

    def __init__(self, database: sqlite3.Connection, table: RequestTable) -> None:
        self._database = database
        self._table = table

    def hosts(self) -> Iterator[HostAccount]:
        delayed, leased, dead = map(
            self._number_by_host, (f"failed WHERE state = {DELAYED}", "leases", f"failed WHERE state = {DEAD}")
        )
        queued = {name: count for name, _, count in self._table.queued_by_host()}
        accounts = [
            HostAccount(name, queued.get(name, 0) + delayed.get(name, 0), leased.get(name, 0), dead.get(name, 0))
            for name in queued | delayed | leased | dead
        ]
        return iter(sorted(accounts, key=lambda account: -account.queued))

    def _number_by_host(self, rows: str) -> dict[str, int]:
        return dict(
            self._database.execute(
                f"SELECT h.name, n FROM (SELECT host, COUNT(*) AS n FROM {rows} GROUP BY host) c JOIN hosts h ON h.id = c.host"
            )
        )

    def number_leased(self) -> int:
        """How many requests are under way."""
        return int(self._database.execute("SELECT COUNT(*) FROM leases").fetchone()[0])

    def nodes(self, now: float) -> Iterator[Node]:
        """The holders of leases, with the seconds until their first lease expires."""
        rows = self._database.execute(
            "SELECT substr(owner, 1, instr(owner, ':') - 1) AS node, COUNT(*), MIN(due) FROM leases GROUP BY node"
        )
        return (Node(owner, leased, due - now) for owner, leased, due in rows)

    def leased(self) -> Iterator[LeasedRequest]:
        """Requests under way."""
        rows = self._database.execute(
            "SELECT h.name, payload, owner, since FROM leases l JOIN hosts h ON h.id = l.host"
        )
        return (LeasedRequest(*row) for row in rows)

    def find(self, key: int) -> KnownRequest | None:
        row = self._database.execute("SELECT request FROM seen WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        return self._queued(row[0]) or self._under_way(row[0]) or self._failed(row[0]) or KnownRequest("seen")

    def _queued(self, number: int | None) -> KnownRequest | None:
        row = self._database.execute(
            "SELECT priority, payload, attempt, reason, host FROM requests WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            return None
        before = self._database.execute(
            "SELECT COUNT(*) FROM requests WHERE host = ? AND (priority > ? OR priority = ? AND id < ?)",
            (row[4], row[0], row[0], number),
        ).fetchone()
        return replace(KnownRequest("queued", *row[:4]), before=int(before[0]))

    def _under_way(self, number: int | None) -> KnownRequest | None:
        row = self._database.execute(
            "SELECT priority, payload, attempt, reason, owner, since FROM leases WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            return None
        return replace(KnownRequest("leased", *row[:4]), owner=row[4].partition(":")[0], since=row[5])

    def _failed(self, number: int | None) -> KnownRequest | None:
        row = self._database.execute(
            "SELECT priority, payload, attempt, reason, state, due FROM failed WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            return None
        known = KnownRequest("dead", *row[:4])
        return known if row[4] == DEAD else replace(known, state="delayed", due=row[5])

    def dead(self) -> Iterator[DeadRequest]:
        """Dead requests, oldest first."""
        rows = self._database.execute(
            "SELECT h.name, payload, attempt, reason FROM failed f INDEXED BY dead JOIN hosts h ON h.id = f.host "
            f"WHERE state = {DEAD} ORDER BY f.id"
        )
        return (DeadRequest(*row) for row in rows)
