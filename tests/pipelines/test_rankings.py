"""Hot lists: what every visit showed can be read again, from one small row for each list and day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.feeds import FeedEntry
from pipelines.items import HotListItem
from pipelines.pruning import prune, prune_target_of
from pipelines.rankings import RankingDay, day_of, observations, seen_row
from pipelines.stores.base import Condition, MutableRow, Store
from pipelines.stores.watch_tables import LIST_STATES, RANKINGS

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def _entries(*titles: str, heat: float | None = None) -> tuple[FeedEntry, ...]:
    return tuple(
        FeedEntry(f"https://hot.example/{title}", title=title, rank=rank, heat=heat and heat - rank)
        for rank, title in enumerate(titles, 1)
    )


def _visit(
    store: Store, at: datetime, *titles: str, latest: dict[str, MutableRow] | None = None, heat: float = 100.0
) -> None:
    item = HotListItem("hot", "https://hot.example/list.json", at, _entries(*titles, heat=heat))
    store.upsert(RANKINGS, [seen_row(item, "watch", store, {} if latest is None else latest)]).result()


heats = st.one_of(st.none(), st.floats(allow_nan=False), st.integers(0, 2**53).map(float))
visits = st.lists(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), heats), min_size=1, max_size=8, unique_by=lambda each: each[0])
)


@given(visits)
def test_any_visits_survive_packing(days: list[list[tuple[str, float | None]]]) -> None:
    day = RankingDay()
    for number, entries in enumerate(days):
        found = [FeedEntry(f"u:{name}", title=name, heat=heat) for name, heat in entries]
        day = day.seen(NOON + timedelta(minutes=number), found)
    read = RankingDay.unpacked(day.items, day.packed())
    shown = [
        [(read.items[number][1], rank, None if heat != heat else heat) for number, rank, heat in entries.tolist()]
        for _, entries in read.each_visit()
    ]
    assert shown == [[(name, rank, heat) for rank, (name, heat) in enumerate(each, 1)] for each in days]


def test_a_day_is_one_row_that_another_process_goes_on_with(store: Store) -> None:
    for number in range(3):
        _visit(store, NOON + timedelta(minutes=10 * number), "quake", "rain", heat=100.0 + number)
    _visit(store, NOON + timedelta(days=1), "rain")
    assert store.count(RANKINGS) == 2
    rows = list(observations(store, [Condition("title", "=", "rain")]))
    assert [(row["at"][:16], row["rank"], row["heat"]) for row in rows] == [
        ("2026-11-27T12:00", 2, 98.0),
        ("2026-11-27T12:10", 2, 99.0),
        ("2026-11-27T12:20", 2, 100.0),
        ("2026-11-28T12:00", 1, 99.0),
    ]
    since = [
        Condition("at", ">=", "2026-11-27T12:10:00+00:00"),
        Condition("rank", "<=", 1),
        Condition("source", "=", "hot"),
    ]
    assert [row["title"] for row in observations(store, since)] == ["quake", "quake", "rain"]


def test_a_visit_that_is_not_durable_yet_is_not_lost(store: Store) -> None:
    latest: dict[str, MutableRow] = {}
    for number in range(3):
        item = HotListItem("hot", "https://hot.example/l", NOON + timedelta(minutes=number), _entries("a"))
        row = seen_row(item, "watch", store, latest)
    assert row["visits"] == 3


def test_an_unchanged_list_is_a_visit_too_also_after_midnight_and_after_a_restart(store: Store) -> None:
    latest: dict[str, MutableRow] = {}
    _visit(store, NOON, "quake", "rain", latest=latest)
    for at, known in ((NOON + timedelta(minutes=10), {}), (NOON + timedelta(hours=13), latest)):
        _visit(store, at, latest=known)
    seen = [(row["at"][:13], row["title"], row["rank"], row["heat"]) for row in observations(store)]
    pairs = [("quake", 1, 99.0), ("rain", 2, 98.0)]
    assert seen == [(hour, *pair) for hour in ("2026-11-27T12", "2026-11-27T12", "2026-11-28T01") for pair in pairs]
    unknown = HotListItem("hot", "https://other.example/", NOON, ())
    assert seen_row(unknown, "watch", store, {}) == {}


def test_old_days_are_pruned(store: Store) -> None:
    _visit(store, NOON, "a")
    _visit(store, NOON + timedelta(days=40), "b")
    prune(store, prune_target_of("rankings", "30d", "", (), NOON + timedelta(days=41)))
    assert [row["title"] for row in observations(store)] == ["b"]


def test_lists_that_are_no_longer_read_are_pruned(store: Store) -> None:
    rows = [{"key": day, "read_at": f"2026-{day}T00:00:00+00:00"} for day in ("08-01", "11-01")]
    store.upsert(LIST_STATES, rows).result()
    prune(store, prune_target_of("list_states", "90d", "", (), NOON))
    assert [row["key"] for row in store.select(LIST_STATES)] == ["11-01"]


@pytest.mark.parametrize(
    "series", [b"", b"\x28\xb5\x2f\xfd\x00", None, RankingDay().seen(NOON, _entries("a", "b")).packed()]
)
def test_a_damaged_row_is_an_empty_day(series: bytes | None) -> None:
    assert len(day_of({"items": [["k", "t", "u"]], "series": series}).visits) == 0


def test_a_full_day_and_long_texts_are_bounded() -> None:
    day = RankingDay()
    for number in range(3):
        day = day.seen(NOON, [FeedEntry(f"u:{number}:{each}", title="t" * 9_000, rank=10**9) for each in range(2_000)])
    assert len(day.entries) == 1_500
    assert max(len(title) for _, title, _ in day.items) == 300
