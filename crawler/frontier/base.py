"""The frontier's protocol: which page comes next, and that none is forgotten.

A request is pushed, popped under a lease, and then acknowledged, given back, or failed. It is done only when it is
acknowledged; a lease that runs out, or whose holder dies, puts it back. Within a host the largest `priority` comes
first; among hosts whose best requests lie in the same band of priorities, the one that has waited longest. Delay and
concurrency per host are the frontier's, so that every node that shares it keeps to them together; so are the hours in
which a host may be asked.

A spider says how much a page is worth with `request.priority`, larger first. Priorities within one hundred
(`crawler.frontier.local.turns.BAND`) are one band: among hosts they make no difference, so that one site cannot starve the
rest. FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY are the pace of every host; `set_pace` gives one host its own.

The accounts always balance: enqueued = queued + leased + done + dead.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from crawler.config.hours import Hours

MAX_ATTEMPTS = 5
LEASE_SECONDS = 180.0
MAX_LOST = 20
"""A request that was under way in so many processes that died is taken for what killed them."""


class FrontierError(Exception):
    """The frontier cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A request on its way in.

    Attributes:
        key: its identity, a signed 64-bit number; a key is let in once.
        host: whose turn, delay and caps it falls under.
        priority: larger comes first.
        payload: the request as bytes (`crawler.frontier.requests`); empty marks the key as seen and queues nothing.
        again: let it in although its key has been seen (Scrapy's `dont_filter`).
        movable: while it waits it may be promoted; a push of the same key with a higher priority does that too.
    """

    key: int
    host: str
    priority: int
    payload: bytes
    again: bool = False
    movable: bool = False


@dataclass(frozen=True, slots=True)
class Lease:
    """A popped request; `token` names this lease alone, so that a late answer to an older one is refused."""

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
        """All that were ever let in."""
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

    key: int
    host: str
    payload: bytes
    attempts: int
    reason: str


@dataclass(frozen=True, slots=True)
class LeasedRequest:
    """A request under way: who holds it and since when (seconds since the epoch)."""

    host: str
    payload: bytes
    owner: str
    since: float


@dataclass(frozen=True, slots=True)
class Node:
    """A process at work: what it holds, and in how many seconds that is taken from it unless it is heard of."""

    owner: str
    leased: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Politeness:
    """Per host: seconds between two requests, how many may be under way at once, and when it may be asked (None: always)."""

    delay: float = 1.0
    concurrency: int = 4
    hours: Hours | None = None


class Frontier(Protocol):
    """What every frontier does; none of its calls waits for a page."""

    def begin(self) -> Accounts:
        """Join or resume the crawl; what an earlier run left. A finished one is forgotten, to be visited again."""

    def notify(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `pop` or `pending` may answer otherwise than before without a call from here."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """This host's own delay, concurrency and hours."""

    def knows(self, key: int) -> bool:
        """Whether the key was surely let in before; cheap, and False where that is not known here."""

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """Queue what has not been seen; for each entry whether it was let in."""

    def promote(self, key: int, host: str, priority: int) -> bool:
        """Move a queued, movable request of this host up to this priority; False if it is surely not queued or as good
        already. A request that was given back or has failed stays where it is."""

    def pop(self, count: int) -> list[Lease]:
        """At most `count` requests whose hosts may be asked now, each under a new lease."""

    def ack(self, tokens: Sequence[str]) -> int:
        """These are done; the number of leases that still held (a late token changes nothing)."""

    def give_back(self, tokens: Sequence[str]) -> None:
        """Queue these again as if they had not been popped."""

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """One attempt has failed: queue it again after `delay` seconds; True if it was the last, and the request is dead."""

    def heartbeat(self) -> None:
        """Prolong this owner's leases, take back what has run out, make durable what is pending."""

    def wait_seconds(self) -> float | None:
        """Seconds until `pop` can give something; None while nothing is queued or only an answer can free a host."""

    def asleep_seconds(self) -> float | None:
        """Seconds until the first of the hosts that have something queued but are outside their hours may be asked;
        None if there are none."""

    def pending(self) -> bool:
        """Whether anything is queued, also if its host must wait, or is under way at another node; cheap."""

    def accounts(self) -> Accounts:
        """Requests by state."""

    def hosts(self) -> Iterator[HostAccount]:
        """Requests by state for each host that has any but done ones."""

    def nodes(self) -> Iterator[Node]:
        """The processes at work, as far as they can be seen from here."""

    def leased(self) -> Iterator[LeasedRequest]:
        """What is under way."""

    def dead(self) -> Iterator[DeadRequest]:
        """What was given up."""

    def requeue(self, host: str = "") -> int:
        """Queue the dead again with fresh attempts, of one host or all; how many."""

    def purge(self) -> int:
        """Forget everything, also what was seen; the number of requests that were queued, leased or dead."""

    def flush(self) -> None:
        """Make durable what is pending."""

    def close(self) -> None:
        """Give back this owner's leases and let go of the storage."""
