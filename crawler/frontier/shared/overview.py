"""A divided crawl as operators see it: the sums over its parts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, DeadRequest, Entry, HostAccount, KnownRequest, LeasedRequest, Node
from crawler.frontier.shared.redis import RedisFrontier


def total(accounts: Iterable[Accounts]) -> Accounts:
    """The sums, state by state."""
    rows = [(each.queued, each.leased, each.done, each.dead) for each in accounts]
    return Accounts(*map(sum, zip(*rows, strict=True))) if rows else Accounts(0, 0, 0, 0)


class DividedQueue:
    """`ManagedFrontier` over the parts.

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

    def accounts(self) -> Accounts:
        return total(part.accounts() for part in self._parts)

    def hosts(self) -> Iterator[HostAccount]:
        return iter(sorted(chain(*(part.hosts() for part in self._parts)), key=lambda host: -host.queued))

    def nodes(self) -> Iterator[Node]:
        """Each process once, with all that it holds."""
        found: dict[str, Node] = {}
        for node in chain(*(part.nodes() for part in self._parts)):
            before = found.get(node.owner, Node(node.owner, 0, node.seconds_left))
            left = min(before.seconds_left, node.seconds_left)
            found[node.owner] = Node(node.owner, before.leased + node.leased, left)
        return iter(found.values())

    def leased(self) -> Iterator[LeasedRequest]:
        return chain(*(part.leased() for part in self._parts))

    def dead(self) -> Iterator[DeadRequest]:
        return chain(*(part.dead() for part in self._parts))

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
            part.close()

    def _of(self, host: str) -> RedisFrontier:
        return self._parts[self._part_of(host)]
