"""One round trip between a node and a shared frontier: a batch of calls goes in, leases and accounts come out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler.frontier.base import MAX_ATTEMPTS, Accounts, Entry, Lease

_SEEN_BUCKETS_MASK = 0xFFFF


@dataclass(frozen=True, slots=True)
class Move:
    """A queued request that gets a higher priority."""

    key: int
    host: str
    priority: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Calls that travel together.

    Attributes:
        failures: token, reason, and seconds until the next attempt.
        wanted: the number of requests to lease.
        known: tokens of every lease that the node holds, so that the server takes back those that the node does not
            know; None to take back nothing.
        number: counted per node, so that a batch that is sent twice is carried out once.
    """

    pushes: Sequence[Entry] = ()
    acks: Sequence[str] = ()
    failures: Sequence[tuple[str, str, float]] = ()
    given_back: Sequence[str] = ()
    wanted: int = 0
    known: Sequence[str] | None = None
    number: int = 0
    moves: Sequence[Move] = ()

    def as_plain(self) -> list[Any]:
        """As the script `exchange` takes it, from the batch's number on."""
        failures = [(_lease_number(token), reason, delay) for token, reason, delay in self.failures]
        known = False if self.known is None else [_lease_number(token) for token in self.known]
        acks, given_back = ([_lease_number(token) for token in tokens] for tokens in (self.acks, self.given_back))
        pushes = [_plain_entry(entry) for entry in self.pushes]
        moves = [(move.host, _key_bytes(move.key), move.priority) for move in self.moves]
        return [self.number, pushes, acks, failures, given_back, self.wanted, known, MAX_ATTEMPTS, moves]


def _plain_entry(entry: Entry) -> tuple[Any, ...]:
    return *key_forms(entry.key), entry.host, entry.priority, entry.payload, entry.again, entry.movable


def key_forms(key: int) -> tuple[int, str, bytes]:
    """A key's bucket of the seen-set, the key as a member there, and as bytes."""
    return key & _SEEN_BUCKETS_MASK, str(key), _key_bytes(key)


def _key_bytes(key: int) -> bytes:
    return key.to_bytes(8, "big", signed=True)


def _lease_number(token: str) -> str:
    """The lease's number; its hash in Redis is that of its holder, so a token of another process finds nothing."""
    return token.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a batch.

    Attributes:
        accepted: for each push whether it was let in; empty if the batch was carried out before.
        held: the number of acknowledged leases that still held.
        wait: seconds until more can be popped; None if only an answer or a push can help.
        accounts: those of the whole crawl, just after the batch.
        moved: the number of requests that got a higher priority.
        until_open: seconds until the first host that has something queued but is outside its hours may be asked; None
            if there is none.
    """

    accepted: list[bool] = field(default_factory=list)
    held: int = 0
    leases: list[Lease] = field(default_factory=list)
    wait: float | None = None
    accounts: Accounts = field(default_factory=lambda: Accounts(0, 0, 0, 0))
    moved: int = 0
    until_open: float | None = None
