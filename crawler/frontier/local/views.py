"""What operators see of the embedded frontier's file."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from crawler.frontier.base import DeadRequest, HostAccount, KnownRequest, LeasedRequest, Node
from crawler.frontier.local.schema import DEAD, DELAYED, LEASED, QUEUED
from crawler.frontier.local.table import RequestTable

_STATE_NAMES: dict[int, Literal["queued", "leased", "dead", "delayed"]] = {
    QUEUED: "queued",
    LEASED: "leased",
    DEAD: "dead",
    DELAYED: "delayed",
}


class RequestViews:
    """Requests by state, host and key; nothing is changed."""

    def __init__(self, database: sqlite3.Connection, table: RequestTable) -> None:
        self._database = database
        self._table = table

    def hosts(self) -> Iterator[HostAccount]:
        delayed, leased, dead = (dict(self._table.number_by_host(state)) for state in (DELAYED, LEASED, DEAD))
        queued = {name: count for name, _, count in self._table.queued_by_host()}
        accounts = [
            HostAccount(name, queued.get(name, 0) + delayed.get(name, 0), leased.get(name, 0), dead.get(name, 0))
            for name in queued | delayed | leased | dead
        ]
        return iter(sorted(accounts, key=lambda account: -account.queued))

    def nodes(self, now: float) -> Iterator[Node]:
        """The holders of leases, with the seconds until the first of their leases runs out."""
        rows = self._database.execute(
            "SELECT substr(owner, 1, instr(owner, ':') - 1) AS node, COUNT(*), MIN(due) FROM requests "
            f"WHERE state = {LEASED} GROUP BY node"
        )
        return (Node(owner, leased, due - now) for owner, leased, due in rows)

    def leased(self) -> Iterator[LeasedRequest]:
        """What is under way."""
        rows = self._database.execute(
            f"SELECT h.name, payload, owner, since FROM requests r JOIN hosts h ON h.id = r.host WHERE state = {LEASED}"
        )
        return (LeasedRequest(*row) for row in rows)

    def find(self, key: int) -> KnownRequest | None:
        row = self._database.execute(
            "SELECT state, priority, payload, attempt, reason, owner, since, due, host, id FROM requests "
            "WHERE id = (SELECT request FROM seen WHERE key = ?) AND key = ?",
            (key, key),
        ).fetchone()
        if row is None:
            seen = self._database.execute("SELECT 1 FROM seen WHERE key = ?", (key,)).fetchone()
            return KnownRequest("seen") if seen else None
        state, priority, payload, attempts, reason, owner, since, due, host, number = row
        known = KnownRequest(_STATE_NAMES[state], priority, payload, attempts, reason)
        if state == LEASED:
            return replace(known, owner=owner.partition(":")[0], since=since)
        return (
            replace(known, due=due) if state == DELAYED else replace(known, before=self._before(host, priority, number))
        )

    def _before(self, host: int, priority: int, number: int) -> int:
        """How many queued requests of the host come before this one."""
        row = self._database.execute(
            f"SELECT COUNT(*) FROM requests WHERE host = ? AND state = {QUEUED} "
            "AND (priority > ? OR priority = ? AND id < ?)",
            (host, priority, priority, number),
        ).fetchone()
        return int(row[0])

    def dead(self) -> Iterator[DeadRequest]:
        """What was given up, oldest first."""
        rows = self._database.execute(
            "SELECT key, h.name, payload, attempt, reason FROM requests r INDEXED BY dead JOIN hosts h ON h.id = r.host "
            f"WHERE state = {DEAD} ORDER BY r.id"
        )
        return (DeadRequest(*row) for row in rows)
