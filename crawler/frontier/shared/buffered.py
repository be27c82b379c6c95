"""A node's side of a shared frontier: calls return at once, and a thread sends them to the server in few round trips.

Pushes and acknowledgements are batched for some hundredths of a second and sent together with the request for more leases;
within a batch pushes come first, so that children are queued before their parent is acknowledged. While the server is
unavailable everything is buffered here: the crawl uses up its leases, then waits, and resumes by itself.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from crawler.config.hours import Politeness
from crawler.frontier.base import MAX_ATTEMPTS, Accounts, FrontierError, HostAccount, QueueEntry, RequestLease
from crawler.frontier.recent_keys import MAX_KEYS, RecentKeys
from crawler.frontier.shared.poll_timer import GATHER_SECONDS, LEAVE_SECONDS, SURVEY_SECONDS, PollTimer
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.round_trip import (
    BatchReply,
    ExchangeBatch,
    NodeLeases,
    PendingBatch,
    Promotion,
    RecentPushes,
)
from crawler.frontier.shared.server import CrawlLostError, CrawlRenewedError, Outage, RedisUnavailableError

logger = logging.getLogger(__name__)


class BufferedFrontier:
    """The frontier protocol over a `RedisFrontier`, for use in the event loop.

    Args:
        capacity: maximum number of requests under way on this node.
        room: how many of them may be requested at present, if the node works on other shards of the crawl too.
        outage: of this shard's server.
        recent_keys: size of the cache of recent keys.
    """

    def __init__(
        self,
        remote: RedisFrontier,
        capacity: int,
        *,
        room: Callable[[], int] | None = None,
        outage: Outage | None = None,
        recent_keys: int = MAX_KEYS,
    ) -> None:
        self.owner = remote.owner
        self.lost = self.fault = ""
        self._remote = remote
        self._unsent = PendingBatch()
        self._leases = NodeLeases()
        self._room = room or (lambda: capacity - len(self._leases))
        self._timer = PollTimer(lambda: self._room(), capacity)
        self._recent_keys = RecentKeys(recent_keys)
        self._recent_pushes = RecentPushes()
        self._accounts = Accounts(0, 0, 0, 0)
        self._sent: ExchangeBatch | None = None
        self._reconcile = False
        self.pushed = self.arrived = 0
        self._surveyed_at = 0.0
        self._hosts: list[HostAccount] = []
        self._hosts_wanted = False
        self._until_open: float | None = None
        self._outage = Outage() if outage is None else outage
        self._wake: Callable[[], None] = lambda: None
        self._changed: Callable[[], None] = lambda: None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="frontier")
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def away(self) -> str:
        """See `Frontier.away`; "" while leases are left here."""
        return "" if self._leases.ready else self._outage.reason

    def begin(self) -> Accounts:
        found = self._remote.begin()
        self._accounts = self._remote.accounts()
        self._hosts = list(self._remote.hosts())
        self.join_when_back()
        return found

    def join_when_back(self) -> None:
        """Join the crawl as soon as the server answers."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    def notify(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def notify_changed(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each reply or failed round trip."""
        self._changed = changed

    def knows(self, key: int) -> bool:
        return self._recent_keys.knows(key)

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        """See `Frontier.push`; True also for entries pushed earlier by another node, if unknown here."""
        accepted = [entry.again or not self._recent_keys.knows(entry.key) for entry in entries]
        for entry, let_in in zip(entries, accepted, strict=True):
            if let_in:
                self._recent_keys.add(entry.key)
                self._unsent.pushes.append(entry)
                self.pushed += 1
        self._timer.kick()
        return accepted

    async def delivered(self) -> None:
        """Return once everything pushed so far is on the server."""
        last = self.pushed
        while self.arrived < last:
            await asyncio.sleep(GATHER_SECONDS)

    def promote(self, key: int, host: str, priority: int) -> bool:
        """See `Frontier.promote`; always True, as only the server knows whether the request is still queued."""
        self._unsent.promotions[key] = Promotion(key, host, priority)
        self._timer.kick()
        return True

    def pop(self, count: int) -> list[RequestLease]:
        """See `Frontier.pop`; returns prefetched leases. If there are none, the next round trip requests some."""
        leases = self._leases.take(count)
        if not leases and not self._timer.starved:
            self._timer.starved = True
            self._timer.kick()
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`; only the server knows whether the leases are still valid."""
        known = self._end_leases(tokens)
        self._unsent.acks += known
        return len(known)

    def give_back(self, tokens: Sequence[str]) -> None:
        self._unsent.given_back += self._end_leases(tokens)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        lease = self._leases.under_way.get(token)
        self._unsent.failures += [(known, reason, delay) for known in self._end_leases([token])]
        return lease is not None and lease.attempt >= MAX_ATTEMPTS

    def _end_leases(self, tokens: Sequence[str]) -> list[str]:
        """The tokens that were under way here."""
        self._timer.kick()
        return self._leases.end(tokens)

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`; every round trip extends the leases, so this only triggers one."""
        self._reconcile = True
        self._timer.kick()

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`; None also while another node may add requests: then `notify`'s callback is called."""
        if self._leases.ready:
            return 0.0
        if self._unsent or self._sent or self._accounts.leased or self._outage:
            return None
        return self._timer.next_wait

    def seconds_until_open(self) -> float | None:
        """See `Frontier.seconds_until_open`; as of the last round trip."""
        return self._until_open

    def pending(self) -> bool:
        """See `Frontier.pending`; True also while calls are unsent or the server is unavailable."""
        left = self._accounts.queued + self._accounts.leased
        return bool(left or self._leases.ready or self._unsent or self._sent or self._outage)

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`; as of the last round trip."""
        return self._accounts

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`; a few seconds old, so that no caller waits for the server."""
        self._hosts_wanted = True
        return iter(self._hosts)

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`; sent before the next batch, so before every later push."""
        self._remote.set_pace(host, pace)

    def flush(self) -> None:
        """See `Frontier.flush`; pending calls are sent soon in any case."""

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:
            await self._timer.until_needed(lambda: bool(self._unsent or self._reconcile or self._sent))
            self._sent = self._sent or self._next_batch()
            try:
                outcome = await loop.run_in_executor(self._thread, self._remote.exchange, self._sent)
                if self._remote.has_moved() or self._outage:
                    await self._after_outage(loop)
                self._receive(self._sent, outcome)
                if outcome.overflow_waits:
                    await loop.run_in_executor(self._thread, self._remote.work_on_overflow)
                await self._survey(loop)
            except RedisUnavailableError as error:
                pause = self._outage.retry_after(error)
                self._changed()
                await asyncio.sleep(pause)
            except (CrawlLostError, CrawlRenewedError) as error:
                await self._join_again(loop, error)
            except Exception:
                logger.exception("The frontier's round trip failed; the next one follows in 5 s")
                await asyncio.sleep(5.0)

    async def _survey(self, loop: asyncio.AbstractEventLoop) -> None:
        """Periodic work: read the hosts' queues if needed; when idle, check for dead processes on this machine."""
        if loop.time() < self._surveyed_at + SURVEY_SECONDS:
            return
        self._surveyed_at = loop.time()
        if self._hosts_wanted:
            self._hosts = await loop.run_in_executor(self._thread, lambda: list(self._remote.hosts()))
        if self._leases:
            return
        count = await loop.run_in_executor(self._thread, self._remote.take_over)
        if count:
            logger.info("A node on this machine has died; its %d requests are queued again", count)

    def _next_batch(self) -> ExchangeBatch:
        known = self._leases.tokens() if self._reconcile else None
        self._reconcile = False
        return self._unsent.next_batch(max(0, self._room()) if self._timer.starved else 0, known)

    def _receive(self, batch: ExchangeBatch, outcome: BatchReply) -> None:
        self._sent = None
        self._recent_pushes.add(batch.pushes)
        self.arrived += len(batch.pushes)
        self._changed()
        self._leases.ready.extend(outcome.leases)
        self._timer.next_wait, self._until_open = outcome.wait, outcome.until_open
        self._accounts = outcome.accounts
        if outcome.leases:
            self._timer.starved = False
        if outcome.leases or not outcome.accounts.queued + outcome.accounts.leased:
            self._wake()

    async def _after_outage(self, loop: asyncio.AbstractEventLoop) -> None:
        """Repeat recent pushes, since a restarted or promoted server may have lost its last second."""
        restarted = await loop.run_in_executor(self._thread, self._remote.server_restarted)
        if self._outage:
            self._outage.end()
        self._reconcile = True
        if restarted:
            self._push_recent()

    def _push_recent(self) -> None:
        entries = self._recent_pushes.take()
        self._unsent.pushes.extend(entries)
        self.pushed += len(entries)

    async def _join_again(self, loop: asyncio.AbstractEventLoop, error: FrontierError) -> None:
        """Join the current crawl after the previous one is gone; the node finishes its pages first."""
        try:
            await loop.run_in_executor(self._thread, self._remote.begin)
        except FrontierError as reason:
            await asyncio.sleep(self._outage.retry_after(reason))
            return
        self._leases.ready.clear()
        if isinstance(error, CrawlLostError):
            self.lost = (
                f"{error}: it runs without persistence, or was flushed. Turn appendonly on. This node queues its latest "
                "pushes again; `scrapy frontier rebuild` queues the others from the stored links"
            )
            logger.error(self.lost)
            self._push_recent()
        else:
            logger.warning("%s; this node continues with the current crawl", error)
            self._recent_keys.clear()
            self._recent_pushes = RecentPushes()

    def stop(self) -> None:
        """Stop round trips, except those of `send_everything` and `close`."""
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=True)
        self._timer.starved = False

    def close(self) -> None:
        """See `Frontier.close`; waits up to `LEAVE_SECONDS` for an unavailable server."""
        if self._closed:
            return
        self._closed = True
        self.stop()
        self._unsent.given_back += self._leases.clear()
        try:
            self.send_everything(time.monotonic() + LEAVE_SECONDS)
            self._remote.close()
        except FrontierError as error:
            logger.warning("%s. This node's requests are queued again when its leases expire", error)

    def send_everything(self, deadline: float) -> None:
        """Send all buffered calls. Raises RedisUnavailableError if the server stays unavailable until the deadline."""
        while self._sent or self._unsent:
            self._sent = self._sent or self._next_batch()
            try:
                unwanted = self._remote.exchange(self._sent).leases
            except RedisUnavailableError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
                continue
            self._unsent.given_back += [lease.token for lease in unwanted]
            self.arrived += len(self._sent.pushes)
            self._sent = None
