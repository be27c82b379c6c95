"""The frontier's protocol: it decides which page comes next, and loses none.

A request is pushed, popped under a lease, and then acknowledged, given back, or failed. It is done only when it is
acknowledged; a lease that runs out, or whose holder dies, puts it back. Within a host the largest `priority` comes
first; among hosts whose best requests lie in the same band of priorities, the one that has waited longest. The frontier
keeps delay, concurrency and opening hours of each host, so that all nodes together keep to them.

A spider says how much a page is worth with `request.priority`, larger first. Priorities within one `crawler.priorities.BAND`
make no difference among hosts, so that one site cannot starve the others. FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY
are the pace of every host; `set_pace` gives one host its own.

The accounts always balance: enqueued = queued + leased + done + dead.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from crawler.config.hours import Politeness

MAX_ATTEMPTS = 5
LEASE_SECONDS = 180.0
MAX_LOST_LEASES = 20
"""A request whose holders died so often is given up: it may be what killed them."""


class FrontierError(Exception):
    """The frontier cannot be used; the message says why and what to do."""


class FrontierInUseError(FrontierError):
    """Another run uses it."""


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """A request on its way in.

    Attributes:
        key: its identity, a signed 64-bit number; a key is let in once.
        host: whose delay and concurrency apply to it.
        priority: larger comes first.
        payload: the request as bytes (`crawler.frontier.requests`); empty marks the key as seen and queues nothing.
        again: let it in although its key has been seen (Scrapy's `dont_filter`).
        movable: it may be promoted while it is queued; a push of the same key with a higher priority does that too.
    """

    key: int
    host: str
    priority: int
    payload: bytes
    again: bool = False
    movable: bool = False


@dataclass(frozen=True, slots=True)
class RequestLease:
    """A popped request; `token` names this lease alone, so that a late answer to an older one changes nothing."""

    token: str
    host: str
    payload: bytes
    attempt: int


@dataclass(frozen=True, slots=True)
class Accounts:
    """Numbers of requests by state."""

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
    """A request that failed `MAX_ATTEMPTS` times; `reason` is that of the last failure."""

    host: str
    payload: bytes
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """What the frontier has of one key.

    Attributes:
        state: queued, delayed (it failed and waits for the next attempt), leased, dead, or seen (let in before; done, unless
            it was only marked).
        attempts: that were made. reason: why the last one failed, if that is stored.
        owner, since: who holds a leased request, and since when. due: when a delayed one is queued again, or when the host
            of a queued one may be asked, 0 if that is unknown. All times are seconds since the epoch.
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
    """A request under way: its holder, and since when (seconds since the epoch)."""

    host: str
    payload: bytes
    owner: str
    since: float


@dataclass(frozen=True, slots=True)
class Node:
    """A process that crawls: how many requests it holds, and the seconds until its leases run out."""

    owner: str
    leased: int
    seconds_left: float


class Queue(Protocol):
    """What crawls and operators need of a frontier."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """This host's own delay, concurrency and hours."""

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        """Queue what has not been seen; for each entry whether it was let in."""

    def accounts(self) -> Accounts:
        """Requests by state."""

    def hosts(self) -> Iterator[HostAccount]:
        """Requests by state for each host that has any but done ones."""

    def flush(self) -> None:
        """Make pending changes durable."""

    def close(self) -> None:
        """Give back this owner's leases and close the storage."""


class Frontier(Queue, Protocol):
    """What a crawl needs of a frontier; no call waits for a page."""

    @property
    def lost(self) -> str:
        """Why a part of the queue is gone, "" if nothing was lost."""

    @property
    def away(self) -> str:
        """Why nothing can be had of it now, "" if something can; it goes on by itself."""

    @property
    def fault(self) -> str:
        """Why it cannot be used any more, with what to do; "" if it can, or if waiting may help."""

    def begin(self) -> Accounts:
        """Join or resume the crawl; returns what an earlier run left. A finished crawl is forgotten, and visited again."""

    def notify(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `pop` or `pending` may have another result although this process made no call."""

    def knows(self, key: int) -> bool:
        """True if the key was surely let in before; cheap. False says nothing."""

    def promote(self, key: int, host: str, priority: int) -> bool:
        """Raise a queued, movable request of this host to this priority; False if it is surely not queued or has that
        priority already. A request that was given back or has failed keeps its place."""

    def pop(self, count: int) -> list[RequestLease]:
        """At most `count` requests whose hosts may be asked now, each under a new lease."""

    def ack(self, tokens: Sequence[str]) -> int:
        """These are done; returns the number of leases that still held (a late token changes nothing)."""

    def give_back(self, tokens: Sequence[str]) -> None:
        """Queue these again as if they had not been popped."""

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """An attempt failed: queue it again after `delay` seconds; True if it was the last one, and the request is dead."""

    def heartbeat(self) -> None:
        """Prolong this owner's leases, take back those that have run out, make pending changes durable."""

    def wait_seconds(self) -> float | None:
        """Seconds until `pop` can return something; None if nothing is queued, or only an answer can free a host."""

    def seconds_until_open(self) -> float | None:
        """Seconds until the first host that has something queued but is outside its hours may be asked; None if there
        is none."""

    def pending(self) -> bool:
        """Whether anything is queued, also if its host must wait, or is under way at another node; cheap."""


class ManagedFrontier(Queue, Protocol):
    """What operators need besides."""

    def nodes(self) -> Iterator[Node]:
        """The processes that crawl, as far as they are known here."""

    def leased(self) -> Iterator[LeasedRequest]:
        """Requests under way."""

    def dead(self) -> Iterator[DeadRequest]:
        """Requests that were given up."""

    def find(self, key: int, host: str) -> KnownRequest | None:
        """The request of this host with this key; None if it was never let in."""

    def requeue(self, host: str = "") -> int:
        """Queue the dead again with fresh attempts, of one host or all; returns the number."""

    def purge(self) -> int:
        """Forget everything, also the seen keys; returns the number of queued, leased and dead requests."""
