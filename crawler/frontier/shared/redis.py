"""The shared frontier: any number of nodes, one Redis, or one shard of a Redis Cluster.

Every call is one Lua script, so that a request is in exactly one state whatever dies in between; see
`lua/common.lua` for the keys. A node's leases run out together when the node is silent for `lease_seconds`.
The server's clock alone counts. `crawler.frontier.shared.buffered` gathers a node's calls into few round trips.
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
from crawler.frontier.shared.exchange import BatchReply, ExchangeBatch, key_forms
from crawler.frontier.shared.host_limits import HostLimits
from crawler.frontier.shared.lease_owner import has_died, new_owner
from crawler.frontier.shared.overflow.worker import OverflowWorker, find_packed
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
        queue_key: names the crawl; every key but those of the seen-set begins with it.
        seen_key: the beginning of the seen-set's keys.
        clock: for tests; the server's clock by default.
        persist: False forgets the crawl when its last node leaves, as scrapy-redis does.
        afresh: forget what an earlier run left, unless another node works on it.
        whole: False for one of several shards, which is not finished alone, and whose client others use too.
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

    # -- coming and going -----------------------------------------------------------------------------------------

    def begin(self) -> Accounts:
        """See `Frontier.begin`; a finished crawl is forgotten, unless another node works on it."""
        self.take_over()
        wanted = [uuid.uuid4().hex, self._lease_seconds, self._pace.delay, self._pace.concurrency, self.afresh]
        reply = self._run("join", [self.owner, *wanted, self._whole])
        self._identity = reply[0].decode()
        self._server_run = self._run_id()
        self.afresh = False
        self._limits.resend_all()
        return Accounts(*reply[1:5])

    def take_over(self) -> int:
        """Queue again at once what dead processes of this machine held; returns the number of requests."""
        gone = [node.owner for node in self.nodes() if has_died(node.owner)]
        return int(self._run("dismiss", gone)) if gone else 0

    def server_restarted(self) -> bool:
        """Whether the server process is a new one since the last call; it may have lost its last second."""
        before, self._server_run = self._server_run, self._run_id()
        return before != self._server_run

    def has_moved(self) -> bool:
        """Whether another server of a Redis Cluster has the queue than at the last call; a promoted replica lacks a moment."""
        before, self._home = self._home, name_of_server(self.client, self._keys[0])
        return before not in ("", self._home)

    def _run_id(self) -> str:
        try:
            with redis_errors():
                information: Any = server_of(self.client, self._keys[0]).info("server")
        except RedisUnavailableError:
            raise
        except FrontierError:  # this user may not ask for it
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

    # -- the way of a request -------------------------------------------------------------------------------------

    def exchange(self, batch: ExchangeBatch) -> BatchReply:
        """Send new paces of hosts, then carry out the batch in one step.

        Raises:
            RedisUnavailableError: no answer; send the same batch again.
            CrawlLostError, CrawlRenewedError: nothing was carried out; `begin` again.
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
        """Pack what is too much of long queues, and unpack what will soon be wanted; some of it, if there is much.

        RedisUnavailableError if Redis is away; the work is given out again.
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
        """See `Frontier.purge`; nodes that work on the crawl notice it and go on with an empty frontier."""
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
