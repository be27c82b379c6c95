"""The way of a request through the embedded frontier: each step in the table and in the hosts' queue, without transactions."""

import itertools
import math
from collections.abc import Callable, Sequence

from crawler.frontier.base import MAX_ATTEMPTS, MAX_LOST, Entry, Lease
from crawler.frontier.local.host_queue import HostQueue
from crawler.frontier.local.schema import LEASED
from crawler.frontier.local.table import Request, RequestTable

_HOLDERS_DIED = "each process that held it has died"


class RequestQueue:
    """Steps that may be done again after a transaction that failed; then the hosts' queue is loaded anew."""

    def __init__(
        self,
        table: RequestTable,
        hosts: HostQueue,
        owner: str,
        lease_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._table = table
        self._hosts = hosts
        self._owner = owner
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._leases = 0
        self._next_due = 0.0
        self._next_number = itertools.count(table.next_number())

    def reload(self) -> None:
        """The file has changed otherwise than by these steps."""
        found = self._table.first_due()
        self._next_due = math.inf if found is None else found

    def numbered(self, entries: Sequence[Entry]) -> list[tuple[int, Entry]]:
        """With the numbers that they have as requests, also when they are pushed again after a transaction that failed."""
        return [(next(self._next_number), entry) for entry in entries]

    def push(self, number: int, entry: Entry) -> bool:
        """Whether the entry was let in."""
        if not entry.payload:
            self._table.mark_seen(entry.key)
            return False
        if not self._table.insert(number, entry):
            if entry.movable:
                self.promote(entry.key, entry.host, entry.priority)
            return False
        self._hosts.added(entry.host, entry.priority)
        return True

    def promote(self, key: int, host: str, priority: int) -> bool:
        moved = self._table.promote(key, priority)
        if moved:
            self._hosts.added(host, priority, 0)
        return moved

    def pop(self, count: int, now: float) -> list[Lease]:
        leases: list[Lease] = []
        if now >= self._next_due:
            self.queue_due(now)
        while len(leases) < count and (host := self._hosts.next(now)) is not None:
            lease = self._lease(host, now)
            if lease:
                leases.append(lease)
        return leases

    def _lease(self, host: str, now: float) -> Lease | None:
        best = self._table.best_two(host)
        if not best:
            self._hosts.removed(host, None)
            return None
        number = best[0][0]
        self._leases += 1
        owner = f"{self._owner}:{self._leases}"
        taken = self._take(number, owner, now)
        if taken is None:  # the index names a row that is gone: the file is damaged
            self._hosts.removed(host, None)
            return None
        payload, attempt = taken
        lease = Lease(f"{number}:{attempt}:{owner}", host, payload, attempt)
        self._hosts.popped(host, now, best[1][1] if len(best) > 1 else None)
        return lease

    def lease_again(self, lease: Lease, now: float) -> None:
        """A lease of that time; an earlier one had run out."""
        number, _, owner = lease.token.split(":", 2)
        for request in self._table.leases_of(int(number)):
            self._table.queue_again(request, request.attempt)
        self._take(int(number), owner, now)

    def _take(self, number: int, owner: str, now: float) -> tuple[bytes, int] | None:
        until = now + self._lease_seconds
        self._next_due = min(self._next_due, until)
        return self._table.lease(number, owner, now, until)

    def ack(self, token: str) -> bool:
        """Whether the lease still held."""
        number, _, owner = token.split(":", 2)
        host = self._table.finish(int(number), owner)
        if host is not None:
            self._hosts.released(host)
        return host is not None

    def give_back(self, tokens: Sequence[str]) -> None:
        for request in map(self._held, tokens):
            if request:
                self._hosts.released(request.host)
                self._queue_again(request, request.attempt - 1)

    def fail(self, token: str, reason: str, delay: float) -> bool:
        request = self._held(token)
        if request is None:
            return False
        self._hosts.released(request.host)
        if request.attempt >= MAX_ATTEMPTS:
            self._table.bury(request, reason)
            return True
        self._table.set_reason(request.number, reason)
        if delay > 0:
            due = self._clock() + delay
            self._table.delay(request, due)
            self._next_due = min(self._next_due, due)
        else:
            self._queue_again(request, request.attempt)
        return False

    def _held(self, token: str) -> Request | None:
        """The request that this lease still holds."""
        number, _, owner = token.split(":", 2)
        return self._table.held(int(number), owner)

    def _queue_again(self, request: Request, attempts: int) -> None:
        self._table.queue_again(request, attempts)
        self._hosts.added(request.host, request.priority)

    def _recover(self, request: Request) -> None:
        """Its delay is over, or its holder has lost it: it is queued again, if it has not killed too many of them."""
        if request.state == LEASED and request.attempt >= MAX_LOST:
            self._table.bury(request, _HOLDERS_DIED)
        else:
            self._queue_again(request, request.attempt)

    def queue_due(self, now: float) -> None:
        """Queue delayed requests whose time has come, and those whose lease has run out."""
        for request in self._table.due(now):
            if request.state == LEASED:
                self._hosts.released(request.host)
            self._recover(request)
        self.reload()

    def release(self) -> None:
        """This process gives back its leases."""
        for request in self._table.held_by(self._owner):
            self._queue_again(request, max(0, request.attempt - 1))

    def release_all(self, now: float) -> None:
        """The holders of all leases have died."""
        self._table.set_clock_back(now)
        for request in self._table.held_by(""):
            self._recover(request)

    def requeue(self, host: str) -> int:
        dead = self._table.dead_of(host)
        for request in dead:
            self._queue_again(request, 0)
        return len(dead)
