"""Which query runs next: left, failed and repeated ones, backoff, several nodes, yields of earlier queries."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from crawler.engines.protocol.engine import About, Engine, QueryRequest
from crawler.metasearch.queries import PlannedQuery, QueryStore, Row, query_yields
from crawler.metasearch.query_scheduler import EngineBackoff, QueryScheduler
from pipelines.stores.base import Store
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES

ENGINES = {
    name: Engine(
        About(name, f"{name}.example", delay=1.0, backoff=900.0),
        lambda query, keys: QueryRequest("x"),
        lambda reply: [],
    )
    for name in ("shy", "open")
}
PLAN = [PlannedQuery("a"), PlannedQuery("b"), PlannedQuery("c")]


class Node:
    """A node with a clock that others share."""

    def __init__(self, store: Store, clock: list[float], repeat_days: float = 0.0) -> None:
        self.store = store
        self.queries = QueryStore(store, "crawl", "money", repeat_days)
        self.scheduler = QueryScheduler(store, self.queries, ENGINES, 120.0, lambda: clock[0])
        self.queries.open(ENGINES, PLAN)

    def answer(self, row: Row, state: str = "results", **more: object) -> None:
        row = row | {"state": state, "tries": row["tries"] + 1, "asked_at": datetime.now(UTC).isoformat()} | more
        backoff = self.scheduler.on_block(row, 0.0) if state == "blocked" else self.scheduler.on_answer(row, 3, 2)
        self.store.upsert(QUERIES, [row]).result()
        if backoff:
            self.store.upsert(ENGINE_BACKOFFS, [backoff]).result()

    def start(self, name: str) -> Row | None:
        return self.scheduler.start(name) if self.scheduler.waits().get(name) == 0 else None


def started(node: Node, name: str, clock: list[float]) -> Iterator[str]:
    """Words of its queries until nothing is left."""
    while name in node.scheduler.waits():
        clock[0] += 1.0
        if row := node.start(name):
            node.answer(row)
            yield row["words"]


def test_queries_that_are_left_run_in_the_order_of_the_plan_and_once(store: Store) -> None:
    clock = [1e9]
    first = Node(store, clock)
    row = first.start("open")
    assert row
    assert row["words"] == "a"
    assert first.start("open") is None  # one at a time
    first.answer(row)
    assert list(started(Node(store, clock), "open", clock)) == ["b", "c"]
    assert "open" not in Node(store, clock).scheduler.waits()


def test_queries_without_an_answer_are_tried_in_later_runs(store: Store) -> None:
    clock = [1e9]
    for _ in range(5):
        clock[0] += 10_000
        row = Node(store, clock).start("open")
        assert row
        assert row["words"] == "a"
        store.upsert(QUERIES, [row | {"state": "failed", "tries": row["tries"] + 1}]).result()


def test_queries_repeat_after_the_days_of_the_setting(store: Store) -> None:
    clock = [1e9]
    old = (datetime.now(UTC) - timedelta(days=8)).isoformat(timespec="seconds")
    node = Node(store, clock)
    for _ in range(2):
        row = node.start("open")
        assert row
        node.answer(row, asked_at=old)
        clock[0] += 1
    assert list(started(Node(store, clock), "open", clock)) == ["c"]
    assert list(started(Node(store, clock, repeat_days=7), "open", clock)) == ["a", "b"]
    assert list(started(Node(store, clock, repeat_days=7), "open", clock)) == []


def test_a_blocked_query_goes_first_after_the_backoff_and_other_engines_go_on(store: Store) -> None:
    clock = [1e9]
    node = Node(store, clock)
    row = node.start("shy")
    assert row
    node.answer(row, "blocked")
    sent = []
    for _ in range(900):
        clock[0] += 1
        for name in ENGINES:
            if found := node.start(name):
                sent.append((name, found["words"], clock[0] - 1e9))
                node.answer(found)
    assert [each for each in sent if each[0] == "shy"] == [("shy", "a", 900)]
    assert [words for name, words, _ in sent if name == "open"] == ["a", "b", "c"]


def test_a_backoff_holds_for_other_nodes_and_later_runs(store: Store) -> None:
    clock = [1e9]
    one, other = Node(store, clock), Node(store, clock)
    row = one.start("shy")
    assert row
    one.answer(row, "blocked")
    clock[0] += 2
    assert other.scheduler.waits()["shy"] == pytest.approx(898)
    assert Node(store, clock).scheduler.waits()["shy"] == pytest.approx(898)
    clock[0] += 900
    again = Node(store, clock)
    row = again.start("shy")
    assert row
    again.answer(row, "blocked")  # the second time in a row, though by another run
    assert again.scheduler.backoff.left("shy") == 1_800


@pytest.mark.parametrize("reports", [True, False])
def test_two_nodes_run_each_query_once_and_one_at_a_time(store: Store, reports: bool) -> None:
    """The frontier (here a set of keys) drops what it knows. A shared frontier does not report that at once."""
    clock = [1e9]
    nodes = [Node(store, clock), Node(store, clock)]
    frontier: set[str] = set()
    under_way: list[tuple[Node, Row, float]] = []
    sent = []
    for _ in range(200):
        clock[0] += 0.5
        for node in nodes:
            if row := node.start("open"):
                if row["key"] in frontier:
                    if reports:
                        node.scheduler.on_dropped(row)
                else:
                    frontier.add(row["key"])
                    sent.append((row["words"], row["page"]))
                    under_way.append((node, row, clock[0] + 2))
        assert len(under_way) <= 1
        for node, row, end in list(under_way):
            if clock[0] >= end:
                under_way.remove((node, row, end))
                more = [node.queries.add_next_page(row, {"token": "7"})] if row["page"] == 1 else []
                store.upsert(QUERIES, more).result()
                node.answer(row)
    assert sorted(sent) == [(words, page) for words in "abc" for page in (1, 2)]
    assert all("open" not in node.scheduler.waits() for node in nodes)
    assert {row["carried"]["token"] for row in store.select(QUERIES) if row["page"] == 2} == {"7"}


def test_a_dropped_query_without_an_answer_runs_after_all(store: Store) -> None:
    clock = [1e9]
    node = Node(store, clock)
    row = node.start("open")
    assert row
    node.scheduler.on_dropped(row)
    clock[0] += 100
    assert node.start("open") is None
    clock[0] += 30
    again = node.start("open")
    assert again
    assert (again["words"], again["tries"]) == ("a", 1)


def test_yields_are_relative_to_the_average(store: Store) -> None:
    node = Node(store, [1e9])
    rows = [
        node.queries.new_row("open", words, site, 1, 0) for words, site in (("a", ""), ("b", ""), ("b", "x.example"))
    ]
    for row, new, relevant in zip(rows, (10, 10, 1), (6, 0, 0), strict=True):
        store.upsert(QUERIES, [row | {"state": "results", "new": new}]).result()
        if relevant:
            store.upsert(QUERIES, [{"key": row["key"], "relevant": relevant}]).result()
    yields = query_yields(store, "money")
    assert yields["a", ""] == pytest.approx((6 + 2) / 2 / 2)
    assert yields["b", ""] == pytest.approx(2 / 2 / 2)
    assert yields["", "x.example"] == pytest.approx(0.5)
    assert query_yields(store, "gardens") == {}


SHY = About("shy", "shy.example", delay=1.0, backoff=900.0)
OPEN = About("open", "open.example", delay=1.0)


class BlockingEngine:
    """Refuses for `ban` seconds after `most` requests."""

    def __init__(self, most: int, ban: float) -> None:
        self.most, self.ban, self.count, self.until = most, ban, 0, 0.0
        self.hammered = 0

    def ask(self, now: float) -> bool:
        if now < self.until:
            self.hammered += 1
            return False
        self.count += 1
        if self.count > self.most:
            self.count, self.until = 0, now + self.ban
            return False
        return True


def test_a_blocking_engine_gets_no_request_before_its_backoff_ends() -> None:
    now = [1_000_000.0]
    backoff = EngineBackoff([SHY, OPEN], lambda: now[0])
    shy, asked = BlockingEngine(9, 900), {"shy": 0, "open": 0}
    for _ in range(3_600):
        for name in asked:
            if backoff.wait(name) == 0:
                backoff.on_request(name)
                answered = shy.ask(now[0]) if name == "shy" else True
                asked[name] += answered
                (backoff.on_answer if answered else backoff.on_block)(name)
        now[0] += 1.0
    assert shy.hammered == 0
    assert asked["shy"] == 9 * 4
    assert asked["open"] == 3_600


def test_backoff_doubles_and_an_answer_ends_it() -> None:
    now = [0.0]
    backoff = EngineBackoff([SHY], lambda: now[0])
    backoff.on_block("shy")
    assert backoff.wait("shy") == 900
    row = backoff.on_block("shy")
    assert backoff.wait("shy") == 1_800
    other = EngineBackoff([SHY], lambda: now[0])
    other.merge(row)
    assert other.wait("shy") == 1_800
    now[0] = 1_800
    assert other.on_answer("shy") == {"engine": "shy", "blocks": 0, "until": 0.0}
