"""Tails of hosts' queues: nothing is lost and nothing comes twice, whatever a node dies of while it packs and unpacks."""

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from scrapy.settings import Settings

from crawler.config.hours import Politeness
from crawler.frontier.base import Accounts, Entry, FrontierError
from crawler.frontier.requests import pack, unpack
from crawler.frontier.shared.block_places import open_blocks
from crawler.frontier.shared.block_stores import BlockStore
from crawler.frontier.shared.blocks import member_of, unpack_rows
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.tails import name_in
from tests.crawler.frontier.direct import DirectFrontier

HOSTS = "ab"
EXAMPLES = 400 if os.environ.get("HYPOTHESIS_PROFILE") == "hunt" else 3


def packed(key: int, priority: int) -> bytes:
    """Some requests as the scheduler has them, some as bytes that nobody can read."""
    return pack({"url": f"http://a.example/{key}", "priority": priority}) if key % 3 else b"?%d" % key


def entry(key: int, priority: int = 0, host: str = "a", movable: bool = False) -> Entry:
    return Entry(key, host, priority, packed(key, priority), movable=movable)


def open_frontier(url: str, name: str = "f", clock: Callable[[], float] | None = None, **more: Any) -> DirectFrontier:
    client = redis.Redis.from_url(url)
    keys = f"{{{name}}}:requests", f"{{{name}}}:seen"
    return DirectFrontier(client, *keys, Politeness(0.0, 100), clock=clock, lease_seconds=120, **more)


def key_of(payload: bytes) -> int:
    return int(payload[1:] if payload[:1] == b"?" else unpack(payload)["url"].rpartition("/")[2])


def lying(client: "redis.Redis", name: str, host: str, store: BlockStore | None = None) -> list[int]:
    """Keys in a host's queue: those of the head, then those of the tail."""
    queue = f"{{{name}}}:requests"
    stubs: Any = client.zrange(f"{queue}:tail:{host}", 0, -1)
    held: Any = client.hgetall(f"{queue}:block:{host}")
    members: Any = client.zrange(f"{queue}:host:{host}", 0, -1)
    for block in ((store.get(name_in(stub)) if store else held[name_in(stub)]) for stub in stubs):
        assert block is not None
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
        assert int(client.hget("{f}:requests:tails", "a") or 0) == 120 - head_size(client)
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
        assert not left & {b"tails", b"tail:a", b"block:a", b"refill", b"spill", b"raises"}


def test_a_promoted_request_of_the_tail_comes_first(redis_url: str, short_heads: None) -> None:
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


def test_purge_forgets_tails(redis_url: str, short_heads: None) -> None:
    frontier = open_frontier(redis_url)
    frontier.push([entry(key, key) for key in range(50)])
    assert frontier.purge() == 50
    with redis.Redis.from_url(redis_url) as client:
        assert not list(client.scan_iter("{f}:requests:[tbrs]*"))
    assert frontier.push([entry(1)]) == [True]
    assert len(list(everything(frontier))) == 1
    frontier.close()


def test_the_long_queue_of_an_earlier_version_is_packed(
    redis_url: str, short_heads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    frontier = open_frontier(redis_url)
    with monkeypatch.context() as before:
        before.setattr(RedisFrontier, "look_after_tails", lambda frontier: None)
        frontier.push([entry(key, key) for key in range(150)])
    with redis.Redis.from_url(redis_url) as client:
        client.delete("{f}:requests:spill")
        frontier.push([entry(150, 150)])
        for _ in range(10):
            frontier.look_after_tails()
        assert head_size(client) <= 8
    assert len(set(everything(frontier))) == 151
    frontier.close()


@pytest.fixture(params=["sqlite", "mongodb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings that keep blocks outside Redis."""
    own = {"FRONTIER_TAILS": request.param, "DATA_DIR": str(tmp_path)}
    return Settings(own | ({"STORE": request.getfixturevalue("mongo_uri")} if request.param == "mongodb" else {}))


def test_blocks_may_lie_outside_redis(redis_url: str, short_heads: None, place: Settings) -> None:
    now = 1000.0
    store = open_blocks(place)
    assert store is not None
    first, second = (open_frontier(redis_url, clock=lambda: now, blocks=open_blocks(place)) for _ in range(2))
    for number in range(0, 90, 30):
        first.push([entry(key, key * 10) for key in range(number, number + 30)])
    client = first.client
    assert not client.exists("{f}:requests:block:a")
    assert sorted(lying(client, "f", "a", store)) == list(range(90))
    known = second.find(3, "a")
    assert known is not None
    assert known.state == "queued"
    assert known.before in range(80, 90)
    came = [lease.payload for _ in range(45) for lease in second.pop(1) if second.ack([lease.token])]
    assert len(set(came)) == 45
    dropped: list[bytes] = client.zrangebyscore("{f}:requests:strays", "-inf", now + 61)  # type: ignore[assignment]
    assert dropped
    assert all(store.get(name) for name in dropped)
    now += 61
    first.look_after_tails()
    first.look_after_tails()
    assert not any(store.get(name) for name in dropped)
    names = list(map(name_in, client.zrange("{f}:requests:tail:a", 0, -1)))  # type: ignore[arg-type]
    assert names
    assert all(map(store.get, names))
    assert first.purge() == 45
    assert not any(map(store.get, names))
    for frontier in (first, second, store):
        frontier.close()


def test_a_place_that_cannot_be_used_is_said_once_and_waited_for(
    redis_url: str, short_heads: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = 1000.0
    (tmp_path / "frontier").write_text("a file where a folder should be")
    settings = Settings({"FRONTIER_TAILS": "sqlite", "DATA_DIR": str(tmp_path)})
    frontier = open_frontier(redis_url, clock=lambda: now, blocks=open_blocks(settings))
    for number in range(3):
        frontier.push([entry(key, key) for key in range(number * 20, number * 20 + 20)])
    assert head_size(frontier.client) == 60
    assert [record.message for record in caplog.records if "tails.blocks cannot be used" in record.message] == [
        caplog.messages[0]
    ]
    (tmp_path / "frontier").unlink()
    now += 6
    for _ in range(4):
        frontier.look_after_tails()
    assert head_size(frontier.client) <= 8
    assert len(set(everything(frontier))) == 60
    frontier.close()


def test_a_block_that_is_not_there_is_said_and_the_rest_goes_on(
    redis_url: str, short_heads: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings({"FRONTIER_TAILS": "sqlite", "DATA_DIR": str(tmp_path)})
    frontier = open_frontier(redis_url, blocks=open_blocks(settings))
    frontier.push([entry(key, key) for key in range(40)])
    frontier.close()
    other = open_frontier(redis_url)
    other.push([entry(100, 100, "b")])
    assert 0 < len(list(everything(other))) < 41
    assert "as it was when the crawl was begun" in caplog.text
    assert other.accounts().queued > 0
    with pytest.raises(FrontierError, match="FRONTIER_TAILS"):
        other.find(1, "a")
    other.close()


def test_a_crawl_that_begins_again_leaves_no_blocks(redis_url: str, short_heads: None, tmp_path: Path) -> None:
    settings = Settings({"FRONTIER_TAILS": "sqlite", "DATA_DIR": str(tmp_path)})

    def stored() -> int:
        with closing(sqlite3.connect(tmp_path / "frontier" / "tails.blocks")) as database:
            return int(database.execute("SELECT COUNT(*) FROM blocks").fetchone()[0])

    frontier = open_frontier(redis_url, blocks=open_blocks(settings))
    frontier.push([entry(key, key) for key in range(30)])
    assert len(list(everything(frontier))) == 30
    frontier.close()
    assert stored() > 0
    again = open_frontier(redis_url, blocks=open_blocks(settings))
    assert again.begin().done == 30
    assert stored() == 0
    again.close()


def test_a_place_without_its_store_is_refused() -> None:
    with pytest.raises(FrontierError, match="needs a STORE in MongoDB"):
        open_blocks(Settings({"FRONTIER_TAILS": "mongodb", "STORE": "sqlite:///x.db"}))


class NodeDiesError(Exception):
    """The node is killed."""


def dying(node: DirectFrontier, calls: int, *, after: bool) -> None:
    """The node dies in its work on tails: before or after so many calls of the server."""
    run, left = node._run, [calls]

    def mortal(script: str, wanted: Any) -> Any:
        if script == "tails":
            left[0] -= 1
            if left[0] < 0:
                if after:
                    run(script, wanted)
                raise NodeDiesError
        return run(script, wanted)

    node._run = mortal  # type: ignore[method-assign]


def test_any_order_of_calls_and_deaths_loses_and_doubles_nothing(
    redis_url: str, short_heads: None, tmp_path: Path
) -> None:
    places = [Settings(), Settings({"FRONTIER_TAILS": "sqlite", "DATA_DIR": str(tmp_path)})]
    counter = iter(range(1_000_000))

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            number = next(counter)
            self.now, self.name, self.place = 1000.0, f"crawl{number}", places[number % 2]
            self.store = open_blocks(self.place)
            self.nodes = [self.node(), self.node()]
            self.queued: dict[int, int] = {}
            self.leased: dict[str, tuple[int, int, DirectFrontier]] = {}
            self.promoted: set[str] = set()
            self.pushed = self.done = self.dead = 0

        def node(self) -> DirectFrontier:
            node = open_frontier(redis_url, self.name, lambda: self.now, blocks=open_blocks(self.place))
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
            found = Counter(key for host in HOSTS for key in lying(self.nodes[0].client, self.name, host, self.store))
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
            if self.store:
                self.store.close()

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
