"""A node's side of a crawl whose hosts are divided among several servers: one `PartFrontier` for each part.

All that belongs to a host is in its part, so that politeness and the seen-set need one server each. A part whose server is
away waits; the others go on.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, Entry, FrontierError, HostAccount, Lease
from crawler.frontier.recent_keys import MAX_KEYS
from crawler.frontier.shared.answers import Answers
from crawler.frontier.shared.overview import total
from crawler.frontier.shared.part import PartFrontier
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.rhythm import LEAVE_SECONDS
from crawler.frontier.shared.server import AwayError, Outage

logger = logging.getLogger(__name__)
MAX_BACKLOG = 100_000
"""Pushes that a node keeps for servers that are away; with more of them it begins no further page."""


class DividedFrontier:
    """The frontier protocol over the parts of a crawl.

    Args:
        remotes: each part's frontier.
        homes: each part's server.
        part_of: from a host to the number of its part.
        capacity: the number of requests that this node can have under way.
    """

    fault = ""

    def __init__(
        self, remotes: Sequence[RedisFrontier], homes: Sequence[str], part_of: Callable[[str], int], capacity: int
    ) -> None:
        self.owner = remotes[0].owner
        self._remotes = remotes
        self._part_of = part_of
        self._capacity = capacity
        outages: dict[str, list[Outage]] = {home: [] for home in homes}
        self._parts = [
            PartFrontier(
                remote,
                capacity,
                room=partial(self._room_of, part),
                outage=Outage(outages[home]),
                recent_keys=max(1000, MAX_KEYS // len(homes)),
            )
            for part, (remote, home) in enumerate(zip(remotes, homes, strict=True))
        ]
        self._answers = Answers(self._parts)
        for number, part in enumerate(self._parts):
            part.notify_received(partial(self._received, number))
        self._turn = 0
        self._closed = False

    @property
    def lost(self) -> str:
        return next((part.lost for part in self._parts if part.lost), "")

    @property
    def away(self) -> str:
        """See `Frontier.away`; also if too much waits for a server that is away."""
        reasons = [part.away for part in self._parts]
        full = any(part.away and part.backlog > MAX_BACKLOG for part in self._parts)
        return next(filter(None, reasons)) if full or all(reasons) else ""

    def begin(self) -> Accounts:
        """See `Frontier.begin`; parts whose server is away follow later, AwayError if all are."""
        self._forget_if_finished()
        found = [self._begin(part) for part in self._parts]
        if not any(found):
            self._remotes[0].begin()
        return total(filter(None, found))

    def _begin(self, part: PartFrontier) -> Accounts | None:
        try:
            return part.begin()
        except AwayError as error:
            logger.warning("%s; its part of the crawl waits", error)
            part.join_when_back()
            return None

    def _forget_if_finished(self) -> None:
        """A crawl is finished if all its parts are, and nobody works on it."""
        try:
            for remote in self._remotes:
                remote.take_over()
            accounts = total(remote.accounts() for remote in self._remotes)
            nodes = [node for remote in self._remotes for node in remote.nodes() if node.seconds_left > 0]
        except AwayError:
            return  # a part that is not known may have something left
        if accounts.enqueued and not (accounts.queued or accounts.leased or nodes):
            for remote in self._remotes:
                remote.afresh = True

    def notify(self, wake: Callable[[], None]) -> None:
        for part in self._parts:
            part.notify(wake)

    def knows(self, key: int) -> bool:
        return any(part.knows(key) for part in self._parts)

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `BufferedFrontier.push`."""
        return [self._of(entry.host).push([entry])[0] for entry in entries]

    def promote(self, key: int, host: str, priority: int) -> bool:
        return self._of(host).promote(key, host, priority)

    async def delivered(self) -> None:
        """Return when everything that was pushed until now is on the servers."""
        for part in self._parts:
            await part.delivered()

    def pop(self, count: int) -> list[Lease]:
        """See `Frontier.pop`; each call begins with another part."""
        leases: list[Lease] = []
        self._turn = (self._turn + 1) % len(self._parts)
        for number in chain(range(self._turn, len(self._parts)), range(self._turn)):
            if len(leases) == count:
                break
            found = self._parts[number].pop(count - len(leases))
            leases += [replace(lease, token=f"{number}/{lease.token}") for lease in found]
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`; sent when all that was pushed before is on its servers."""
        known = sum(self._answers.done(*_named(token)) for token in tokens)
        self._look()
        return known

    def give_back(self, tokens: Sequence[str]) -> None:
        for part, token in map(_named, tokens):
            self._parts[part].give_back([token])
        self._look()

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        part, own = _named(token)
        was_last = self._parts[part].fail(own, reason, delay)
        self._look()
        return was_last

    def heartbeat(self) -> None:
        for part in self._parts:
            part.heartbeat()

    def wait_seconds(self) -> float | None:
        """See `BufferedFrontier.wait_seconds`; that of the part that is ready first."""
        waits = [part.wait_seconds() for part in self._parts if part.pending()]
        known = [wait for wait in waits if wait is not None]
        if 0.0 in known or len(known) == len(waits):
            return min(known, default=None)
        return None

    def seconds_until_open(self) -> float | None:
        waits = (part.seconds_until_open() for part in self._parts)
        return min((wait for wait in waits if wait is not None), default=None)

    def pending(self) -> bool:
        return any(part.pending() for part in self._parts)

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`; of a part whose server is away as of its last answer."""
        return total(part.accounts() for part in self._parts)

    def hosts(self) -> Iterator[HostAccount]:
        return iter(sorted(chain(*(part.hosts() for part in self._parts)), key=lambda host: -host.queued))

    def set_pace(self, host: str, pace: Politeness) -> None:
        self._of(host).set_pace(host, pace)

    def flush(self) -> None:
        """See `BufferedFrontier.flush`."""

    def close(self) -> None:
        """See `Frontier.close`; answers whose links could not be sent are given back instead."""
        if self._closed:
            return
        self._closed = True
        for part in self._parts:
            part.stop()
        deadline = time.monotonic() + LEAVE_SECONDS
        for part in self._parts:
            try:
                part.send_everything(deadline)
            except FrontierError as error:
                logger.warning("%s. What this node had for it is lost; its pages are fetched again", error)
        self._answers.look()
        for part in self._parts:
            part.close()

    def _of(self, host: str) -> PartFrontier:
        return self._parts[self._part_of(host)]

    def _room_of(self, number: int) -> int:
        """A part's share of what this node can still take, if the part has something to give."""
        if not self._parts[number].wants:
            return 0
        free = self._capacity - sum(part.claim for part in self._parts)
        return max(1, free // sum(part.wants for part in self._parts)) if free > 0 else 0

    def _received(self, number: int) -> None:
        self._answers.look_at(number)
        self._look()

    def _look(self) -> None:
        """Parts that want more may find room now."""
        for part in self._parts:
            if part.wants:
                part.look()


def _named(token: str) -> tuple[int, str]:
    number, _, own = token.partition("/")
    return int(number), own
