"""A node's side of a shared frontier: calls answer at once, and meet the server in few round trips of their own thread.

Pushes and answers gather for some hundredths of a second and travel together with the wish for more; within a batch
pushes come first, so that children are queued before their parent is acknowledged. While the server is away everything
waits here: the crawl goes on with what it has, then stands still, and goes on by itself.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from crawler.frontier.base import (
    MAX_ATTEMPTS,
    Accounts,
    Entry,
    FrontierError,
    HostAccount,
    Lease,
    Politeness,
)
from crawler.frontier.recent import RecentPushes
from crawler.frontier.shared.absence import Absence
from crawler.frontier.shared.exchange import AwayError, Batch, CrawlLostError, CrawlRenewedError, Move, Outcome
from crawler.frontier.shared.outbox import Outbox
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.views import RemoteViews

logger = logging.getLogger(__name__)
GATHER_SECONDS = 0.02
IDLE_SECONDS = 0.5
"""A node without work asks so often; another node's pushes are found no later."""
LOOK_SECONDS = 3.0
"""Between two looks at the hosts' queues, and for processes beside this one that have died."""
LEAVE_SECONDS = 10.0


class BufferedFrontier(RemoteViews):
    """The frontier protocol over a `RedisFrontier`, for use in the event loop.

    Args:
        capacity: how many requests this node can have under way.
    """

    def __init__(self, remote: RedisFrontier, capacity: int) -> None:
        super().__init__(remote)
        self.owner = remote.owner
        self._capacity = capacity
        self._outbox = Outbox()
        self._ready: deque[Lease] = deque()
        self._under_way: dict[str, Lease] = {}
        self._recent = RecentPushes()
        self._accounts = Accounts(0, 0, 0, 0)
        self._sent: Batch | None = None
        self._reconcile = False
        self._pushed = self._delivered = 0
        self._starved = False
        self._asked_at = 0.0
        self._looked_at = 0.0
        self._hosts: list[HostAccount] = []
        self._hosts_wanted = False
        self._next_wait: float | None = None
        self._asleep: float | None = None
        self._away = Absence()
        self._wake: Callable[[], None] = lambda: None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="frontier")
        self._kick = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    # -- what the scheduler calls -----------------------------------------------------------------------------------

    def begin(self) -> Accounts:
        """See `Frontier.begin`."""
        self._accounts = self._remote.begin()
        self._hosts = list(self._remote.hosts())
        self._task = asyncio.get_running_loop().create_task(self._run())
        return self._accounts

    def notify(self, wake: Callable[[], None]) -> None:
        """See `Frontier.notify`."""
        self._wake = wake

    def knows(self, key: int) -> bool:
        """See `Frontier.knows`."""
        return self._recent.knows(key)

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `Frontier.push`; True also for what another node will turn out to have pushed before."""
        accepted = [entry.again or not self._recent.knows(entry.key) for entry in entries]
        for entry, let_in in zip(entries, accepted, strict=True):
            if let_in:
                self._recent.add(entry.key)
                self._outbox.pushes.append(entry)
                self._pushed += 1
        self._kick.set()
        return accepted

    async def delivered(self) -> None:
        """Return when everything that was pushed until now is on the server."""
        last = self._pushed
        while self._delivered < last:
            await asyncio.sleep(GATHER_SECONDS)

    def promote(self, key: int, host: str, priority: int) -> bool:
        """See `Frontier.promote`; whether it still waited turns out later."""
        self._outbox.moves[key] = Move(key, host, priority)
        self._kick.set()
        return True

    def pop(self, count: int) -> list[Lease]:
        """See `Frontier.pop`; what was fetched for this node, and a wish for more when that is nothing."""
        leases = [self._ready.popleft() for _ in range(min(count, len(self._ready)))]
        self._under_way.update((lease.token, lease) for lease in leases)
        if not leases:
            self._starved = True
            self._kick.set()
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`; whether they still held turns out later."""
        known = self._answered(tokens)
        self._outbox.acks += known
        return len(known)

    def give_back(self, tokens: Sequence[str]) -> None:
        """See `Frontier.give_back`."""
        self._outbox.given_back += self._answered(tokens)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """See `Frontier.fail`."""
        lease = self._under_way.get(token)
        self._outbox.failures += [(known, reason, delay) for known in self._answered([token])]
        return lease is not None and lease.attempt >= MAX_ATTEMPTS

    def _answered(self, tokens: Sequence[str]) -> list[str]:
        known = [token for token in tokens if self._under_way.pop(token, None)]
        self._kick.set()
        return known

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`; every round trip is a sign of life, so this only asks for one."""
        self._reconcile = True
        self._kick.set()

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`; None also while another node may bring more, `notify` says when there is."""
        if self._ready:
            return 0.0
        if self._outbox or self._sent or self._accounts.leased or self._away:
            return None
        return self._next_wait

    def asleep_seconds(self) -> float | None:
        """See `Frontier.asleep_seconds`; as of the last round trip."""
        return self._asleep

    def pending(self) -> bool:
        """See `Frontier.pending`; also while anything is on its way to the server or the server is away."""
        left = self._accounts.queued + self._accounts.leased
        return bool(left or self._ready or self._outbox or self._sent or self._away)

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`; as of the last round trip."""
        return self._accounts

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`; told before the next batch, so before what is pushed after this."""
        self._remote.set_pace(host, pace)

    def flush(self) -> None:
        """See `Frontier.flush`; what is pending is on its way anyway."""

    # -- round trips --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:
            await self._until_needed(loop)
            self._sent = self._sent or self._next_batch()
            try:
                outcome = await loop.run_in_executor(self._thread, self._remote.exchange, self._sent)
                if self._away:
                    await self._after_absence(loop)
                self._receive(self._sent, outcome)
                await self._look_around(loop)
            except AwayError as error:
                await self._wait_for_server(error)
            except (CrawlLostError, CrawlRenewedError) as error:
                await self._join_again(loop, error)
            except Exception:
                logger.exception("The frontier did not answer as it should; asked again in a moment")
                await asyncio.sleep(5.0)

    async def _until_needed(self, loop: asyncio.AbstractEventLoop) -> None:
        """Until something is to be told or asked; never sooner than the gathering time after the last round trip."""
        busy = (len(self._under_way) + len(self._ready)) / self._capacity
        if busy > 0.75:  # else this node would stand idle for its next page
            await asyncio.sleep(max(0.0, self._asked_at + GATHER_SECONDS - loop.time()))
        while not (self._outbox or self._reconcile or self._sent):
            wait = self._seconds_to_asking(loop.time())
            if wait <= 0:
                break
            self._kick.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._kick.wait(), wait)
        self._asked_at = loop.time()

    def _seconds_to_asking(self, now: float) -> float:
        if not self._starved:
            return 10.0
        wait = IDLE_SECONDS if self._next_wait is None else min(IDLE_SECONDS, max(0.002, self._next_wait))
        return self._asked_at + wait - now

    async def _look_around(self, loop: asyncio.AbstractEventLoop) -> None:
        """Now and then: what hosts have, if somebody asks; and, without work, whether a process beside this one died."""
        if loop.time() < self._looked_at + LOOK_SECONDS:
            return
        self._looked_at = loop.time()
        if self._hosts_wanted:
            self._hosts = await loop.run_in_executor(self._thread, lambda: list(self._remote.hosts()))
        if self._under_way or self._ready:
            return
        found = await loop.run_in_executor(self._thread, self._remote.take_over)
        if found:
            logger.info("A node beside this one has died; the %d requests that it held are queued again", found)

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`; as of some seconds ago, so that nobody waits for the server."""
        self._hosts_wanted = True
        return iter(self._hosts)

    def _next_batch(self) -> Batch:
        room = self._capacity - len(self._under_way) - len(self._ready)
        under_way = [*self._under_way, *(lease.token for lease in self._ready)] if self._reconcile else None
        self._reconcile = False
        return self._outbox.next_batch(max(0, room) if self._starved else 0, under_way)

    def _receive(self, batch: Batch, outcome: Outcome) -> None:
        self._sent = None
        self._recent.delivered(batch.pushes)
        self._delivered += len(batch.pushes)
        self._ready.extend(outcome.leases)
        self._next_wait, self._asleep = outcome.wait, outcome.asleep
        self._accounts = outcome.accounts
        if outcome.leases:
            self._starved = False
        if outcome.leases or not outcome.accounts.queued + outcome.accounts.leased:
            self._wake()

    # -- when the server is away or has forgotten -------------------------------------------------------------------

    async def _wait_for_server(self, error: FrontierError) -> None:
        await asyncio.sleep(self._away.goes_on(error))

    async def _after_absence(self, loop: asyncio.AbstractEventLoop) -> None:
        """A server that was started again may have lost its last second: what was pushed in it is pushed again."""
        restarted = await loop.run_in_executor(self._thread, self._remote.server_restarted)
        self._away.ends()
        self._reconcile = True
        if restarted:
            self._push_recent()

    def _push_recent(self) -> None:
        again = list(self._recent.entries())
        self._outbox.pushes.extend(again)
        self._pushed += len(again)
        self._recent.forget_entries()

    async def _join_again(self, loop: asyncio.AbstractEventLoop, error: FrontierError) -> None:
        """The crawl that this node worked on is gone; what it has under way is finished, the rest begins anew."""
        try:
            await loop.run_in_executor(self._thread, self._remote.begin)
        except FrontierError as reason:
            await self._wait_for_server(reason)
            return
        self._ready.clear()
        if isinstance(error, CrawlLostError):
            logger.error(
                "%s: it runs without persistence, or was flushed. Turn appendonly on. What this node has pushed "
                "lately is queued again; `scrapy frontier rebuild` queues the rest from the stored links",
                error,
            )
            self._push_recent()
        else:
            logger.warning("%s; this node goes on with what is there now", error)
            self._recent = RecentPushes()

    def close(self) -> None:
        """See `Frontier.close`; waits for a server that is away, but not for long."""
        if self._closed:
            return
        self._closed = True
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=True)
        self.give_back([*self._under_way])
        self._outbox.given_back += [lease.token for lease in self._ready]
        self._ready.clear()
        try:
            self._deliver_rest(time.monotonic() + LEAVE_SECONDS)
        except FrontierError as error:
            logger.warning("%s. What this node has under way is queued again when its leases run out", error)

    def _deliver_rest(self, deadline: float) -> None:
        self._starved = False
        while self._sent or self._outbox:
            self._sent = self._sent or self._next_batch()
            try:
                unwanted = self._remote.exchange(self._sent).leases
                self._outbox.given_back += [lease.token for lease in unwanted]
                self._sent = None
            except AwayError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        self._remote.close()
