"""Every row with a time gets its instant: when it is written, and when a database of an earlier version is opened."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.stores import instants
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.instants import fill_instants, instant_column
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, RECORDS, URLS

PUBLISHED = {
    "a": ("2026-05-10T09:00:00+08:00", "zh", "2026-05-10T01:00:00+00:00", "second"),
    "b": ("2026-05-10T02:00:00+00:00", "en", "2026-05-10T02:00:00+00:00", "second"),
    "c": ("2026-05-10", "zh", "2026-05-10T00:00:00+00:00", "day"),
    "d": ("", "zh", "", ""),
}


@pytest.fixture(params=["sqlite", "mongodb"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens the same store again and again."""
    sqlite = f"sqlite:///{tmp_path / 'store.db'}"
    address = sqlite if request.param == "sqlite" else request.getfixturevalue("mongo_uri")
    return lambda: open_store(address)


@pytest.fixture
def earlier(reopen: Callable[[], Store]) -> Iterator[Store]:
    """An open store with rows that an earlier version wrote."""
    with closing(reopen()) as store:
        rows = [{"key": key, "published": row[0], "language": row[1]} for key, row in PUBLISHED.items()]
        store.upsert(PAGES, rows).result()
        records = [
            {"page": "a", "key": "1", "time": "2026-05-10T09:00"},
            {"page": "lost", "key": "1", "time": "2026-05-10T09:00"},
        ]
        store.upsert(RECORDS, records).result()
        yield store


def instants_of(store: Store) -> dict[str, tuple[str, str]]:
    return {row["key"]: (row["published_at"], row["published_precision"]) for row in store.select(PAGES)}


def test_opening_fills_rows_of_an_earlier_version(earlier: Store, reopen: Callable[[], Store]) -> None:
    with closing(reopen()) as store:
        assert instants_of(store) == {key: row[2:] for key, row in PUBLISHED.items()}
        times = {row["page"]: row["time_at"] for row in store.select(RECORDS)}
        assert times == {"a": "2026-05-10T01:00:00+00:00", "lost": "2026-05-10T09:00:00+00:00"}


def test_filling_goes_on_where_it_was_stopped(earlier: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instants, "_BATCH_ROWS", 2)
    real, calls = instants.instants, []

    def killed(name: str, text: str | None, language: str) -> dict[str, str]:
        calls.append(text)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(name, text, language)

    monkeypatch.setattr(instants, "instants", killed)
    with pytest.raises(KeyboardInterrupt):
        fill_instants(earlier)
    assert 0 < earlier.count(PAGES, [Condition("published_at", "=", None)]) < len(PUBLISHED)
    monkeypatch.setattr(instants, "instants", real)
    assert fill_instants(earlier) > 0
    assert instants_of(earlier) == {key: row[2:] for key, row in PUBLISHED.items()}
    assert fill_instants(earlier) == 0


def test_instants_sort_and_bound_where_texts_do_not(earlier: Store) -> None:
    fill_instants(earlier)
    dated = [Condition("published_at", ">=", "2026-05-10T00:30:00+00:00")]
    found = earlier.select(PAGES, dated, [Order("published_at", descending=True)])
    assert [row["key"] for row in found] == ["b", "a"]


def test_a_time_with_an_instant_is_sorted_by_it() -> None:
    assert instant_column(PAGES, "published") == "published_at"
    assert instant_column(RECORDS, "time") == "time_at"
    assert instant_column(PAGES, "title") == "title"
    assert instant_column(URLS, "fetched_at") == "fetched_at"
