"""Which query is asked next: left, failed and repeated ones, rests, several nodes, what earlier queries have brought."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.engines.base import About, Asking, Engine
from crawler.metasearch.queries import Planned
from crawler.metasearch.query_scheduler import Enquiry
from crawler.metasearch.query_store import QueryBook, Row
from crawler.metasearch.query_yields import yields_of
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import QUERIES, RESTS

ENGINES = {
    name: Engine(
        About(name, f"{name}.example", delay=1.0, rest=900.0), lambda query, keys: Asking("x"), lambda reply: []
    )
    for name in ("shy", "open")
}
PLAN = [Planned("a"), Planned("b"), Planned("c")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/crawl.db")
    yield store
    store.close()


class Node:
    """A node with a clock that others share."""

    def __init__(self, store: Store, clock: list[float], repeat_days: float = 0.0) -> None:
        self.store = store
        self.book = QueryBook(store, "crawl", "money", repeat_days)
        self.enquiry = Enquiry(store, self.book, ENGINES, 120.0, lambda: clock[0])
        self.enquiry.open(PLAN)

    def answer(self, row: Row, state: str = "results", **more: object) -> None:
        row = row | {"state": state, "tries": row["tries"] + 1, "asked_at": datetime.now(UTC).isoformat()} | more
        rest = self.enquiry.blocked(row, 0.0) if state == "blocked" else self.enquiry.answered(row, 3, 2)
        self.store.upsert(QUERIES, [row]).result()
        if rest:
            self.store.upsert(RESTS, [rest]).result()

    def take(self, name: str) -> Row | None:
        return self.enquiry.take(name) if self.enquiry.waits().get(name) == 0 else None


def taken(node: Node, name: str, clock: list[float]) -> Iterator[str]:
    """Words that it asks until nothing is left."""
    while name in node.enquiry.waits():
        clock[0] += 1.0
        if row := node.take(name):
            node.answer(row)
            yield row["words"]


def test_what_is_left_is_asked_in_the_plans_order_and_nothing_twice(store: Store) -> None:
    clock = [1e9]
    first = Node(store, clock)
    row = first.take("open")
    assert row
    assert row["words"] == "a"
    assert first.take("open") is None  # one at a time
    first.answer(row)
    assert list(taken(Node(store, clock), "open", clock)) == ["b", "c"]
    assert "open" not in Node(store, clock).enquiry.waits()


def test_what_failed_is_tried_in_later_runs_and_not_for_ever(store: Store) -> None:
    clock = [1e9]
    tries = []
    for _ in range(5):
        clock[0] += 10
        if row := Node(store, clock).take("open"):
            tries.append(row["words"])
            store.upsert(QUERIES, [row | {"state": "failed", "tries": row["tries"] + 1}]).result()
    assert tries == ["a", "a", "a", "b", "b"]


def test_after_the_days_that_a_setting_names_queries_are_asked_again(store: Store) -> None:
    clock = [1e9]
    old = (datetime.now(UTC) - timedelta(days=8)).isoformat(timespec="seconds")
    node = Node(store, clock)
    for _ in range(2):
        row = node.take("open")
        assert row
        node.answer(row, asked_at=old)
        clock[0] += 1
    assert list(taken(Node(store, clock), "open", clock)) == ["c"]
    assert list(taken(Node(store, clock, repeat_days=7), "open", clock)) == ["a", "b"]
    assert list(taken(Node(store, clock, repeat_days=7), "open", clock)) == []


def test_a_blocked_query_goes_first_after_the_rest_and_other_engines_go_on(store: Store) -> None:
    clock = [1e9]
    node = Node(store, clock)
    row = node.take("shy")
    assert row
    node.answer(row, "blocked")
    asked = []
    for _ in range(900):
        clock[0] += 1
        for name in ENGINES:
            if found := node.take(name):
                asked.append((name, found["words"], clock[0] - 1e9))
                node.answer(found)
    assert [each for each in asked if each[0] == "shy"] == [("shy", "a", 900)]
    assert [words for name, words, _ in asked if name == "open"] == ["a", "b", "c"]


def test_a_rest_holds_for_other_nodes_and_later_runs(store: Store) -> None:
    clock = [1e9]
    one, other = Node(store, clock), Node(store, clock)
    row = one.take("shy")
    assert row
    one.answer(row, "blocked")
    clock[0] += 2
    assert other.enquiry.waits()["shy"] == pytest.approx(898)
    assert Node(store, clock).enquiry.waits()["shy"] == pytest.approx(898)
    clock[0] += 900
    again = Node(store, clock)
    row = again.take("shy")
    assert row
    again.answer(row, "blocked")  # the second time in a row, though by another run
    assert again.enquiry.resting.rest_left("shy") == 1_800


@pytest.mark.parametrize("tells", [True, False])
def test_two_nodes_ask_each_query_once_and_one_at_a_time(store: Store, tells: bool) -> None:
    """What the frontier knows already it drops: here a set of keys. A shared frontier does not tell so at once."""
    clock = [1e9]
    nodes = [Node(store, clock), Node(store, clock)]
    frontier: set[str] = set()
    under_way: list[tuple[Node, Row, float]] = []
    asked = []
    for _ in range(200):
        clock[0] += 0.5
        for node in nodes:
            if row := node.take("open"):
                if row["key"] in frontier:
                    if tells:
                        node.enquiry.dropped(row)
                else:
                    frontier.add(row["key"])
                    asked.append((row["words"], row["page"]))
                    under_way.append((node, row, clock[0] + 2))
        assert len(under_way) <= 1
        for node, row, end in list(under_way):
            if clock[0] >= end:
                under_way.remove((node, row, end))
                more = [node.enquiry.further(row, {"token": "7"})] if row["page"] == 1 else []
                store.upsert(QUERIES, more).result()
                node.answer(row)
    assert sorted(asked) == [(words, page) for words in "abc" for page in (1, 2)]
    assert all("open" not in node.enquiry.waits() for node in nodes)
    assert {row["carried"]["token"] for row in store.select(QUERIES) if row["page"] == 2} == {"7"}


def test_a_query_that_nobody_answers_is_asked_after_all(store: Store) -> None:
    clock = [1e9]
    node = Node(store, clock)
    row = node.take("open")
    assert row
    node.enquiry.dropped(row)
    clock[0] += 100
    assert node.take("open") is None
    clock[0] += 30
    again = node.take("open")
    assert again
    assert (again["words"], again["tries"]) == ("a", 1)


def test_yields_are_relative_to_the_average(store: Store) -> None:
    node = Node(store, [1e9])
    rows = [node.book.row("open", words, site, 1, 0) for words, site in (("a", ""), ("b", ""), ("b", "x.example"))]
    for row, new, relevant in zip(rows, (10, 10, 1), (6, 0, 0), strict=True):
        store.upsert(QUERIES, [row | {"state": "results", "new": new}]).result()
        if relevant:
            store.upsert(QUERIES, [{"key": row["key"], "relevant": relevant}]).result()
    yields = yields_of(store, "money")
    assert yields["a", ""] == pytest.approx((6 + 2) / 2 / 2)
    assert yields["b", ""] == pytest.approx(2 / 2 / 2)
    assert yields["", "x.example"] == pytest.approx(0.5)
    assert yields_of(store, "gardens") == {}
