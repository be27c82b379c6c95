"""What every store must do."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.stores.base import Column, Condition, Order, Store, StoreAwayError, StoreError, Table
from pipelines.stores.mongo.store import MongoStore
from pipelines.stores.opening import open_store
from pipelines.stores.sqlite.store import SqliteStore
from testbed.servers import wait_until

THINGS = Table(
    "things",
    (
        Column("key"),
        Column("part", "integer"),
        Column("name"),
        Column("size", "real"),
        Column("body", "blob"),
        Column("tags", "json"),
        Column("first_seen", first=True),
    ),
    key=("key", "part"),
    indexes=(("name",),),
)


@pytest.fixture(params=["sqlite", "mongodb"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens the same store again and again."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "a" / "store.db", [THINGS])
    address = request.getfixturevalue("mongo_uri")
    return lambda: MongoStore(address, [THINGS])


@pytest.fixture
def store(opened: Callable[[], Store]) -> Iterator[Store]:
    made = opened()
    yield made
    made.close()


def fill(store: Store) -> None:
    rows = [{"key": f"k{n}", "part": 0, "name": f"名字{n % 3}", "size": n / 2, "tags": [n, "标签"]} for n in range(10)]
    store.upsert(THINGS, rows).result()


def test_a_row_comes_back_as_it_was(store: Store) -> None:
    row = {
        "key": "a",
        "part": 1,
        "name": "中文",
        "size": 1.5,
        "body": b"\x00\xff",
        "tags": {"a": [1, None]},
        "first_seen": "x",
    }
    store.upsert(THINGS, [row]).result()
    assert store.get(THINGS, "a", 1) == row
    assert store.get(THINGS, "a", 2) is None


def test_upsert_merges_by_key_and_keeps_what_came_first(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0, "name": "one", "first_seen": "1"}]).result()
    store.upsert(THINGS, [{"key": "a", "part": 0, "size": 2.0, "first_seen": "2"}, {"key": "b", "part": 0}]).result()
    assert store.get(THINGS, "a", 0) == {
        "key": "a", "part": 0, "name": "one", "size": 2.0, "body": None, "tags": None, "first_seen": "1",
    }  # fmt: skip
    assert store.count(THINGS) == 2


def test_conditions_order_limit_and_columns(store: Store) -> None:
    fill(store)
    rows = store.select(
        THINGS,
        [Condition("size", ">=", 1.0), Condition("name", "contains", "字1")],
        [Order("size", descending=True)],
        limit=2,
        columns=["key", "size"],
    )
    assert list(rows) == [{"key": "k7", "size": 3.5}, {"key": "k4", "size": 2.0}]
    assert store.count(THINGS, [Condition("name", "=", "名字0")]) == 4
    assert store.count(THINGS, [Condition("name", "=", "名字0")], 3) == store.count(THINGS, limit=3) == 3


def test_values_of_a_list_are_found_and_removed(store: Store) -> None:
    fill(store)
    wanted = [Condition("key", "in", ["k1", "k2", "nobody", "'); DROP"]), Condition("size", ">", 0.5)]
    assert [row["key"] for row in store.select(THINGS, wanted)] == ["k2"]
    assert store.count(THINGS, [Condition("part", "in", [])]) == 0
    store.remove(THINGS, [Condition("size", "in", [0.5, 1.0])]).result()
    assert store.count(THINGS) == 8


def test_names_are_checked_so_that_nothing_can_be_injected(store: Store) -> None:
    with pytest.raises(StoreError, match="no column"):
        list(store.select(THINGS, [Condition("name = '' OR 1=1 --", "=", "")]))
    with pytest.raises(StoreError, match="it has key, part"):
        store.upsert(THINGS, [{"key": "a", "part": 0, "nonsense": 1}])
    assert store.count(THINGS, [Condition("name", "=", "' OR 1=1 --")]) == 0


def test_durable_means_seen_by_others(store: Store, opened: Callable[[], Store]) -> None:
    fill(store)
    other = opened()
    assert other.count(THINGS) == 10
    other.upsert(THINGS, [{"key": "z", "part": 0}]).result()
    other.close()
    assert store.get(THINGS, "z", 0)


def test_one_bad_row_does_not_take_others_along(store: Store) -> None:
    good = store.upsert(THINGS, [{"key": "a", "part": 0}])
    bad = store.upsert(THINGS, [{"key": "b", "part": 0, "name": object()}, {"key": "b", "part": 1, "size": 1.0}])
    late = store.upsert(THINGS, [{"key": "c", "part": 0}])
    good.result(120)
    late.result(120)
    with pytest.raises(StoreError):
        bad.result(120)


def test_odd_values_cost_no_row(store: Store) -> None:
    store.upsert(THINGS, [{"key": "\ud800a", "part": 2**70, "name": "b\udfff", "tags": ["\ud83d", 2**65]}]).result(120)
    row = next(store.select(THINGS))
    assert (row["key"], row["part"], row["name"], row["tags"]) == ("?a", 2**63 - 1, "b?", ["?", 2**63 - 1])


def test_a_cancelled_write_does_not_stop_the_store(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0}]).cancel()
    store.upsert(THINGS, [{"key": "b", "part": 0}]).result(120)
    assert store.get(THINGS, "b", 0)


def test_within_a_group_later_values_win_and_first_ones_stay(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0, "name": "old"}]).result(120)
    store.upsert(THINGS, [{"key": "a", "part": 0, "name": "one", "first_seen": None}])
    store.upsert(THINGS, [{"key": "a", "part": 0, "name": "two", "first_seen": "9"}])
    store.upsert(THINGS, [{"key": "a", "part": 0, "size": 3.0, "first_seen": "1"}])
    store.write([]).result(120)
    row = store.get(THINGS, "a", 0)
    assert row is not None
    assert (row["name"], row["size"], row["first_seen"]) == ("two", 3.0, "9")


def test_what_has_no_value_meets_no_condition(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0}, {"key": "b", "part": 0, "name": "x", "size": 1.0}]).result(120)
    for operator in ("!=", "<", ">"):
        found = [row["key"] for row in store.select(THINGS, [Condition("name", operator, "m")])]  # type: ignore[arg-type]
        assert "a" not in found
    assert store.count(THINGS, [Condition("size", "!=", 2.0)]) == 1


def test_contains_takes_its_text_literally(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0, "name": "a.c (中)"}, {"key": "b", "part": 0, "name": "abc"}]).result(
        20
    )
    assert [row["key"] for row in store.select(THINGS, [Condition("name", "contains", "a.c (")])] == ["a"]


def test_elements_of_lists_are_found(store: Store) -> None:
    store.upsert(THINGS, [{"key": "a", "part": 0, "tags": ["地震", "四川"]}]).result(120)
    assert store.count(THINGS, [Condition("tags", "contains", "四川")]) == 1
    assert store.count(THINGS, [Condition("tags", "contains", "川")]) == 0


def test_many_rows_are_streamed_and_a_reading_may_be_left(store: Store) -> None:
    store.upsert(THINGS, [{"key": f"{n:05}", "part": n % 3, "size": float(n)} for n in range(1_200)]).result(120)
    rows = store.select(THINGS, order=[Order("key")])
    assert next(rows)["key"] == "00000"
    rows.close()  # type: ignore[attr-defined]
    assert [row["size"] for row in store.select(THINGS, order=[Order("key")])] == [float(n) for n in range(1_200)]
    assert len(list(store.select(THINGS, [Condition("part", "=", 1)], limit=300))) == 300


def test_large_values_come_back(store: Store, request: pytest.FixtureRequest) -> None:
    if isinstance(store, MongoStore):
        request.getfixturevalue("whole_mongo_uri")
    body, name = bytes(range(256)) * 70_000, "长" * 2_000_000
    for _ in range(2):
        store.upsert(THINGS, [{"key": "a", "part": 0, "body": body, "name": name}]).result(120)
    row = store.get(THINGS, "a", 0)
    assert row is not None
    assert row["body"] == body
    assert row["name"] == name


def test_a_locked_file_is_away_until_it_is_free(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = SqliteStore(tmp_path / "s.db", [THINGS], lock_seconds=0.2)
    with contextlib.closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            with pytest.raises(StoreAwayError, match="close that"):
                store.upsert(THINGS, [{"key": "a", "part": 0}]).result(120)
        assert store.away
        other.execute("ROLLBACK")
    wait_until(lambda: not store.away, "coming back")
    store.upsert(THINGS, [{"key": "a", "part": 0}]).result(120)
    store.close()
    assert len([record for record in caplog.records if "close that" in record.message]) == 1


def test_new_columns_are_added_to_an_old_database(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    old = SqliteStore(path, [Table("things", THINGS.columns[:3], THINGS.key)])
    old.upsert(Table("things", THINGS.columns[:3], THINGS.key), [{"key": "a", "part": 0, "name": "n"}]).result()
    old.close()
    new = SqliteStore(path, [THINGS])
    assert new.get(THINGS, "a", 0) | {"tags": None} == new.get(THINGS, "a", 0)  # type: ignore[operator]
    new.close()


def test_a_newer_or_damaged_database_is_refused_with_a_remedy(tmp_path: Path) -> None:
    newer = tmp_path / "newer.db"
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 999")
    database.close()
    with pytest.raises(StoreError, match="update topicrawl"):
        SqliteStore(newer, [THINGS])
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"no database at all, but long enough to be read as one" * 100)
    with pytest.raises(StoreError, match="not a topicrawl database"):
        SqliteStore(damaged, [THINGS])


def test_addresses(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/x.db")
    assert store.location == f"{tmp_path}/x.db"
    store.close()
    for wrong in ("", "oracle://x", "sqlite://", "mongodb:/x", "mongodb://[::1", "mongodb://a:b@c:99999999"):
        with pytest.raises(StoreError, match=r"sqlite:///data|mongodb://user:password@host"):
            open_store(wrong)


def test_change_gives_values_to_the_rows_that_meet_every_condition(store: Store) -> None:
    fill(store)
    two = [Condition("name", "=", "名字1"), Condition("size", "<", 3.0)]
    store.change(THINGS, two, {"name": "new", "tags": ["x"]}).result()
    assert [(row["key"], row["tags"]) for row in store.select(THINGS, [Condition("name", "=", "new")])] == [
        ("k1", ["x"]),
        ("k4", ["x"]),
    ]
    store.change(THINGS, [Condition("body", "=", None), Condition("key", "=", "k1")], {"body": b"1"}).result()
    store.change(THINGS, [Condition("body", "=", None), Condition("key", "=", "k1")], {"body": b"2"}).result()
    assert (store.get(THINGS, "k1", 0) or {})["body"] == b"1"


def test_remove_takes_the_rows_that_meet_every_condition(store: Store) -> None:
    fill(store)
    store.remove(THINGS, [Condition("name", "=", "名字1"), Condition("size", "<", 3.0)]).result()
    assert store.count(THINGS) == 8
    assert store.get(THINGS, "k1", 0) is None
    store.remove(THINGS, []).result()
    assert store.count(THINGS) == 0
    with pytest.raises(StoreError, match="no column"):
        store.remove(THINGS, [Condition("nonsense", "=", 1)])
