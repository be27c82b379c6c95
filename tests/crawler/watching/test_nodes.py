"""Nodes of one watch over a real Redis and one store, in virtual time: a site has one node, a lost node's sites go to the others."""

import heapq
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from crawler.watching.answers import Answer, Listed, Listing, PageFacts
from crawler.watching.holding import Holding
from crawler.watching.nodes import LEASE_SECONDS, Nodes
from crawler.watching.portions import NodesAwayError, Part, Portion
from crawler.watching.rows import WatchRows
from crawler.watching.slots import ALL_SLOTS, slot_of
from crawler.watching.visits import Options, Visit
from crawler.watching.watch import Watch
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store

HOUR = 3_600.0
BEAT = 50
"""Seconds between two beats of a simulated node: each costs two trips to Redis."""
SITES = [f"http://site{number}.example/" for number in range(8)]


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def client(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as found:
        yield found


def test_nodes_divide_all_slots_and_none_has_two(client: Redis) -> None:
    clock = Clock()
    first, second = (Nodes(client, "{w}", owner=name, clock=clock) for name in ("a", "b"))
    assert first.beat().slots == ALL_SLOTS
    assert not second.beat().slots
    part = first.beat()
    assert part.excess == 32
    given = sorted(part.slots)[32:]
    assert first.beat(given).excess == 0
    assert second.beat().slots == frozenset(given)
    assert first.holds()
    assert second.holds()


def test_slots_of_a_silent_node_go_to_others_after_it_has_stopped_by_itself(client: Redis) -> None:
    clock = Clock()
    first, second = (Nodes(client, "{w}", owner=name, clock=clock) for name in ("a", "b"))
    first.beat()
    clock.now += LEASE_SECONDS - 1
    assert not second.beat().slots
    assert not first.holds()
    clock.now += 2
    assert second.beat().slots == ALL_SLOTS
    assert not first.beat().slots


def test_a_node_that_leaves_is_replaced_at_once(client: Redis) -> None:
    clock = Clock()
    first, second = (Nodes(client, "{w}", owner=name, clock=clock) for name in ("a", "b"))
    first.beat()
    first.leave()
    assert not first.holds()
    part = second.beat()
    assert (part.slots, part.nodes) == (ALL_SLOTS, 1)


def test_a_process_of_this_machine_that_died_is_replaced_at_once(client: Redis) -> None:
    from crawler.frontier.shared.lease_owner import process_namespace

    clock = Clock()
    Nodes(client, "{w}", owner=f"here/{process_namespace()}/4194305/abcdef", clock=clock).beat()
    assert Nodes(client, "{w}", clock=clock).beat().slots == ALL_SLOTS


def test_without_redis_a_node_stops_when_its_lease_ends() -> None:
    clock = Clock()
    node = Nodes(Redis(port=1, retry=Retry(NoBackoff(), 0)), "{w}", clock=clock)
    with pytest.raises(NodesAwayError):
        node.beat()
    assert not node.holds()


def test_the_budget_goes_where_visits_save_most() -> None:
    poor, rich = Portion(), Portion()
    for now in range(0, 7_200, 60):
        weights = poor.weight(32) + rich.weight(32)
        margins = poor.weight(32) * 10.0 + rich.weight(32) * 40.0
        part = Part(frozenset(range(32)), 0, weights, margins, 2)
        less, more = poor.update(part, 10.0, 1e6 + now), rich.update(part, 40.0, 1e6 + now)
    assert more > 1.4 * less
    assert 0.9 < less + more < 1.1


@dataclass
class SmallWeb:
    """Sites with a home list of ten; each publishes every half hour."""

    asked: Counter[tuple[str, int]] = field(default_factory=Counter)
    seen: dict[str, float] = field(default_factory=dict)

    def answer(self, visit: Visit, now: float) -> Answer:
        self.asked[visit.url, int(now // HOUR)] += 1
        if visit.url in SITES:
            newest = int((now - 1_000_000) // 1_800) + 20
            return Answer(200, Listing(tuple(Listed(f"{visit.url}a/{newest - n:07}.html", "t") for n in range(10))))
        if "/a/" in visit.url:
            self.seen.setdefault(visit.url, now)
            return Answer(200, page=PageFacts(visit.url))
        return Answer(404)


@dataclass
class Node:
    """A node without its network."""

    name: str
    client: Redis
    store: Store
    clock: Clock
    under_way: list[tuple[float, int, Visit]] = field(default_factory=list)
    beat_at: float = 0.0

    def __post_init__(self) -> None:
        self.watch = Watch(Options(per_hour=300))
        self.rows = WatchRows("small", self.watch)
        nodes = Nodes(self.client, "{small}", owner=self.name, clock=self.clock)
        self.holding = Holding(self.watch, self.rows, nodes, 300, self.begin)
        self.holding.open(self.store, self.clock.now)

    def begin(self, slots: Collection[int], now: float) -> None:
        for url in SITES:
            if slot_of(url) in slots:
                self.watch.start(url, now)

    def step(self, web: SmallWeb) -> None:
        now = self.clock.now
        while self.under_way and self.under_way[0][0] <= now:
            _, _, visit = heapq.heappop(self.under_way)
            self.watch.answered(visit, web.answer(visit, now), now)
            if rows := self.rows.changed(now):
                self.store.write(rows)
        if now >= self.beat_at:
            self.beat_at = now + BEAT
            asked = {visit.source for _, _, visit in self.under_way}
            self.holding.update(self.holding.beat(), self.store, asked, now)
        while self.holding.may_ask() and (found := self.watch.next(now)) is not None:
            heapq.heappush(self.under_way, (now + 2, len(self.under_way), found))


def sources_of(node: Node) -> dict[str, float]:
    return {source.url: source.rate.mean for source in node.watch.sources.rows if source.state == "watched"}


def test_sites_move_with_what_is_known_of_them_when_nodes_come_and_die(
    client: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawler.watching.nodes.LEASE_SECONDS", 5.0 * BEAT)
    clock, web, store = Clock(), SmallWeb(), open_store(f"sqlite:///{tmp_path / 'watch.db'}")
    begin, nodes, before = clock.now, [Node("a", client, store, clock)], dict[str, float]()
    while clock.now < begin + 5 * HOUR:
        if clock.now == begin + 1.5 * HOUR:
            nodes.append(Node("b", client, store, clock))
        if clock.now == begin + 3 * HOUR:
            mine, theirs = map(sources_of, nodes)
            assert mine
            assert theirs
            assert not mine.keys() & theirs.keys()
            assert mine.keys() | theirs.keys() >= set(SITES)
            before = mine
            del nodes[0]
        for node in nodes:
            node.step(web)
        clock.now += 10
    after = sources_of(nodes[0])
    assert after.keys() >= set(SITES)
    for url, rate in before.items():
        assert after[url] == pytest.approx(rate, rel=0.6)
    pages = [(f"{url}a/{number:07}.html", (number - 20) * 1_800) for url in SITES for number in range(21, 29)]
    assert all(web.seen[page] - begin - born < 1_800 for page, born in pages)
    fetches = Counter[str]()
    for (url, _), count in web.asked.items():
        fetches[url] += count
    assert all(
        fetches[page] <= 3 for page, _ in pages
    )  # itself, a look after two hours, and once more if its node died
    for hour in range(int(begin // HOUR) + 1, int(begin // HOUR) + 5):
        assert sum(count for (_, at), count in web.asked.items() if at == hour) < 345
    store.close()
