"""Operators' view of a crawl in several shards: the sums over them."""

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, DeadRequest, HostAccount, KnownRequest, LeasedRequest, Node, QueueEntry
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import RedisUnavailableError

logger = logging.getLogger(__name__)
T = TypeVar("T")


def total(accounts: Iterable[Accounts]) -> Accounts:
    """The sum of each state."""
    rows = [(each.queued, each.leased, each.done, each.dead) for each in accounts]
    return Accounts(*map(sum, zip(*rows, strict=True))) if rows else Accounts(0, 0, 0, 0)


class ShardedQueue:
    """`ManagedFrontier` over the shards; views omit unavailable shards.

    Args:
        shard_of: maps a host to the number of its shard.
        forgotten: called after a purge.
    """

    def __init__(
        self, shards: Sequence[RedisFrontier], shard_of: Callable[[str], int], forgotten: Callable[[], None]
    ) -> None:
        self._shards = shards
        self._shard_of = shard_of
        self._forgotten = forgotten

    def set_pace(self, host: str, pace: Politeness) -> None:
        self._of(host).set_pace(host, pace)

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        """See `Queue.push`; one call per shard."""
        places: dict[int, list[int]] = {}
        for place, entry in enumerate(entries):
            places.setdefault(self._shard_of(entry.host), []).append(place)
        accepted = [False] * len(entries)
        for shard, own in places.items():
            answers = self._shards[shard].push([entries[place] for place in own])
            for place, answer in zip(own, answers, strict=True):
                accepted[place] = answer
        return accepted

    def _seen(self, view: Callable[[RedisFrontier], Iterable[T]]) -> list[T]:
        """The rows of all available shards. Raises RedisUnavailableError if none is available."""
        found: list[T] = []
        reasons: list[RedisUnavailableError] = []
        for shard in self._shards:
            try:
                found += view(shard)
            except RedisUnavailableError as error:
                reasons.append(error)
        if len(reasons) == len(self._shards):
            raise reasons[0]
        for sentence in sorted(set(map(str, reasons))):
            logger.warning("%s; its hosts are left out", sentence)
        return found

    def accounts(self) -> Accounts:
        return total(self._seen(lambda shard: [shard.accounts()]))

    def hosts(self) -> Iterator[HostAccount]:
        return iter(sorted(self._seen(RedisFrontier.hosts), key=lambda host: -host.queued))

    def nodes(self) -> Iterator[Node]:
        """Each process once, with its leases in all shards."""
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
        return sum(shard.requeue(host) for shard in ([self._of(host)] if host else self._shards))

    def purge(self) -> int:
        """See `ManagedFrontier.purge`; if no node is active, the next run may have another number of shards."""
        nodes = list(self.nodes())
        forgotten = sum(shard.purge() for shard in self._shards)
        if not nodes:
            self._forgotten()
        return forgotten

    def flush(self) -> None:
        """Everything is in Redis already."""

    def close(self) -> None:
        for shard in self._shards:
            with contextlib.suppress(RedisUnavailableError):
                shard.close()
        self._shards[0].client.close()

    def _of(self, host: str) -> RedisFrontier:
        return self._shards[self._shard_of(host)]
