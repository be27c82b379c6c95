"""State changes of requests in the embedded frontier: each step in the tables and in the hosts' queue, without transactions."""

import itertools
import math
from collections.abc import Callable, Sequence

from crawler.frontier.base import MAX_ATTEMPTS, MAX_LOST_LEASES, QueueEntry, RequestLease
from crawler.frontier.local.failed import FailedTable
from crawler.frontier.local.host_queue import HostQueue
from crawler.frontier.local.leases import Leases, LocalLease
from crawler.frontier.local.stored_request import StoredRequest
from crawler.frontier.local.table import RequestTable

_HOLDERS_DIED = "each process that held it has died"


class RequestQueue:
    """Steps that may be replayed after a failed transaction; the hosts' queue is then reloaded."""

    def __init__(
        self,
        table: RequestTable,
        leases: Leases,
        failed: FailedTable,
        hosts: HostQueue,
        owner: str,
        lease_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._table = table
        self._leases = leases
        self._failed = failed
        self._hosts = hosts
        self._owner = owner
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._given_out = 0
        self._next_due = 0.0
        self._next_number = itertools.count(table.next_number())

    def reload(self) -> None:
        """Reload after the file was changed by other means."""
        self._next_due = min(_or_never(self._failed.first_delayed()), _or_never(self._leases.first_due()))

    def numbered(self, entries: Sequence[QueueEntry]) -> list[tuple[int, QueueEntry]]:
        """The entries with their request numbers, which stay the same when replayed after a failed transaction."""
        return [(next(self._next_number), entry) for entry in entries]

    def push(self, number: int, entry: QueueEntry) -> bool:
        """Queue the entry; whether it was accepted."""
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

    def pop(self, count: int, now: float) -> list[RequestLease]:
        leases: list[RequestLease] = []
        if now >= self._next_due:
            self.queue_due(now)
        while len(leases) < count and (host := self._hosts.next(now)) is not None:
            lease = self._lease(host, now)
            if lease:
                leases.append(lease)
        return leases

    def _lease(self, host: str, now: float) -> RequestLease | None:
        best = self._table.best_two(host)
        request = self._table.take(best[0][0]) if best else None
        if request is None:  # nothing is left, or the index refers to a missing row: the file is damaged
            self._hosts.removed(host, None)
            return None
        self._given_out += 1
        owner = f"{self._owner}:{self._given_out}"
        attempt = request.attempt + 1
        self._hold(request, owner, now)
        self._hosts.popped(host, now, best[1][1] if len(best) > 1 else None)
        return RequestLease(f"{request.number}:{attempt}:{owner}", host, request.payload, attempt)

    def lease_again(self, lease: RequestLease, now: float) -> None:
        """Repeat a lease in a replay, after the expiry of an earlier lease or delay."""
        digits, _, owner = lease.token.split(":", 2)
        number = int(digits)
        held = self._leases.remove(number)
        request = held.request if held else self._table.take(number) or self._failed.take(number)
        if request:
            self._hold(request, owner, now)

    def _hold(self, request: StoredRequest, owner: str, now: float) -> None:
        """Lease the request, counting an attempt."""
        until = now + self._lease_seconds
        self._next_due = min(self._next_due, until)
        self._leases.add(LocalLease(request._replace(attempt=request.attempt + 1), owner, now, until))

    def ack(self, token: str) -> bool:
        """Mark as done; whether the lease was still valid."""
        held = self._released(token)
        if held is None:
            return False
        self._table.count_done(held.request)
        return True

    def give_back(self, tokens: Sequence[str]) -> None:
        for held in map(self._released, tokens):
            if held:
                self._queue(held.request, held.request.attempt - 1)

    def fail(self, token: str, reason: str, delay: float) -> bool:
        held = self._released(token)
        if held is None:
            return False
        request = held.request._replace(reason=reason)
        if request.attempt >= MAX_ATTEMPTS:
            self._failed.bury(request)
            return True
        if delay > 0:
            due = self._clock() + delay
            self._failed.delay(request, held.since, due)
            self._next_due = min(self._next_due, due)
        else:
            self._queue(request, request.attempt)
        return False

    def _released(self, token: str) -> LocalLease | None:
        """Remove and return the lease; None if it is no longer valid."""
        number, _, owner = token.split(":", 2)
        held = self._leases.of(int(number), owner)
        if held is not None:
            self._leases.remove(held.request.number)
            self._hosts.released(self._table.host_name(held.request.host))
        return held

    def _queue(self, request: StoredRequest, attempts: int) -> None:
        self._table.put(request._replace(attempt=attempts))
        self._hosts.added(self._table.host_name(request.host), request.priority)

    def _recover(self, held: LocalLease) -> None:
        """Requeue a request whose holder died, unless too many holders have died."""
        request = held.request
        self._leases.remove(request.number)
        if request.attempt >= MAX_LOST_LEASES:
            self._failed.bury(request._replace(reason=_HOLDERS_DIED))
        else:
            self._queue(request, request.attempt)

    def queue_due(self, now: float) -> None:
        """Requeue delayed requests that are due, and requests with expired leases."""
        for held in self._leases.run_out(now):
            self._hosts.released(self._table.host_name(held.request.host))
            self._recover(held)
        for request in self._failed.due(now):
            self._failed.take(request.number)
            self._queue(request, request.attempt)
        self.reload()

    def release(self) -> None:
        """Give back the leases of this process."""
        for held in self._leases.all():
            self._leases.remove(held.request.number)
            self._queue(held.request, max(0, held.request.attempt - 1))

    def release_all(self, now: float) -> None:
        """Recover all leases, whose holders have died."""
        self._failed.set_clock_back(now)
        for held in self._leases.all():
            self._recover(held)

    def requeue(self, host: str) -> int:
        dead = self._failed.dead(self._table.host_number(host) if host else None)
        for request in dead:
            self._failed.take(request.number)
            self._queue(request, 0)
        return len(dead)


def _or_never(time: float | None) -> float:
    return math.inf if time is None else time
