"""The shared frontier: any number of nodes, one Redis.

Every call is one Lua script, so that a request is in exactly one state whatever dies in between; see
`lua/common.lua` for the keys. A node's leases run out together when it has not been heard of for `lease_seconds`.
The server's clock alone counts. `crawler.frontier.shared.buffered` gathers a node's calls into few round trips.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgpack
from redis import Redis
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TimeoutError,
    TryAgainError,
)

from crawler.frontier.base import (
    LEASE_SECONDS,
    Accounts,
    DeadRequest,
    Entry,
    FrontierError,
    HostAccount,
    Lease,
    LeasedRequest,
    Node,
    Politeness,
)
from crawler.frontier.shared.exchange import AwayError, Batch, CrawlLostError, CrawlRenewedError, Move, Outcome
from crawler.frontier.shared.owner import is_gone, new_owner
from crawler.frontier.shared.remote_paces import RemotePaces
from crawler.frontier.shared.scripts import Scripts

_AWAY = (ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, MasterDownError, OutOfMemoryError)
_AWAY_IN_CLUSTERS = (ClusterDownError, ClusterError, TryAgainError)
_AWAY_WORDS = ("NOREPLICAS", "UNBLOCKED", "MISCONF")
"""Beginnings of errors that pass by themselves or by an operator's hand: waiting loses nothing, giving up does."""


class RedisFrontier:
    """The frontier protocol on Redis.

    Args:
        queue_key: names the crawl; every key but those of the seen-set begins with it.
        seen_key: what the seen-set's keys begin with.
        clock: for tests; the server's clock by default.
        persist: False forgets the crawl when its last node leaves, as scrapy-redis does.
        afresh: forget what an earlier run left, unless another node is at work.
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
    ) -> None:
        self.client = client
        self.owner = owner or new_owner()
        self._keys = (queue_key, seen_key)
        self._pace = pace or Politeness()
        self._lease_seconds = lease_seconds
        self._clock = clock
        self._persist = persist
        self._afresh = afresh
        self._scripts = Scripts(client)
        self._paces = RemotePaces()
        self._identity = ""
        self._server_run = ""
        self._number = 0
        self._held: dict[str, None] = {}
        self._closed = False

    # -- coming and going -----------------------------------------------------------------------------------------

    def begin(self) -> Accounts:
        """See `Frontier.begin`; a crawl that is finished, with no other node at work, is forgotten."""
        self.take_over()
        wanted = [uuid.uuid4().hex, self._lease_seconds, self._pace.delay, self._pace.concurrency, self._afresh]
        reply = self._run("join", [self.owner, *wanted])
        self._identity = reply[0].decode()
        self._server_run = self._run_id()
        self._afresh = False
        self._paces.tell_again()
        return Accounts(*reply[2:6])

    def take_over(self) -> int:
        """Queue again at once what processes of this machine held that no longer run; how much that was."""
        gone = [node.owner for node in self.nodes() if is_gone(node.owner)]
        return int(self._run("dismiss", gone)) if gone else 0

    def server_restarted(self) -> bool:
        """Whether another server process answers than when last asked; it may have forgotten the last second."""
        before, self._server_run = self._server_run, self._run_id()
        return before != self._server_run

    def _run_id(self) -> str:
        try:
            information: Any = self.client.info("server")
        except _AWAY as error:
            raise _away(error) from error
        except RedisError:
            return ""
        if "run_id" in information:
            return str(information["run_id"])
        return str(sorted(str(node.get("run_id")) for node in information.values() if isinstance(node, dict)))

    def close(self) -> None:
        """See `Frontier.close`."""
        if self._closed:
            return
        self._closed = True
        if self._identity:
            self._run("leave", [self.owner, self._identity, not self._persist])
        self.client.close()

    # -- the way of a request -------------------------------------------------------------------------------------

    def exchange(self, batch: Batch) -> Outcome:
        """Carry out a batch in one step, after what the server has not been told yet of hosts' paces.

        Raises:
            AwayError: no answer; send the same batch again.
            CrawlLostError, CrawlRenewedError: nothing was carried out; `begin` again.
        """
        self._tell_paces()
        reply = self._run("exchange", [self.owner, self._identity, self._lease_seconds, *batch.as_plain()])
        if reply[0] == b"lost":
            raise CrawlLostError("Redis answers, but it has lost this crawl")
        if reply[0] == b"other":
            raise CrawlRenewedError("the crawl was purged or begun anew")
        wait, asleep = float(reply[4]), float(reply[10])
        leases = [self._lease(*found) for found in reply[3]]
        accepted = [bool(each) for each in reply[1]]
        accounts = Accounts(*reply[5:9])
        waits = [None if seconds < 0 else seconds for seconds in (wait, asleep)]
        return Outcome(accepted, reply[2], leases, waits[0], accounts, reply[9], waits[1])

    def _lease(self, number: bytes, attempt: int, host: bytes, payload: bytes) -> Lease:
        return Lease(f"{number.decode()}:{attempt}:{self.owner}", host.decode(), payload, attempt)

    def _exchange(self, **what: Any) -> Outcome:
        if not self._identity:
            self.begin()
        self._number += 1
        return self.exchange(Batch(number=self._number, **what))

    def knows(self, key: int) -> bool:
        """See `Frontier.knows`; only a script can tell."""
        return False

    def push(self, entries: Sequence[Entry]) -> list[bool]:
        """See `Frontier.push`."""
        return self._exchange(pushes=entries).accepted

    def promote(self, key: int, host: str, priority: int) -> bool:
        """See `Frontier.promote`."""
        return self._exchange(moves=[Move(key, host, priority)]).moved > 0

    def pop(self, count: int) -> list[Lease]:
        """See `Frontier.pop`."""
        leases = self._exchange(wanted=count).leases
        self._held.update(dict.fromkeys(lease.token for lease in leases))
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        """See `Frontier.ack`."""
        self._forget(tokens)
        return self._exchange(acks=tokens).held

    def give_back(self, tokens: Sequence[str]) -> None:
        """See `Frontier.give_back`."""
        self._forget(tokens)
        self._exchange(given_back=tokens)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        """See `Frontier.fail`."""
        self._forget([token])
        before = self.accounts().dead
        return self._exchange(failures=[(token, reason, delay)]).accounts.dead > before

    def _forget(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            self._held.pop(token, None)

    def heartbeat(self) -> None:
        """See `Frontier.heartbeat`; leases that were lost on the way to this node are taken back too."""
        self._exchange(known=list(self._held))

    def notify(self, wake: Callable[[], None]) -> None:
        """See `Frontier.notify`; this class answers at once and has nothing to tell later."""

    def set_pace(self, host: str, pace: Politeness) -> None:
        """See `Frontier.set_pace`."""
        self._paces.keep(host, pace)

    def _tell_paces(self) -> None:
        while news := self._paces.news(self._clock() if self._clock else time.time()):
            self._run("pace", news.as_plain())
            self._paces.told(news)

    def wait_seconds(self) -> float | None:
        """See `Frontier.wait_seconds`."""
        return self._exchange().wait

    def asleep_seconds(self) -> float | None:
        """See `Frontier.asleep_seconds`."""
        return self._exchange().asleep

    def pending(self) -> bool:
        """See `Frontier.pending`."""
        accounts = self.accounts()
        return accounts.queued + accounts.leased > 0

    # -- accounts -------------------------------------------------------------------------------------------------

    def accounts(self) -> Accounts:
        """See `Frontier.accounts`."""
        return Accounts(*self._view("accounts"))

    def hosts(self) -> Iterator[HostAccount]:
        """See `Frontier.hosts`."""
        found = sorted(self._view("hosts"), key=lambda row: -row[1])
        return (HostAccount(host.decode(), *numbers) for host, *numbers in found)

    def nodes(self) -> Iterator[Node]:
        """See `Frontier.nodes`."""
        return (Node(name.decode(), leased, float(left)) for name, leased, left in self._view("nodes"))

    def leased(self) -> Iterator[LeasedRequest]:
        """See `Frontier.leased`."""
        rows = self._view("leased")
        return (
            LeasedRequest(host.decode(), payload, node.decode(), float(since)) for host, payload, node, since in rows
        )

    def dead(self) -> Iterator[DeadRequest]:
        """See `Frontier.dead`."""
        for member, host, reason in sorted(self._view("dead")):
            key = int.from_bytes(member[7:15], "big", signed=True)
            yield DeadRequest(key, host.decode(), member[15:], member[6], reason.decode(errors="replace"))

    def requeue(self, host: str = "") -> int:
        """See `Frontier.requeue`."""
        return int(self._run("requeue", [host]))

    def purge(self) -> int:
        """See `Frontier.purge`; nodes at work notice it and go on with an empty frontier."""
        self._identity = uuid.uuid4().hex
        forgotten = int(self._run("purge", [self._identity]))
        self._held.clear()
        return forgotten

    def flush(self) -> None:
        """Everything is in Redis already."""

    def _view(self, what: str) -> Any:
        return self._run("view", [what])

    def _run(self, script: str, wanted: Sequence[Any]) -> Any:
        now = repr(self._clock()) if self._clock else ""
        try:
            return self._scripts.run(
                script, self._keys, (now, msgpack.packb(wanted, use_bin_type=False, unicode_errors="backslashreplace"))
            )
        except (AuthenticationError, NoPermissionError) as error:
            raise FrontierError(f"Redis refuses this user: {error}. Check REDIS_URL and the user's rights.") from error
        except (*_AWAY, *_AWAY_IN_CLUSTERS) as error:
            raise _away(error) from error
        except RedisError as error:
            if str(error).startswith(_AWAY_WORDS):
                raise _away(error) from error
            raise FrontierError(f"Redis cannot serve the frontier: {error}") from error


def _away(error: Exception) -> AwayError:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return AwayError(
            "Redis shows a certificate that is not trusted: name its authority in REDIS_URL, "
            "rediss://host:6379/0?ssl_ca_certs=PATH"
        )
    return AwayError(f"Redis is away: {str(error).rstrip('.')}")
