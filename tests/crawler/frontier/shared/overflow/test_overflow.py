"""Packed queues of hosts: nothing is lost and nothing comes twice, whatever a node dies of while it packs and unpacks."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, FrontierError, QueueEntry
from crawler.frontier.requests import pack, unpack
from crawler.frontier.shared.overflow.request_blocks import member_of, unpack_rows
from crawler.frontier.shared.redis import RedisFrontier
from tests.crawler.frontier.direct import DirectFrontier

HOSTS = "ab"
EXAMPLES = 400 if os.environ.get("HYPOTHESIS_PROFILE") == "hunt" else 3


def packed(key: int, priority: int) -> bytes:
    """Some requests as the scheduler has them, some as bytes that nobody can read."""
    return pack({"url": f"http://a.example/{key}", "priority": priority}) if key % 3 else b"?%d" % key


def entry(key: int, priority: int = 0, host: str = "a", movable: bool = False) -> QueueEntry:
    return QueueEntry(key, host, priority, packed(key, priority), movable=movable)


def open_frontier(url: str, name: str = "f", clock: Callable[[], float] | None = None, **more: Any) -> DirectFrontier:
    client = redis.Redis.from_url(url)
    keys = f"{{{name}}}:requests", f"{{{name}}}:seen"
    return DirectFrontier(client, *keys, Politeness(0.0, 100), clock=clock, lease_seconds=120, **more)


def key_of(payload: bytes) -> int:
    return int(payload[1:] if payload[:1] == b"?" else unpack(payload)["url"].rpartition("/")[2])


def lying(client: "redis.Redis", name: str, host: str) -> list[int]:
    """Keys in a host's queue: those of the head, then the packed ones."""
    queue = f"{{{name}}}:requests"
    refs: Any = client.zrange(f"{queue}:overflow:{host}", 0, -1)
    held: Any = client.hgetall(f"{queue}:block:{host}")
    members: Any = client.zrange(f"{queue}:host:{host}", 0, -1)
    for block in (held[ref[6:14]] for ref in refs):
        members += [member_of(row, host) for row in unpack_rows(block)]
    return [int.from_bytes(member[7:15], "big", signed=True) for member in members]


def head_size(client: "redis.Redis") -> int:
    return int(client.zcard("{f}:requests:host:a"))  # type: ignore[arg-type]  # it is the synchronous client


def everything(frontier: DirectFrontier) -> Iterator[bytes]:
    while leases := frontier.pop(1):
        frontier.ack([leases[0].token])
        yield leases[0].payload


def test_a_long_queue_comes_out_best_first_and_once(redis_url: str, short_heads: None) -> None:
    frontier = open_frontier(redis_url)
    priorities = {key: (key * 37) % 1000 - 100 for key in range(120)}
    for first in range(0, 120, 10):
        frontier.push([entry(key, priorities[key]) for key in range(first, first + 10)])
    with redis.Redis.from_url(redis_url) as client:
        assert head_size(client) <= 8
        assert sorted(lying(client, "f", "a")) == list(range(120))
        assert int(client.hget("{f}:requests:packed", "a") or 0) == 120 - head_size(client)
        assert [host.queued for host in frontier.hosts()] == [120]
        known = frontier.find(77, "a")
        assert known
        assert (known.state, known.priority, known.payload) == ("queued", priorities[77], packed(77, priorities[77]))
        came = list(everything(frontier))
        assert sorted(came) == sorted(packed(key, priority) for key, priority in priorities.items())
        order = {packed(key, priority): priority // 100 for key, priority in priorities.items()}
        assert [order[payload] for payload in came] == sorted(order.values(), reverse=True)
        assert frontier.accounts().done == 120
        frontier.close()
        left = {key.split(b":", 2)[2] for key in client.scan_iter("{f}:requests:*")}
        assert not left & {b"packed", b"overflow:a", b"block:a", b"to_pack", b"to_unpack", b"to_promote"}


def test_a_promoted_packed_request_comes_first(redis_url: str, short_heads: None) -> None:
    frontier = open_frontier(redis_url)
    for key in range(60):
        frontier.push([entry(key, 500 - key, movable=key % 2 == 0)])
    frontier.promote(50, "a", 900)
    frontier.promote(51, "a", 950)
    frontier.push([entry(48, 800, movable=True)])
    assert [lease.payload for lease in frontier.pop(3)] == [packed(50, 450), packed(48, 452), packed(0, 500)]
    assert len(set(everything(frontier))) == 57
    assert frontier.accounts().queued == 0
    frontier.close()


def test_purge_forgets_packed_requests(redis_url: str, short_heads: None) -> None:
    frontier = open_frontier(redis_url)
    frontier.push([entry(key, key) for key in range(50)])
    assert frontier.purge() == 50
    with redis.Redis.from_url(redis_url) as client:
        assert not list(client.scan_iter("{f}:requests:[tbpo]*"))
    assert frontier.push([entry(1)]) == [True]
    assert len(list(everything(frontier))) == 1
    frontier.close()


def test_a_long_queue_that_nobody_packed_is_packed_with_the_next_push(
    redis_url: str, short_heads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    frontier = open_frontier(redis_url)
    with monkeypatch.context() as before:
        before.setattr(RedisFrontier, "work_on_overflow", lambda frontier: None)
        frontier.push([entry(key, key) for key in range(150)])
    with redis.Redis.from_url(redis_url) as client:
        client.delete("{f}:requests:to_pack")
        frontier.push([entry(150, 150)])
        for _ in range(10):
            frontier.work_on_overflow()
        assert head_size(client) <= 8
    assert len(set(everything(frontier))) == 151
    frontier.close()


def test_a_block_that_cannot_be_read_is_said_and_the_rest_goes_on(
    redis_url: str, short_heads: None, caplog: pytest.LogCaptureFixture
) -> None:
    frontier = open_frontier(redis_url)
    frontier.push([entry(key, key) for key in range(40)])
    names: Any = frontier.client.hkeys("{f}:requests:block:a")
    for name in names:
        frontier.client.hset("{f}:requests:block:a", name, "damaged")
    frontier.push([entry(100, 100, "b")])
    assert 0 < len(list(everything(frontier))) < 41
    assert caplog.text.count("cannot be read") == 1
    assert frontier.accounts().queued > 0
    with pytest.raises(FrontierError, match="cannot be read"):
        frontier.find(1, "a")
    frontier.close()


class NodeDiesError(Exception):
    """The node is killed."""


def dying(node: DirectFrontier, calls: int, *, after: bool) -> None:
    """The node dies in its work on packed requests: before or after this number of calls of the server."""
    run, left = node._run, [calls]

    def mortal(script: str, wanted: Any) -> Any:
        if script == "overflow":
            left[0] -= 1
            if left[0] < 0:
                if after:
                    run(script, wanted)
                raise NodeDiesError
        return run(script, wanted)

    node._run = mortal  # type: ignore[method-assign]


def test_any_order_of_calls_and_deaths_loses_and_doubles_nothing(redis_url: str, short_heads: None) -> None:
    counter = iter(range(1_000_000))

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.now, self.name = 1000.0, f"crawl{next(counter)}"
            self.nodes = [self.node(), self.node()]
            self.queued: dict[int, int] = {}
            self.leased: dict[str, tuple[int, int, DirectFrontier]] = {}
            self.promoted: set[str] = set()
            self.pushed = self.done = self.dead = 0

        def node(self) -> DirectFrontier:
            node = open_frontier(redis_url, self.name, lambda: self.now)
            node.begin()
            return node

        @rule(
            node=st.integers(0, 1),
            levels=st.lists(st.tuples(st.integers(0, 1), st.integers(-2, 9), st.booleans()), min_size=6, max_size=24),
            step=st.sampled_from([1, 60, 1000]),
        )
        def push(self, node: int, levels: list[tuple[int, int, bool]], step: int) -> None:
            made = []
            for host, level, movable in levels:
                key, self.pushed = 2 * self.pushed + host, self.pushed + 1
                self.queued[key] = level * step
                made.append(entry(key, level * step, HOSTS[host], movable))
            assert all(self.nodes[node].push(made))

        @rule(node=st.integers(0, 1), count=st.integers(1, 9))
        def pop(self, node: int, count: int) -> None:
            for lease in (lease for _ in range(count) for lease in self.nodes[node].pop(1)):
                key = key_of(lease.payload)
                if lease.host not in self.promoted:
                    best = max(priority for key, priority in self.queued.items() if HOSTS[key % 2] == lease.host)
                    assert self.queued[key] // 100 == best // 100
                self.leased[lease.token] = key, self.queued.pop(key), self.nodes[node]

        @rule(place=st.integers(0, 20), what=st.sampled_from(["ack", "fail", "give_back"]))
        def answer(self, place: int, what: str) -> None:
            if not self.leased:
                return
            token = list(self.leased)[place % len(self.leased)]
            key, priority, node = self.leased.pop(token)
            if what == "ack":
                self.done += node.ack([token])
                return
            if what == "give_back":
                node.give_back([token])
            elif node.fail(token, "x"):
                self.dead += 1
                return
            self.queued[key] = priority

        @rule(node=st.integers(0, 1), place=st.integers(0, 99), level=st.integers(1, 12))
        def promote(self, node: int, place: int, level: int) -> None:
            if self.queued:
                key = sorted(self.queued)[place % len(self.queued)]
                self.nodes[node].promote(key, HOSTS[key % 2], 1000 * level)
                self.promoted.add(HOSTS[key % 2])

        @rule(node=st.integers(0, 1), calls=st.integers(0, 3), after=st.booleans())
        def die(self, node: int, calls: int, after: bool) -> None:
            dying(self.nodes[node], calls, after=after)
            with contextlib.suppress(NodeDiesError):
                self.push(node, [(0, 5, True)] * 9, 70)
            self.now += 500
            self.nodes[node] = self.node()
            self.nodes[node].push([])
            self.queued |= {key: priority for key, priority, _ in self.leased.values()}
            self.leased.clear()

        @rule(seconds=st.sampled_from([1.0, 6.0, 70.0]))
        def pass_time(self, seconds: float) -> None:
            self.now += seconds
            for node in self.nodes:
                node.heartbeat()

        @invariant()
        def nothing_is_lost_or_doubled(self) -> None:
            accounts = self.nodes[0].accounts()
            assert accounts == Accounts(len(self.queued), len(self.leased), self.done, self.dead)
            found = Counter(key for host in HOSTS for key in lying(self.nodes[0].client, self.name, host))
            assert found == Counter(list(self.queued))

        def teardown(self) -> None:
            for _ in range(400):
                if not self.queued:
                    break
                self.now += 6
                self.pop(0, 20)
                for token, (_, _, node) in self.leased.items():
                    self.done += node.ack([token])
                self.leased.clear()
            assert not self.queued
            for node in self.nodes:
                node.close()

    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        ),
    )
