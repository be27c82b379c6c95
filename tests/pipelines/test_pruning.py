"""Old pages go with all that is theirs; what is newer, what others need and what was seen stays. The same on every store."""

from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from analysis.jobs.work import work_once
from extractors.links.urls import url_key
from pipelines import pruning
from pipelines.pruning import prune, prune_target_of
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, ANALYSIS_QUEUE
from pipelines.stores.base import Condition, Store, StoreError, Table
from pipelines.stores.sqlite.store import SqliteStore
from pipelines.stores.tables import LINKS, PAGES, PROPAGATION, RECORDS, RUNS, SOURCES, TABLES, URLS
from pipelines.stores.watch_tables import VERSIONS

NOW = datetime(2026, 11, 22, tzinfo=UTC)
OLD, NEW = "2026-06-01T00:00:00+00:00", "2026-11-20T00:00:00+00:00"


pytestmark = pytest.mark.every_store


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "_BATCH_ROWS", 3)


def url(number: int) -> str:
    return f"https://a.example/{number}"


def add(store: Store, number: int, at: str, story: int | None = None, **page: Any) -> str:
    """A page with a row in every table; returns its key."""
    key, own = url_key(url(number)), {"fetched_at": at}
    story_key = url_key(url(number if story is None else story))
    published = f"2026-06-01T00:00:{number:02}+00:00"
    rows: list[tuple[Table, dict[str, Any]]] = [
        (PAGES, {"key": key, "url": url(number), "canonical": "", "published_at": "", **own, **page}),
        (SOURCES, {"key": key, "body": b"x", **own}),
        (URLS, {"key": key, "url": url(number), "state": "fetched", "etag": '"1"', **own}),
        (LINKS, {"page": key, "links": []}),
        (VERSIONS, {"page": key, "fetched_at": "2026-05-01T00:00:00+00:00", "replaced_at": OLD}),
        (
            PROPAGATION,
            {"page": key, "story": story_key, "original": story_key, "published": published, "reposts": 0, **own},
        ),
        (ANALYSIS_JOBS, {"name": "analysis"}),
    ]
    rows += [(RECORDS, {"page": key, "key": f"r{place}", "time_at": "", **own}) for place in range(2)]
    store.write(rows).result()
    return key


def pruned(store: Store, name: str = "pages", by: str = "", *where: Condition, dry: bool = False) -> Counter[str]:
    return prune(store, prune_target_of(name, "90d", by, where, NOW), dry=dry)


def keys(store: Store, table: Table) -> set[str]:
    return {row[table.key[0]] for row in store.select(table, columns=[table.key[0]])}


def test_old_pages_go_with_all_that_is_theirs_and_stay_known(store: Store) -> None:
    old = {add(store, number, OLD) for number in range(7)}
    new = {add(store, number, NEW) for number in range(7, 10)}
    said = pruned(store, dry=True)
    assert store.count(PAGES) == 10
    assert pruned(store) == said
    assert said == {"pages": 7, "sources": 7, "links": 7, "versions": 7, "propagation": 7, "records": 14}
    for table in (PAGES, SOURCES, LINKS, VERSIONS, PROPAGATION, RECORDS):
        assert keys(store, table) == new, table.name
    assert keys(store, URLS) == old | new
    assert {row["key"] for row in store.select(URLS, [Condition("etag", "=", "")])} == old
    assert keys(store, ANALYSIS_QUEUE) == old  # the analysis forgets them when it looks
    work_once(store, [])
    assert not pruned(store)


@pytest.mark.parametrize("name", ["pages", "urls"])
def test_a_page_that_is_fetched_again_meanwhile_stays_whole(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    again = add(store, 0, OLD)
    add(store, 1, OLD)
    known, fetched = pruning._PruneRun.known, list[str]()

    def fetch_first(run: Any, *what: Any) -> set[str]:
        if not fetched:
            fetched.append(add(store, 0, NEW))
        return known(run, *what)

    monkeypatch.setattr(pruning._PruneRun, "known", fetch_first)
    pruned(store, name)
    assert fetched == [again]
    for table in (SOURCES, URLS, PAGES, LINKS):
        assert again in keys(store, table), table.name
    assert keys(store, LINKS) == {again}


def test_the_next_visit_gets_a_page_that_the_database_lost(store: Store) -> None:
    add(store, 0, OLD)
    lost = add(store, 1, NEW)
    store.upsert(PAGES, [{"key": url_key(url(0)), "canonical": url(1)}]).result()
    store.remove(PAGES, [Condition("key", "=", lost)]).result()
    pruned(store)
    assert {row["key"] for row in store.select(URLS, [Condition("etag", "=", "")])} == {url_key(url(0)), lost}


def test_the_rest_of_a_story_gets_its_original_again(store: Store) -> None:
    add(store, 0, OLD)
    rest = [add(store, 1, NEW, story=0), add(store, 2, NEW, story=0)]
    pruned(store)
    first, second = (store.get(PROPAGATION, key) for key in rest)
    assert first
    assert second
    assert (first["original"], first["verdict"], first["reposts"]) == (rest[0], "original", 1)
    assert (second["original"], second["verdict"], second["delay_hours"]) == (rest[0], "repost", 0.0)


def test_a_thread_with_newer_records_stays_whole(store: Store) -> None:
    key = add(store, 0, OLD)
    store.upsert(RECORDS, [{"page": key, "key": "late", "fetched_at": NEW, "time_at": ""}]).result()
    assert not pruned(store)
    assert store.count(RECORDS) == 3


def test_parts_go_with_their_page(store: Store) -> None:
    add(store, 0, OLD)
    add(store, 1, NEW)
    rows: list[tuple[Table, dict[str, Any]]] = []
    for number, state, reason in ((5, "part", url(0)), (6, "part", url(1)), (7, "irrelevant", "")):
        key = url_key(url(number))
        rows += [(URLS, {"key": key, "url": url(number), "state": state, "reason": reason, "fetched_at": OLD})]
        rows += [(SOURCES, {"key": key, "body": b"x", "fetched_at": OLD}), (LINKS, {"page": key, "links": []})]
    store.write(rows).result()
    pruned(store)
    left = {url_key(url(1)), url_key(url(6))}
    assert (keys(store, SOURCES), keys(store, LINKS)) == (left, left)
    assert store.count(URLS) == 5


def test_addresses_without_a_page_are_found_by_their_state(tmp_path: Path) -> None:
    rows = [
        {
            "key": f"{number:020}",
            "state": "fetched" if number % 50 else ("part", "dead")[number % 100 > 0],
            "fetched_at": OLD,
        }
        for number in range(5_000)
    ]
    steps = Counter[int]()
    for number, some in enumerate((rows, [row for row in rows if row["state"] != "fetched"])):
        with closing(SqliteStore(tmp_path / f"{number}.db", TABLES.values())) as store:
            store.upsert(URLS, some).result()
            store.upsert(LINKS, [{"page": row["key"], "links": []} for row in some]).result()
            reader = store._readers.take()  # the only one: readings here follow each other
            reader.set_progress_handler(partial(steps.update, [number]), 10)
            store._readers.give_back(reader)
            assert prune(store, prune_target_of("pages", "90d", "", (), NOW)) == {"links": 100}
    assert steps[0] < 1.5 * steps[1]  # SQLite's own steps: the 4,900 pages beside them cost nothing


def test_conditions_and_other_times_choose(store: Store) -> None:
    add(store, 0, OLD, relevance=0.1)
    kept = add(store, 1, OLD, relevance=0.9)
    pruned(store, "pages", "", Condition("relevance", "<", 0.5))
    pruned(store, "pages", "published")  # when it was published is unknown
    assert keys(store, PAGES) == {kept}
    store.upsert(PAGES, [{"key": kept, "fetched_at": NEW, "published_at": OLD}]).result()
    pruned(store, "pages", "published")
    assert keys(store, PAGES) == set()


def test_single_tables(store: Store) -> None:
    for number in range(7):
        add(store, number, OLD)
    store.upsert(RUNS, [{"key": "a", "started": OLD}, {"key": "b", "started": NEW}]).result()
    assert pruned(store, "sources") == {"sources": 7}
    for dry in (True, False):
        assert pruned(store, "records", dry=dry) == {"records": 14}
    assert pruned(store, "versions") == {"versions": 7}
    assert pruned(store, "runs") == {"runs": 1}
    assert pruned(store, "urls") == {"urls": 7, "links": 7}
    assert store.count(PAGES) == 7
    assert isinstance(store.give_back(), str)
    with pytest.raises(StoreError, match="cannot be pruned"):
        pruned(store, "terms")


def test_a_run_that_was_broken_off_is_completed_by_the_next(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        add(store, number, OLD, story=0)
    remove, calls = store.remove, 0

    def broken(table: Table, where: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise KeyboardInterrupt
        return remove(table, where)

    monkeypatch.setattr(store, "remove", broken)
    with pytest.raises(KeyboardInterrupt):
        pruned(store)
    monkeypatch.undo()
    assert store.count(PAGES) > 0
    pruned(store)
    assert not any(store.count(table) for table in (PAGES, SOURCES, LINKS, VERSIONS, PROPAGATION, RECORDS))
