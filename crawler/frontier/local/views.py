"""What an operator sees of the embedded frontier."""

import sqlite3
from collections.abc import Callable, Iterator

from crawler.frontier.base import Accounts, DeadRequest, HostAccount, LeasedRequest, Node
from crawler.frontier.local.file import DEAD, DELAYED, LEASED, QUEUED


class SqliteViews:
    """Requests by state, host and holder; reads only."""

    def __init__(self, database: sqlite3.Connection, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`."""
        queued, leased, dead, delayed = (self._number_in(state) for state in (QUEUED, LEASED, DEAD, DELAYED))
        return Accounts(queued + delayed, leased, self._counter("done"), dead)

    def _number_in(self, state: int) -> int:
        # the number stands in the statement, so that the index of that state alone is read
        return int(self._database.execute(f"SELECT COUNT(*) FROM requests WHERE state = {state}").fetchone()[0])

    def _counter(self, name: str) -> int:
        row = self._database.execute("SELECT value FROM counters WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`."""
        rows = self._database.execute(
            "SELECT host, SUM(state IN (?, ?)), SUM(state = ?), SUM(state = ?) FROM requests GROUP BY host ORDER BY 2 DESC",
            (QUEUED, DELAYED, LEASED, DEAD),
        )
        return (HostAccount(*row) for row in rows)

    def nodes(self) -> Iterator[Node]:
        """See `Frontier.nodes`; whoever holds leases, with the time of the next of them."""
        rows = self._database.execute(
            "SELECT substr(owner, 1, instr(owner, ':') - 1) AS node, COUNT(*), MIN(due) FROM requests "
            f"WHERE state = {LEASED} GROUP BY node"
        )
        return (Node(owner, leased, due - self._clock()) for owner, leased, due in rows)

    def leased(self) -> Iterator[LeasedRequest]:
        """See `Frontier.leased`."""
        rows = self._database.execute("SELECT host, payload, owner, since FROM requests WHERE state = ?", (LEASED,))
        return (LeasedRequest(*row) for row in rows)

    def dead(self) -> Iterator[DeadRequest]:
        """See `Frontier.dead`."""
        rows = self._database.execute(
            "SELECT key, host, payload, attempt, reason FROM requests WHERE state = ? ORDER BY id", (DEAD,)
        )
        return (DeadRequest(*row) for row in rows)
