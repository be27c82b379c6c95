"""A divided crawl as operators see it: the sums over its parts."""

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, DeadRequest, Entry, HostAccount, KnownRequest, LeasedRequest, Node
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import AwayError

logger = logging.getLogger(__name__)
T = TypeVar("T")


def total(accounts: Iterable[Accounts]) -> Accounts:
    """The sums, state by state."""
    rows = [(each.queued, each.leased, each.done, each.dead) for each in accounts]
    return Accounts(*map(sum, zip(*rows, strict=True))) if rows else Accounts(0, 0, 0, 0)


class DividedQueue:
    """`ManagedFrontier` over the parts; views leave out parts whose server is away.

    Args:
        part_of: from a host to the number of its part.
        forgotten: called after a purge.
    """

    def __init__(
        self, parts: Sequence[RedisFrontier], part_of: Callable[[str], int], forgotten: Callable[[], None]
    ) -> None:
        self._parts = parts
        self._part_of = part_of
        self._forgotten = forgotten

    def set_pace(self, host: str, pace: Politeness) -> None:
        self._of(host).set_pace(host, pace)

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `Queue.push`; one call of each part."""
        places: dict[int, list[int]] = {}
        for place, entry in enumerate(entries):
            places.setdefault(self._part_of(entry.host), []).append(place)
        accepted = [False] * len(entries)
        for part, own in places.items():
            answers = self._parts[part].push([entries[place] for place in own])
            for place, answer in zip(own, answers, strict=True):
                accepted[place] = answer
        return accepted

    def _seen(self, view: Callable[[RedisFrontier], Iterable[T]]) -> list[T]:
        """What there is at all parts whose server answers; AwayError if none does."""
        found: list[T] = []
        reasons: list[AwayError] = []
        for part in self._parts:
            try:
                found += view(part)
            except AwayError as error:
                reasons.append(error)
        if len(reasons) == len(self._parts):
            raise reasons[0]
        for sentence in sorted(set(map(str, reasons))):
            logger.warning("%s; its hosts are left out", sentence)
        return found

    def accounts(self) -> Accounts:
        return total(self._seen(lambda part: [part.accounts()]))

    def hosts(self) -> Iterator[HostAccount]:
        return iter(sorted(self._seen(RedisFrontier.hosts), key=lambda host: -host.queued))

    def nodes(self) -> Iterator[Node]:
        """Each process once, with all that it holds."""
        found: dict[str, Node] = {}
        for node in self._seen(RedisFrontier.nodes):
            before = found.get(node.owner, Node(node.owner, 0, node.seconds_left))
            left = min(before.seconds_left, node.seconds_left)
            found[node.owner] = Node(node.owner, before.leased + node.leased, left)
        return iter(found.values())

    def leased(self) -> Iterator[LeasedRequest]:
        return iter(self._seen(RedisFrontier.leased))

    def dead(self) -> Iterator[DeadRequest]:
        return iter(self._seen(RedisFrontier.dead))

    def find(self, key: int, host: str) -> KnownRequest | None:
        return self._of(host).find(key, host)

    def requeue(self, host: str = "") -> int:
        return sum(part.requeue(host) for part in ([self._of(host)] if host else self._parts))

    def purge(self) -> int:
        """See `ManagedFrontier.purge`; the next run may have other parts, if no node is at work."""
        nodes = list(self.nodes())
        forgotten = sum(part.purge() for part in self._parts)
        if not nodes:
            self._forgotten()
        return forgotten

    def flush(self) -> None:
        """Everything is in Redis already."""

    def close(self) -> None:
        for part in self._parts:
            with contextlib.suppress(AwayError):
                part.close()

    def _of(self, host: str) -> RedisFrontier:
        return self._parts[self._part_of(host)]
