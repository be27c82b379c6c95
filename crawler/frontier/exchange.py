"""One round trip between a node and a shared frontier: what was done goes in, what to do comes out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from crawler.frontier.base import Accounts, Entry, FrontierError, Lease


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


@dataclass(slots=True)
class Outcome:
    """The answer to a batch.

    Attributes:
        accepted: for each push whether it was let in; empty if the batch had been carried out before.
        held: how many of the acknowledged leases still held.
        wait: seconds until more can be popped; None if only an answer or a push can help.
        accounts: those of the whole crawl, just after.
    """

    accepted: list[bool] = field(default_factory=list)
    held: int = 0
    leases: list[Lease] = field(default_factory=list)
    wait: float | None = None
    accounts: Accounts = field(default_factory=lambda: Accounts(0, 0, 0, 0))


class AwayError(FrontierError):
    """The server cannot be reached just now; what was sent may or may not have arrived."""


class CrawlLostError(FrontierError):
    """The server answers, but the crawl is not there any more."""


class CrawlRenewedError(FrontierError):
    """Somebody has purged the crawl or begun it anew."""
