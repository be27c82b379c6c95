"""Rows that are pruned with an export are in one file or in the store, whenever a kill comes."""

import os
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.dataset
import pytest

from extractors.links.urls import url_key
from pipelines import pruning
from pipelines.pruning import complete, prune, prune_target_of
from pipelines.removed_rows import RemovedRows
from pipelines.stores.base import Condition, Store, StoreError, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LINKS, PAGES, PROPAGATION, RECORDS, SOURCES, URLS
from pipelines.stores.watch_tables import VERSIONS

NOW = datetime(2026, 11, 22, tzinfo=UTC)
TIMES = ("2026-04-03T10:00:00+00:00", "2026-05-31T23:59:59+00:00", "2026-11-20T00:00:00+00:00")
AGAIN = "2026-11-22T01:00:00+00:00"
STORED = (PAGES, SOURCES, LINKS, VERSIONS, PROPAGATION, RECORDS)
DEADLY: tuple[tuple[Any, str], ...] = ((os, "fsync"), (Path, "rename"), (Path, "unlink"), (pruning._PruneRun, "remove"))


@pytest.fixture(params=["sqlite", "mongodb"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/a.db" if request.param == "sqlite" else request.getfixturevalue("mongo_uri")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "_BATCH_ROWS", 2)


def fill(store: Store, pages: int = 6) -> None:
    """Pages of three months, each with a row in every table."""
    rows: list[tuple[Table, dict[str, Any]]] = []
    for number in range(pages):
        url, at = f"https://a.example/{number}", TIMES[number % 3]
        key, own = url_key(url), {"fetched_at": at}
        rows += [
            (PAGES, {"key": key, "url": url, "canonical": "", "title": "标题", "published_at": "", **own}),
            (SOURCES, {"key": key, "body": b"\x00x", **own}),
            (URLS, {"key": key, "url": url, "state": "fetched", **own}),
            (LINKS, {"page": key, "links": [["https://b.example/", "b"]]}),
            (VERSIONS, {"page": key, "fetched_at": "2026-01-01T00:00:00+00:00", "replaced_at": at}),
            (PROPAGATION, {"page": key, "story": key, "original": key, "published": at, "reposts": 0, **own}),
            (RECORDS, {"page": key, "key": "r", "time_at": "", **own}),
        ]
    store.write(rows).result()


def run(address: str, folder: Path) -> Counter[str]:
    with closing(open_store(address)) as store, RemovedRows(folder) as archive:
        complete(store, archive)
        return prune(store, prune_target_of("pages", "90d", "", [], NOW), archive=archive)


def exported(folder: Path, table: Table) -> list[str]:
    if not any((folder / table.name).rglob("*.parquet")):
        return []
    files = [str(path) for path in (folder / table.name).rglob("*.parquet")]
    return [str(row[table.key[0]]) for row in pyarrow.dataset.dataset(files).to_table().to_pylist()]


def all_stored(address: str) -> dict[Table, list[str]]:
    with closing(open_store(address)) as store:
        return {table: [row[table.key[0]] for row in store.select(table, columns=[table.key[0]])] for table in STORED}


def stored(address: str, table: Table) -> list[str]:
    return all_stored(address)[table]


def dying(call: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    """The call, or the death of its process in its place when `left` has come to 0."""

    def counted(*args: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return call(*args, **named)

    return counted


def test_what_is_removed_is_in_files_by_month(address: str, tmp_path: Path) -> None:
    with closing(open_store(address)) as store:
        fill(store)
    assert run(address, tmp_path / "old") == {table.name: 4 for table in STORED}
    for table in STORED:
        assert len(exported(tmp_path / "old", table)) == 4
        assert len(stored(address, table)) == 2
    rows = pyarrow.dataset.dataset(tmp_path / "old/pages", partitioning="hive").to_table().to_pylist()
    months = {(row["title"], row["month"], row["fetched_at"][:7]) for row in rows}
    assert months == {("标题", "2026-04", "2026-04"), ("标题", "2026-05", "2026-05")}
    assert not run(address, tmp_path / "old")


def test_a_kill_at_any_step_neither_loses_nor_doubles_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/whole.db")) as store:
        fill(store)
    whole = all_stored(f"sqlite:///{tmp_path}/whole.db")
    for kill in range(1_000):
        address, folder, left = f"sqlite:///{tmp_path}/{kill}.db", tmp_path / f"old{kill}", [kill]
        shutil.copy(tmp_path / "whole.db", tmp_path / f"{kill}.db")
        with monkeypatch.context() as patch:
            for owner, name in DEADLY:
                patch.setattr(owner, name, dying(getattr(owner, name), left))
            try:
                run(address, folder)
                break
            except KeyboardInterrupt:
                pass
        run(address, folder)
        for table, keys in all_stored(address).items():
            assert len(keys) == 2
            assert sorted(exported(folder, table) + keys) == sorted(whole[table]), (kill, table.name)
    assert kill > 20, "it was killed at every step"


def test_a_page_that_comes_again_after_a_kill_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address, folder, key = f"sqlite:///{tmp_path}/a.db", tmp_path / "old", url_key("https://a.example/0")
    with closing(open_store(address)) as store:
        fill(store, 1)
    with monkeypatch.context() as patch:
        patch.setattr(RemovedRows, "_rename", dying(RemovedRows._rename, [0]))
        with pytest.raises(KeyboardInterrupt):
            run(address, folder)
    with closing(open_store(address)) as store:
        store.upsert(PAGES, [{"key": key, "title": "again", "fetched_at": AGAIN}]).result()
        store.upsert(URLS, [{"key": key, "fetched_at": AGAIN}]).result()
    run(address, folder)
    with closing(open_store(address)) as store:
        assert [row["title"] for row in store.select(PAGES)] == ["again"]
        assert store.count(LINKS, [Condition("page", "=", key)]) == 1
    assert exported(folder, PAGES) == [key]


def test_two_exports_to_one_folder_are_refused(tmp_path: Path) -> None:
    with RemovedRows(tmp_path / "old"), pytest.raises(StoreError, match="Another process is exporting"):
        RemovedRows(tmp_path / "old")


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        RemovedRows(tmp_path / "file" / "old")
