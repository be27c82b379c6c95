"""One round trip between a node and a shared frontier: what was done goes in, what to do comes out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crawler.frontier.base import MAX_ATTEMPTS, Accounts, Entry, FrontierError, Lease

_BUCKETS = 0xFFFF


@dataclass(frozen=True, slots=True)
class Move:
    """A queued request that shall come sooner."""

    key: int
    host: str
    priority: int


@dataclass(slots=True)
class Batch:
    """What a node has to tell and to ask.

    Attributes:
        failures: token, reason, and seconds until it may be tried again.
        known: tokens of every lease that the node holds, where those that it does not know shall be taken back;
            None leaves them alone.
        number: batches of a node are counted, so that one that is sent twice is carried out once.
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
        failures = [(_lease(token), reason, delay) for token, reason, delay in self.failures]
        known = False if self.known is None else [_lease(token) for token in self.known]
        acks, given_back = ([_lease(token) for token in tokens] for tokens in (self.acks, self.given_back))
        pushes = [_plain_entry(entry) for entry in self.pushes]
        moves = [(move.host, _raw(move.key), move.priority) for move in self.moves]
        return [self.number, pushes, acks, failures, given_back, self.wanted, known, MAX_ATTEMPTS, moves]


def _plain_entry(entry: Entry) -> tuple[Any, ...]:
    """The key three times: its bucket of the seen-set, as a member there, and as bytes."""
    key = entry.key
    placed = (entry.host, entry.priority, entry.payload, entry.again, entry.movable)
    return key & _BUCKETS, str(key), _raw(key), *placed


def _raw(key: int) -> bytes:
    return key.to_bytes(8, "big", signed=True)


def _lease(token: str) -> str:
    """The lease's number; its hash in Redis is that of its holder, so a token of another process finds nothing."""
    return token.partition(":")[0]


@dataclass(slots=True)
class Outcome:
    """The answer to a batch.

    Attributes:
        accepted: for each push whether it was let in; empty if the batch had been carried out before.
        held: how many of the acknowledged leases still held.
        wait: seconds until more can be popped; None if only an answer or a push can help.
        accounts: those of the whole crawl, just after.
        moved: how many requests come sooner now.
        asleep: seconds until the first host that has something queued but is outside its hours opens; None if there is
            none.
    """

    accepted: list[bool] = field(default_factory=list)
    held: int = 0
    leases: list[Lease] = field(default_factory=list)
    wait: float | None = None
    accounts: Accounts = field(default_factory=lambda: Accounts(0, 0, 0, 0))
    moved: int = 0
    asleep: float | None = None


class AwayError(FrontierError):
    """The server cannot be reached just now; what was sent may or may not have arrived."""


class CrawlLostError(FrontierError):
    """The server answers, but the crawl is not there any more."""


class CrawlRenewedError(FrontierError):
    """Somebody has purged the crawl or begun it anew."""
