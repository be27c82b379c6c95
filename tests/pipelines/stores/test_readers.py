"""Readings of one SQLite store do not hold each other back."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.stores.base import StoreError
from pipelines.stores.sqlite.store import SqliteStore
from pipelines.stores.tables import PAGES


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "a.db", [PAGES])) as made:
        made.upsert(PAGES, [{"key": str(number), "title": "old"} for number in range(500)]).result()
        yield made


def test_a_reading_that_is_not_read_to_its_end_hides_nothing_from_others(store: SqliteStore) -> None:
    stalled = store.select(PAGES)
    next(stalled)
    store.upsert(PAGES, [{"key": "0", "title": "new"}]).result()
    row = store.get(PAGES, "0")
    assert row is not None
    assert row["title"] == "new"
    assert len(list(stalled)) == 499


def test_threads_read_side_by_side_while_others_write(store: SqliteStore) -> None:
    faults, counts = list[Exception](), list[int]()

    def read() -> None:
        try:
            for number in range(60):
                counts.append(sum(1 for _ in store.select(PAGES)))
                store.get(PAGES, str(number))
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for number in range(20):
        store.upsert(PAGES, [{"key": f"n{number}"}]).result()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(counts) == 480
    assert set(counts) <= set(range(500, 521))


def test_a_reading_that_was_begun_ends_after_the_store_was_closed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "b.db", [PAGES])
    store.upsert(PAGES, [{"key": str(number)} for number in range(5)]).result()
    reading = store.select(PAGES)
    next(reading)
    store.close()
    assert len(list(reading)) == 4
    with pytest.raises(StoreError):
        list(store.select(PAGES))
