"""One round trip between a node and a shared frontier, and the node's state between two: unsent calls, leases and latest
pushes."""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler.frontier.base import MAX_ATTEMPTS, Accounts, QueueEntry, RequestLease


@dataclass(frozen=True, slots=True)
class Promotion:
    """A queued request that gets a higher priority."""

    key: int
    host: str
    priority: int


@dataclass(frozen=True, slots=True)
class ExchangeBatch:
    """The calls of one round trip.

    Attributes:
        failures: token, reason, and seconds until the next attempt.
        wanted: the number of requests to lease.
        known: tokens of every lease that the node holds, so that the server reclaims all others; None to reclaim none.
        number: per node, so that a batch that is sent twice is executed once.
        parked: tokens of fetched pages whose links wait for another shard; their hosts are available again.
    """

    pushes: Sequence[QueueEntry] = ()
    acks: Sequence[str] = ()
    failures: Sequence[tuple[str, str, float]] = ()
    given_back: Sequence[str] = ()
    wanted: int = 0
    known: Sequence[str] | None = None
    number: int = 0
    promotions: Sequence[Promotion] = ()
    parked: Sequence[str] = ()

    def as_plain(self) -> list[Any]:
        """The arguments of the script `exchange`, starting with the batch's number."""
        failures = [(_lease_number(token), reason, delay) for token, reason, delay in self.failures]
        known = False if self.known is None else [_lease_number(token) for token in self.known]
        acks, given_back, parked = (
            [_lease_number(token) for token in tokens] for tokens in (self.acks, self.given_back, self.parked)
        )
        pushes = [_plain_entry(entry) for entry in self.pushes]
        promotions = [(each.host, _key_bytes(each.key), each.priority) for each in self.promotions]
        lists = pushes, acks, failures, given_back, self.wanted, known, MAX_ATTEMPTS, promotions, parked
        return [self.number, *lists]


def _plain_entry(entry: QueueEntry) -> tuple[Any, ...]:
    return *key_forms(entry.key), entry.host, entry.priority, entry.payload, entry.again, entry.movable


def key_forms(key: int) -> tuple[str, bytes]:
    """A key as a member of the seen-set, and as bytes."""
    return str(key), _key_bytes(key)


def _key_bytes(key: int) -> bytes:
    return key.to_bytes(8, "big", signed=True)


def _lease_number(token: str) -> str:
    """The lease's number; it is looked up in the holder's hash, so a token of another process finds nothing."""
    return token.partition(":")[0]


@dataclass(frozen=True, slots=True)
class BatchReply:
    """The reply to a batch.

    Attributes:
        accepted: for each push whether it was accepted; empty if the batch was executed before.
        held: the number of acknowledged leases that were still valid.
        wait: seconds until more can be popped; None if only an answer or a push can help.
        accounts: of the whole crawl, right after the batch.
        promoted: the number of requests that got a higher priority.
        until_open: seconds until the first host with queued requests that is outside its hours opens; None if there is
            none.
        overflow_waits: whether the queue of some host is to be packed or unpacked.
    """

    accepted: list[bool] = field(default_factory=list)
    held: int = 0
    leases: list[RequestLease] = field(default_factory=list)
    wait: float | None = None
    accounts: Accounts = field(default_factory=lambda: Accounts(0, 0, 0, 0))
    promoted: int = 0
    until_open: float | None = None
    overflow_waits: bool = False


MAX_PUSHES = 2000
"""Per batch; a longer script would block other nodes."""
LOSS_SECONDS = 10.0
"""A Redis that syncs its file every second may lose about two seconds when killed."""


@dataclass(slots=True)
class PendingBatch:
    """Unsent calls in a safe order: a parent's acknowledgement comes after the last of its children.

    Promotions are sent with the last pushes, since their requests may be among these.
    """

    pushes: deque[QueueEntry] = field(default_factory=deque)
    acks: list[str] = field(default_factory=list)
    failures: list[tuple[str, str, float]] = field(default_factory=list)
    given_back: list[str] = field(default_factory=list)
    promotions: dict[int, Promotion] = field(default_factory=dict)
    parked: list[str] = field(default_factory=list)
    _number: int = 0

    def __bool__(self) -> bool:
        return bool(self.pushes or self.acks or self.failures or self.given_back or self.promotions or self.parked)

    def tokens(self) -> Iterator[str]:
        yield from self.acks
        yield from self.given_back
        yield from (token for token, _, _ in self.failures)

    def next_batch(self, wanted: int, under_way: list[str] | None) -> ExchangeBatch:
        """Remove and return the next batch; `under_way`: further leases of the node, or None to compare none."""
        known = None if under_way is None else [*under_way, *self.tokens()]
        pushes = [self.pushes.popleft() for _ in range(min(MAX_PUSHES, len(self.pushes)))]
        self._number += 1
        if self.pushes:
            return ExchangeBatch(pushes, wanted=wanted, known=known, number=self._number)
        promotions = list(self.promotions.values())
        ended = self.acks, self.failures, self.given_back
        batch = ExchangeBatch(pushes, *ended, wanted, known, self._number, promotions, self.parked)
        self.acks, self.failures, self.given_back, self.promotions, self.parked = [], [], [], {}, []
        return batch


@dataclass(slots=True)
class NodeLeases:
    """Prefetched leases, leases under way in the scheduler, and leases whose acknowledgements wait for other shards."""

    ready: deque[RequestLease] = field(default_factory=deque)
    under_way: dict[str, RequestLease] = field(default_factory=dict)
    aside: dict[str, None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ready) + len(self.under_way)

    def take(self, count: int) -> list[RequestLease]:
        leases = [self.ready.popleft() for _ in range(min(count, len(self.ready)))]
        self.under_way.update((lease.token, lease) for lease in leases)
        return leases

    def end(self, tokens: Sequence[str]) -> list[str]:
        """End leases; returns the tokens that were under way."""
        return [token for token in tokens if self.under_way.pop(token, None)]

    def tokens(self) -> list[str]:
        return [*self.under_way, *self.aside, *(lease.token for lease in self.ready)]

    def clear(self) -> list[str]:
        tokens = self.tokens()
        self.ready.clear()
        self.under_way.clear()
        self.aside.clear()
        return tokens


class RecentPushes:
    """The entries of the last `LOSS_SECONDS` seconds, which a restarted server may have lost."""

    def __init__(self) -> None:
        self._entries: deque[tuple[float, Sequence[QueueEntry]]] = deque()

    def add(self, entries: Sequence[QueueEntry]) -> None:
        now = time.monotonic()
        if entries:
            self._entries.append((now, entries))
        while self._entries and self._entries[0][0] < now - LOSS_SECONDS:
            self._entries.popleft()

    def take(self) -> list[QueueEntry]:
        found = [entry for _, entries in self._entries for entry in entries]
        self._entries.clear()
        return found
