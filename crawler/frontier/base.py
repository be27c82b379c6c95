"""The frontier's protocol: a durable queue that decides which page comes next.

A request is pushed, popped under a lease, and then acknowledged, given back, or failed. It is done only once it is
acknowledged; a lease that expires, or whose holder dies, puts it back. Within a host the largest `priority` comes first;
among hosts whose best requests are in the same band of priorities, the one that has waited longest. The frontier applies
delay, concurrency and opening hours of each host across all nodes.

A spider sets the value of a page as `request.priority`, the largest first. Among hosts, differences within one
`crawler.priorities.BAND` do not count, so that one site cannot starve the others. FRONTIER_HOST_DELAY and
FRONTIER_HOST_CONCURRENCY are the default pace of hosts; `set_pace` overrides it for one host.

The accounts always balance: enqueued = queued + leased + done + dead.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from crawler.config.hours import Politeness

MAX_ATTEMPTS = 5
LEASE_SECONDS = 180.0
MAX_LOST_LEASES = 20
"""A request whose holders died this often is given up, as it may have killed them."""


class FrontierError(Exception):
    """The frontier cannot be used; the message has the reason and the remedy."""


class FrontierInUseError(FrontierError):
    """Another run uses the frontier."""


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """A request to be queued.

    Attributes:
        key: its identity, a signed 64-bit number; a key is accepted once.
        host: the host whose delay and concurrency apply.
        priority: the largest comes first.
        payload: the request as bytes (`crawler.frontier.requests`); empty only marks the key as seen.
        again: accept it even if its key has been seen (Scrapy's `dont_filter`).
        movable: may be promoted while queued, also by a push of the same key with a higher priority.
    """

    key: int
    host: str
    priority: int
    payload: bytes
    again: bool = False
    movable: bool = False


@dataclass(frozen=True, slots=True)
class RequestLease:
    """A popped request; `token` is unique to this lease, so that a late answer to an older one has no effect."""

    token: str
    host: str
    payload: bytes
    attempt: int


@dataclass(frozen=True, slots=True)
class Accounts:
    """Counts of requests by state."""

    queued: int
    leased: int
    done: int
    dead: int

    @property
    def enqueued(self) -> int:
        return self.queued + self.leased + self.done + self.dead


@dataclass(frozen=True, slots=True)
class HostAccount:
    """One host's requests by state."""

    host: str
    queued: int
    leased: int
    dead: int


@dataclass(frozen=True, slots=True)
class DeadRequest:
    """A request that failed `MAX_ATTEMPTS` times, with the reason of the last failure."""

    host: str
    payload: bytes
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """The frontier's state of one key.

    Attributes:
        state: queued, delayed (failed, waiting for the next attempt), leased, dead, or seen (accepted earlier; done, unless
            it was only marked).
        attempts: number made so far. reason: why the last one failed, if stored.
        owner, since: the holder of a leased request, and the start of the lease. due: when a delayed request is queued
            again, or when the host of a queued one becomes available, 0 if unknown. Times are seconds since the epoch.
        before: queued requests of the same host that come first.
    """

    state: Literal["queued", "delayed", "leased", "dead", "seen"]
    priority: int = 0
    payload: bytes = b""
    attempts: int = 0
    reason: str = ""
    owner: str = ""
    since: float = 0.0
    due: float = 0.0
    before: int = 0


@dataclass(frozen=True, slots=True)
class LeasedRequest:
    """A request under way, with its holder and the start of the lease (seconds since the epoch)."""

    host: str
    payload: bytes
    owner: str
    since: float


@dataclass(frozen=True, slots=True)
class Node:
    """A crawling process: the number of its leases, and the seconds until they expire."""

    owner: str
    leased: int
    seconds_left: float


class Queue(Protocol):
    """The methods of a frontier for both crawls and operators."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """Set this host's delay, concurrency and hours."""

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        """Queue the entries not seen before; returns for each whether it was accepted."""

    def accounts(self) -> Accounts:
        """Requests by state."""

    def hosts(self) -> Iterator[HostAccount]:
        """Requests by state for each host that has other than done ones."""

    def flush(self) -> None:
        """Make pending changes durable."""

    def close(self) -> None:
        """Give back this owner's leases and close the storage."""


class Frontier(Queue, Protocol):
    """The methods of a frontier for crawls; no call blocks until a page is available."""

    @property
    def lost(self) -> str:
        """Why a part of the queue is gone, "" if nothing was lost."""

    @property
    def away(self) -> str:
        """Why it is unavailable at present, "" if available; it recovers by itself."""

    @property
    def fault(self) -> str:
        """Why it is permanently unusable, with the remedy; "" if it is usable or may recover."""

    def begin(self) -> Accounts:
        """Join or resume the crawl; returns the counts left by an earlier run. A finished crawl starts from scratch."""

    def notify(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `pop` or `pending` may have another result although this process made no call."""

    def knows(self, key: int) -> bool:
        """True if the key was certainly accepted before; False is inconclusive. Cheap."""

    def promote(self, key: int, host: str, priority: int) -> bool:
        """Raise the priority of a queued, movable request of this host; False if it is certainly not queued or not lower.
        A request that was given back or has failed keeps its place."""

    def pop(self, count: int) -> list[RequestLease]:
        """At most `count` requests of available hosts, each under a new lease."""

    def ack(self, tokens: Sequence[str]) -> int:
        """Mark requests as done; returns the number of leases that were still valid (others have no effect)."""

    def give_back(self, tokens: Sequence[str]) -> None:
        """Requeue requests as if they had not been popped."""

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """Requeue after a failed attempt, in `delay` seconds; True if it was the last attempt, and the request is dead."""

    def heartbeat(self) -> None:
        """Extend this owner's leases, reclaim expired ones, make pending changes durable."""

    def wait_seconds(self) -> float | None:
        """Seconds until `pop` can return a request; None if nothing is queued, or only an answer can free a host."""

    def seconds_until_open(self) -> float | None:
        """Seconds until the first host with queued requests that is outside its hours opens; None if there is none."""

    def pending(self) -> bool:
        """Whether anything is queued, even for a host that must wait, or under way on another node; cheap."""


class ManagedFrontier(Queue, Protocol):
    """The further methods for operators."""

    def nodes(self) -> Iterator[Node]:
        """The known crawling processes."""

    def leased(self) -> Iterator[LeasedRequest]:
        """Requests under way."""

    def dead(self) -> Iterator[DeadRequest]:
        """Requests given up after the last attempt."""

    def find(self, key: int, host: str) -> KnownRequest | None:
        """The request of this host with this key; None if it was never accepted."""

    def requeue(self, host: str = "") -> int:
        """Requeue dead requests of one host or all with new attempts; returns the number."""

    def purge(self) -> int:
        """Delete everything, including the seen keys; returns the number of queued, leased and dead requests."""
