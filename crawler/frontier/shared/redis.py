"""The shared frontier: any number of nodes, one Redis, or one shard of a Redis Cluster.

Every call is one Lua script, so that a request is in exactly one state at any crash; see `lua/common.lua` for the keys. A
node's leases expire together when the node is silent for `lease_seconds`. Only the server's clock is used.
`crawler.frontier.shared.buffered` batches a node's calls into few round trips.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgpack
from redis import Redis

from crawler.config.hours import Politeness
from crawler.frontier.base import (
    LEASE_SECONDS,
    Accounts,
    DeadRequest,
    FrontierError,
    HostAccount,
    KnownRequest,
    LeasedRequest,
    Node,
    QueueEntry,
    RequestLease,
)
from crawler.frontier.shared.host_limits import HostLimits
from crawler.frontier.shared.lease_owner import has_died, new_owner
from crawler.frontier.shared.overflow.overflow_worker import OverflowWorker, find_packed
from crawler.frontier.shared.round_trip import BatchReply, ExchangeBatch, key_forms
from crawler.frontier.shared.server import (
    CrawlLostError,
    CrawlRenewedError,
    RedisUnavailableError,
    Scripts,
    crawl_keys,
    redis_errors,
)
from pipelines.redis_cluster import name_of_server, server_of


class RedisFrontier:
    """The queue on Redis: for operators, and beneath `BufferedFrontier` for nodes.

    Args:
        queue_key: name of the crawl, and prefix of every key except those of the seen-set.
        seen_key: prefix of the seen-set's keys.
        clock: for tests; the server's clock by default.
        persist: False deletes the crawl when its last node leaves, as scrapy-redis does.
        afresh: delete the state of an earlier run, unless another node works on it.
        whole: False for one of several shards, which does not finish on its own, and whose client is shared.
    """

    def __init__(
        self,
        client: Redis,
        queue_key: str,
        seen_key: str,
        pace: Politeness | None = None,
        *,
        owner: str = "",
        lease_seconds: float = LEASE_SECONDS,
        clock: Callable[[], float] | None = None,
        persist: bool = True,
        afresh: bool = False,
        whole: bool = True,
    ) -> None:
        self.client = client
        self.owner = owner or new_owner()
        self._keys = crawl_keys(queue_key, seen_key)
        self._pace = pace or Politeness()
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._persist = persist
        self.afresh = afresh
        self._whole = whole
        self._scripts = Scripts(client)
        self._overflow = OverflowWorker()
        self._limits = HostLimits()
        self._identity = ""
        self._server_run = self._home = ""
        self._number = 0
        self._closed = False

    # -- joining and leaving --------------------------------------------------------------------------------------

    def begin(self) -> Accounts:
        """See `Frontier.begin`; a finished crawl is deleted, unless another node works on it."""
        self.take_over()
        wanted = [uuid.uuid4().hex, self._lease_seconds, self._pace.delay, self._pace.concurrency, self.afresh]
        reply = self._run("join", [self.owner, *wanted, self._whole])
        self._identity = reply[0].decode()
        self._server_run = self._run_id()
        self.afresh = False
        self._limits.resend_all()
        return Accounts(*reply[1:5])

    def take_over(self) -> int:
        """Requeue at once the requests of dead processes on this machine; returns their number."""
        gone = [node.owner for node in self.nodes() if has_died(node.owner)]
        return int(self._run("dismiss", gone)) if gone else 0

    def server_restarted(self) -> bool:
        """Whether the server was restarted since the last call, and may have lost its last second."""
        before, self._server_run = self._server_run, self._run_id()
        return before != self._server_run

    def has_moved(self) -> bool:
        """Whether the queue has moved to another server of a Redis Cluster; a promoted replica may lack recent writes."""
        before, self._home = self._home, name_of_server(self.client, self._keys[0])
        return before not in ("", self._home)

    def _run_id(self) -> str:
        try:
            with redis_errors():
                information: Any = server_of(self.client, self._keys[0]).info("server")
        except RedisUnavailableError:
            raise
        except FrontierError:  # this user lacks the permission
            return ""
        return str(information["run_id"])

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._identity:
            self._run("leave", [self.owner, self._identity, not self._persist])
        if self._whole:
            self.client.close()

    # -- requests -------------------------------------------------------------------------------------------------

    def exchange(self, batch: ExchangeBatch) -> BatchReply:
        """Send new paces of hosts, then execute the batch atomically.

        Raises:
            RedisUnavailableError: no answer; send the same batch again.
            CrawlLostError, CrawlRenewedError: nothing was executed; call `begin` again.
        """
        self._send_limits()
        reply = self._run("exchange", [self.owner, self._identity, self._lease_seconds, *batch.as_plain()])
        if reply[0] == b"lost":
            raise CrawlLostError("Redis answers, but it has lost this crawl")
        if reply[0] == b"other":
            raise CrawlRenewedError("the crawl was purged or started again")
        wait, until_open = (None if float(seconds) < 0 else float(seconds) for seconds in (reply[4], reply[10]))
        leases = [self._lease(*found) for found in reply[3]]
        accepted = [bool(each) for each in reply[1]]
        accounts = Accounts(*reply[5:9])
        return BatchReply(accepted, reply[2], leases, wait, accounts, reply[9], until_open, bool(reply[11]))

    def work_on_overflow(self) -> None:
        """Pack the overflow of long queues, and unpack requests that are needed soon; a limited part per call.

        Raises RedisUnavailableError; the work is then assigned again.
        """
        self._overflow.work(lambda *wanted: self._run("overflow", [self._identity, *wanted]))

    def _lease(self, number: bytes, attempt: int, host: bytes, payload: bytes) -> RequestLease:
        return RequestLease(f"{number.decode()}:{attempt}:{self.owner}", host.decode(), payload, attempt)

    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        if not self._identity:
            self.begin()
        self._number += 1
        outcome = self.exchange(ExchangeBatch(number=self._number, pushes=entries))
        if outcome.overflow_waits:
            self.work_on_overflow()
        return outcome.accepted

    def set_pace(self, host: str, pace: Politeness) -> None:
        self._limits.set(host, pace)

    def _send_limits(self) -> None:
        while update := self._limits.next_update(self._clock() if self._clock else time.time()):
            self._run("pace", update.as_plain())
            self._limits.sent(update)

    # -- accounts -------------------------------------------------------------------------------------------------

    def accounts(self) -> Accounts:
        return Accounts(*self._view("accounts"))

    def hosts(self) -> Iterator[HostAccount]:
        found = sorted(self._view("hosts"), key=lambda row: -row[1])
        return (HostAccount(host.decode(), *numbers) for host, *numbers in found)

    def nodes(self) -> Iterator[Node]:
        return (Node(name.decode(), leased, float(left)) for name, leased, left in self._view("nodes"))

    def leased(self) -> Iterator[LeasedRequest]:
        rows = self._view("leased")
        return (
            LeasedRequest(host.decode(), payload, node.decode(), float(since)) for host, payload, node, since in rows
        )

    def dead(self) -> Iterator[DeadRequest]:
        for member, host, reason in sorted(self._view("dead")):
            yield DeadRequest(host.decode(), member[15:], member[6], reason.decode(errors="replace"))

    def find(self, key: int, host: str) -> KnownRequest | None:
        text, packed = key_forms(key)
        if not (reply := self._view("find", packed, text, host)):
            return None
        if reply[0] == b"seen" and (
            waiting := find_packed(packed, host, lambda *more: self._view("overflow", host, *more))
        ):
            return waiting
        state, member, priority, reason, owner, since, due, before = reply
        attempts, said = member[6] if member else 0, reason.decode(errors="replace")
        times = float(since), float(due)
        return KnownRequest(state.decode(), priority, member[15:], attempts, said, owner.decode(), *times, before)

    def requeue(self, host: str = "") -> int:
        return int(self._run("requeue", [host]))

    def purge(self) -> int:
        """See `Frontier.purge`; nodes that work on the crawl notice it and continue with an empty frontier."""
        self._identity = uuid.uuid4().hex
        return int(self._run("purge", [self._identity]))

    def flush(self) -> None:
        """Everything is in Redis already."""

    def _view(self, what: str, *more: Any) -> Any:
        return self._run("view", [what, *more])

    def _run(self, script: str, wanted: Sequence[Any]) -> Any:
        now = repr(self._clock()) if self._clock else ""
        packed = msgpack.packb(wanted, use_bin_type=False, unicode_errors="backslashreplace")
        return self._scripts.run(script, self._keys, (now, packed))
