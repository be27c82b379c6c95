"""A node's side of a crawl in several shards, with one `ShardFrontier` each.

All data of a host is in its shard, so that politeness and the seen-set of a host need one server. A shard with an unavailable
server waits; the others continue.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, FrontierError, HostAccount, QueueEntry, RequestLease
from crawler.frontier.recent_keys import MAX_KEYS
from crawler.frontier.shared.cross_shard_acks import CrossShardAcks
from crawler.frontier.shared.poll_timer import LEAVE_SECONDS
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import Outage, RedisUnavailableError
from crawler.frontier.shared.shard_frontier import ShardFrontier
from crawler.frontier.shared.sharded_queue import total

logger = logging.getLogger(__name__)
MAX_BACKLOG = 100_000
"""Pushes and acknowledgements buffered for unavailable servers, above which a node starts no further page."""


class ShardedFrontier:
    """The frontier protocol over the shards of a crawl.

    Args:
        remotes: each shard's frontier; they share one client.
        shard_of: maps a host to the number of its shard.
        capacity: maximum number of requests under way on this node.
    """

    fault = ""

    def __init__(self, remotes: Sequence[RedisFrontier], shard_of: Callable[[str], int], capacity: int) -> None:
        self.owner = remotes[0].owner
        self._remotes = remotes
        self._shard_of = shard_of
        self._capacity = capacity
        outages: list[Outage] = []
        self._shards = [
            ShardFrontier(
                remote,
                capacity,
                room=partial(self._room_of, number),
                outage=Outage(outages),
                recent_keys=max(1000, MAX_KEYS // len(remotes)),
            )
            for number, remote in enumerate(remotes)
        ]
        self._acks = CrossShardAcks(self._shards)
        for number, shard in enumerate(self._shards):
            shard.notify_changed(partial(self._changed, number))
        self._turn = 0
        self._closed = False

    @property
    def lost(self) -> str:
        return next((shard.lost for shard in self._shards if shard.lost), "")

    @property
    def away(self) -> str:
        """See `Frontier.away`; also if too much is buffered for an unavailable server."""
        away = [shard for shard in self._shards if shard.is_away]
        if not away:
            return ""
        reasons = [shard.away for shard in self._shards]
        waiting = sum(shard.backlog for shard in away) + len(self._acks)
        return next(filter(None, reasons), "") if waiting > MAX_BACKLOG or all(reasons) else ""

    def begin(self) -> Accounts:
        """See `Frontier.begin`; unavailable shards join later. Raises RedisUnavailableError if all are unavailable."""
        self._forget_if_finished()
        found = [self._begin(shard) for shard in self._shards]
        if not any(found):
            self._remotes[0].begin()
        return total(filter(None, found))

    def _begin(self, shard: ShardFrontier) -> Accounts | None:
        try:
            return shard.begin()
        except RedisUnavailableError as error:
            logger.warning("%s; its hosts wait", error)
            shard.join_when_back()
            return None

    def _forget_if_finished(self) -> None:
        """Delete the crawl if all its shards are finished and no node works on it."""
        try:
            for remote in self._remotes:
                remote.take_over()
            accounts = total(remote.accounts() for remote in self._remotes)
            nodes = [node for remote in self._remotes for node in remote.nodes() if node.seconds_left > 0]
        except RedisUnavailableError:
            return  # an unavailable shard may have requests left
        if accounts.enqueued and not (accounts.queued or accounts.leased or nodes):
            for remote in self._remotes:
                remote.afresh = True

    def notify(self, wake: Callable[[], None]) -> None:
        for shard in self._shards:
            shard.notify(wake)

    def knows(self, key: int) -> bool:
        return any(shard.knows(key) for shard in self._shards)

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        """See `BufferedFrontier.push`."""
        return [self._push(entry) for entry in entries]

    def _push(self, entry: QueueEntry) -> bool:
        number = self._shard_of(entry.host)
        accepted = self._shards[number].push([entry])[0]
        if accepted:
            self._acks.pushed(number)
        return accepted

    def promote(self, key: int, host: str, priority: int) -> bool:
        return self._of(host).promote(key, host, priority)

    async def delivered(self) -> None:
        """Return once everything pushed so far is on the servers."""
        for shard in self._shards:
            await shard.delivered()

    def pop(self, count: int) -> list[RequestLease]:
        """See `Frontier.pop`; starts with another shard in each call."""
        leases: list[RequestLease] = []
        self._turn = (self._turn + 1) % len(self._shards)
        for number in chain(range(self._turn, len(self._shards)), range(self._turn)):
            if len(leases) == count:
                break
            found = self._shards[number].pop(count - len(leases))
            for lease in found:
                self._acks.leased(number, lease.token)
            leases += [replace(lease, token=f"{number}/{lease.token}") for lease in found]
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`; sent once all pushes of its page are on their servers."""
        known = sum(self._acks.done(*_named(token)) for token in tokens)
        self._look()
        return known

    def give_back(self, tokens: Sequence[str]) -> None:
        for number, token in map(_named, tokens):
            self._acks.ended(number, token)
            self._shards[number].give_back([token])
        self._look()

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        number, own = _named(token)
        self._acks.ended(number, own)
        was_last = self._shards[number].fail(own, reason, delay)
        self._look()
        return was_last

    def heartbeat(self) -> None:
        for shard in self._shards:
            shard.heartbeat()

    def wait_seconds(self) -> float | None:
        """See `BufferedFrontier.wait_seconds`; of the shard that is ready first."""
        waits = [shard.wait_seconds() for shard in self._shards if shard.pending()]
        known = [wait for wait in waits if wait is not None]
        if 0.0 in known or len(known) == len(waits):
            return min(known, default=None)
        return None

    def seconds_until_open(self) -> float | None:
        waits = (shard.seconds_until_open() for shard in self._shards)
        return min((wait for wait in waits if wait is not None), default=None)

    def pending(self) -> bool:
        return any(shard.pending() for shard in self._shards)

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`; for an unavailable shard as of its last reply."""
        return total(shard.accounts() for shard in self._shards)

    def hosts(self) -> Iterator[HostAccount]:
        return iter(sorted(chain(*(shard.hosts() for shard in self._shards)), key=lambda host: -host.queued))

    def set_pace(self, host: str, pace: Politeness) -> None:
        self._of(host).set_pace(host, pace)

    def flush(self) -> None:
        """See `BufferedFrontier.flush`."""

    def close(self) -> None:
        """See `Frontier.close`; pages whose links could not be sent are given back."""
        if self._closed:
            return
        self._closed = True
        for shard in self._shards:
            shard.stop()
        deadline = time.monotonic() + LEAVE_SECONDS
        for shard in self._shards:
            try:
                shard.send_everything(deadline)
            except FrontierError as error:
                logger.warning("%s. This node's unsent calls to it are lost; its pages are fetched again", error)
        self._acks.look()
        for shard in self._shards:
            shard.close()
        self._remotes[0].client.close()

    def _of(self, host: str) -> ShardFrontier:
        return self._shards[self._shard_of(host)]

    def _room_of(self, number: int) -> int:
        """A shard's share of the node's free capacity, if the shard has available requests."""
        if not self._shards[number].wants:
            return 0
        free = self._capacity - sum(shard.claim for shard in self._shards)
        return max(1, free // sum(shard.wants for shard in self._shards)) if free > 0 else 0

    def _changed(self, number: int) -> None:
        self._acks.look_at(number)
        self._look()

    def _look(self) -> None:
        """Let shards that want more check for free capacity."""
        for shard in self._shards:
            if shard.wants:
                shard.look()


def _named(token: str) -> tuple[int, str]:
    number, _, own = token.partition("/")
    return int(number), own
