"""Sealed months: gone from the store, read as before; no kill and no crawl at the same time loses anything. The same on every store."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from extractors.links.urls import url_key
from pipelines import pruning
from pipelines.sealing import sealing
from pipelines.sealing.files import FileWriter
from pipelines.sealing.parts import OWNERS, parts
from pipelines.sealing.reading import WholeStore
from pipelines.stores.base import Condition, Order, Store, StoreError, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LINKS, PAGES, RECORDS, SOURCES, TABLES, URLS, VERSIONS

BEFORE = "2026-06-01"
APRIL, MAY, NEW = "2026-04-03T10:00:00+00:00", "2026-05-20T10:00:00+00:00", "2026-11-20T10:00:00+00:00"
SEALED = [TABLES[name] for name in OWNERS]
Row = dict[str, Any]


@pytest.fixture(params=["sqlite", "mongodb"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(pruning, "_BATCH_ROWS", 3)
    monkeypatch.setattr(sealing, "_GROUP_PAGES", 2)
    monkeypatch.setattr(sealing, "_PART_PAGES", 4)
    address = f"sqlite:///{tmp_path}/a.db" if request.param == "sqlite" else request.getfixturevalue("mongo_uri")
    made = open_store(address)
    yield made
    made.close()


def url(number: int) -> str:
    return f"https://a.example/{number}"


def add(store: Store, number: int, at: str, **page: Any) -> str:
    """A page with rows in every table that is sealed; returns its key. Links of some are under the address that was asked for."""
    key, canonical = url_key(url(number)), f"{url(number)}?asked" if number == 4 else ""
    asked = url_key(canonical or url(number))
    texts = {"title": f"题{number % 3}", "body": "正文" * number or None, "keywords": ["地震", str(number)]}
    rows: list[tuple[Table, Row]] = [
        (PAGES, {"key": key, "url": url(number), "canonical": canonical, "relevance": number / 4, "first_seen": at, "published_at": "",
                 "fetched_at": at, **texts, **page}),
        (SOURCES, {"key": key, "body": bytes(range(number)), "compression": "", "fetched_at": at}),
        (URLS, {"key": key, "url": url(number), "state": "fetched", "fetched_at": at}),
        (LINKS, {"page": asked, "links": [[url(9), "锚"], [url(8), ""]]}),
        (VERSIONS, {"page": key, "fetched_at": "2026-01-01T00:00:00+00:00", "body": "旧", "replaced_at": at}),
    ]  # fmt: skip
    rows += [
        (
            RECORDS,
            {"page": key, "key": f"r{place}", "text": f"帖{place}", "place": place, "time_at": "", "fetched_at": at},
        )
        for place in range(number % 4)
    ]
    store.write(rows).result()
    return key


def fill(store: Store) -> None:
    for number in range(9):
        add(store, number, (APRIL, MAY, NEW)[number % 3])


def contents(store: Store) -> dict[str, list[Row]]:
    """All rows of the tables that are sealed, in the order of their keys."""
    return {table.name: list(store.select(table, order=[Order(name) for name in table.key])) for table in SEALED}


def sealed(store: Store, folder: Path) -> Counter[str]:
    return sealing.seal(store, folder, BEFORE)


QUESTIONS: list[tuple[Table, list[Condition], list[Order], int]] = [
    (PAGES, [], [], 0),
    (PAGES, [Condition("title", "contains", "题1")], [], 0),
    (PAGES, [Condition("keywords", "contains", "4")], [], 0),
    (PAGES, [Condition("body", "=", None)], [], 0),
    (PAGES, [Condition("fetched_at", ">=", "2026-05"), Condition("relevance", "!=", 1.0)], [], 0),
    (PAGES, [], [Order("relevance", True)], 4),
    (PAGES, [], [Order("title"), Order("relevance", True)], 0),
    (PAGES, [Condition("key", "in", [url_key(url(0)), url_key(url(2)), url_key(url(4))])], [Order("url")], 0),
    (RECORDS, [Condition("page", "=", url_key(url(3)))], [Order("place", True)], 2),
    (RECORDS, [Condition("place", "<", 2), Condition("text", "=", "帖1")], [Order("page")], 0),
    (SOURCES, [Condition("fetched_at", "<", "2026-05")], [Order("key")], 0),
    (LINKS, [Condition("page", "=", url_key(url(1)))], [], 0),
    (VERSIONS, [Condition("replaced_at", ">", "2026-05")], [Order("page")], 0),
]


def answers(store: Store) -> list[Any]:
    found = []
    for table, where, order, limit in QUESTIONS:
        rows = list(store.select(table, where, order, limit))
        if not order:
            rows.sort(key=lambda row: [row[name] for name in table.key])
        named = [{name: row[name] for name in table.key} for row in rows]
        assert (
            order or limit or sorted(map(str, store.select(table, where, columns=table.key))) == sorted(map(str, named))
        )
        found.append((rows, store.count(table, where), store.count(table, where, 2)))
    return [*found, [store.get(PAGES, url_key(url(number))) for number in (0, 2, 77)], store.get(RECORDS, "x", "y")]


def test_what_is_sealed_is_read_as_before_and_comes_back(store: Store, tmp_path: Path) -> None:
    fill(store)
    before, rows = answers(store), contents(store)
    assert sealing.sealable(store, BEFORE) == {"2026-04": 3, "2026-05": 3}
    whole = WholeStore(store, tmp_path / "sealed")
    moved = sealed(store, tmp_path / "sealed")
    assert moved == {"pages": 6, "sources": 6, "links": 6, "versions": 6, "records": 9}
    assert {row["fetched_at"] for row in store.select(PAGES)} == {NEW}
    assert {table.name: store.count(table) for table in SEALED} == dict.fromkeys(moved, 3) | {"records": 3}
    assert store.count(URLS) == 9
    assert answers(whole) == before
    named = WholeStore(store, tmp_path / "sealed", scans=False)
    assert named.count(PAGES) == 3
    assert named.count(PAGES, [Condition("key", "=", url_key(url(4)))]) == 1
    assert not sealed(store, tmp_path / "sealed")
    assert sealing.unseal(store, tmp_path / "sealed", "2026-04") == {
        "pages": 3,
        "sources": 3,
        "links": 3,
        "versions": 3,
        "records": 5,
    }
    assert store.count(PAGES) == 6
    assert answers(whole) == before
    sealing.unseal(store, tmp_path / "sealed", "2026-05")
    assert contents(store) == rows
    assert not parts(store)
    assert not list((tmp_path / "sealed").rglob("*.parquet"))


def test_no_kill_loses_a_row(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store)
    before, calls, last = contents(store), 0, 0
    whole, folder = WholeStore(store, tmp_path / "sealed"), tmp_path / "sealed"
    real = {name: getattr(store, name) for name in ("upsert", "remove")}

    def counted(name: str) -> Any:
        def call(*words: Any) -> Future[None]:
            nonlocal calls
            calls += 1
            if calls == last:
                raise KeyboardInterrupt
            done: Future[None] = real[name](*words)
            return done

        return call

    for name in real:
        monkeypatch.setattr(store, name, counted(name))
    for work in (sealed, lambda *words: [sealing.unseal(*words, month) for month in ("2026-04", "2026-05")]):
        while True:
            calls, last = 0, last + 5
            try:
                work(store, folder)
                break
            except KeyboardInterrupt:
                assert contents(whole) == before
        assert contents(whole) == before
        last = 1
    assert contents(store) == before
    assert not list(folder.rglob("*.*"))


def test_a_page_that_is_fetched_again_comes_first_and_is_sealed_with_its_earlier_posts(
    store: Store, tmp_path: Path
) -> None:
    key = add(store, 3, APRIL)
    sealed(store, tmp_path)
    store.write(
        [
            (
                PAGES,
                {"key": key, "url": url(3), "title": "新", "first_seen": MAY, "fetched_at": MAY, "published_at": ""},
            ),
            (RECORDS, {"page": key, "key": "r2", "text": "改", "fetched_at": MAY, "time_at": ""}),
            (RECORDS, {"page": key, "key": "r9", "text": "新帖", "fetched_at": MAY, "time_at": ""}),
        ]
    ).result()
    whole = WholeStore(store, tmp_path)

    def texts() -> list[str]:
        return [row["text"] for row in whole.select(RECORDS, order=[Order("key")])]

    assert [row["title"] for row in whole.select(PAGES)] == ["新"]
    assert texts() == ["帖0", "帖1", "改", "新帖"]
    sealed(store, tmp_path)
    assert not store.count(RECORDS)
    assert not store.count(PAGES)
    assert texts() == ["帖0", "帖1", "改", "新帖"]
    assert [(row["title"], row["first_seen"]) for row in whole.select(PAGES)] == [("新", APRIL)]
    assert len(list(whole.select(SOURCES))) == 1


def test_a_month_that_is_opened_keeps_newer_rows_and_when_a_page_was_first_seen(store: Store, tmp_path: Path) -> None:
    key = add(store, 3, APRIL)
    sealed(store, tmp_path)
    store.upsert(
        PAGES, [{"key": key, "title": "新", "first_seen": NEW, "fetched_at": NEW, "published_at": ""}]
    ).result()
    sealing.unseal(store, tmp_path, "2026-04")
    page = store.get(PAGES, key)
    assert page
    assert (page["title"], page["first_seen"], page["fetched_at"]) == ("新", APRIL, NEW)
    assert store.count(RECORDS) == 3


def test_what_changes_while_it_is_written_stays_in_the_store(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed, again, quiet = (add(store, number, APRIL) for number in (5, 6, 7))
    close = FileWriter.close

    def close_last(writer: FileWriter) -> None:
        close(writer)
        if writer._table is PAGES:
            store.change(PAGES, [Condition("key", "=", changed)], {"author": ""}).result()
            store.upsert(SOURCES, [{"key": again, "body": b"new", "fetched_at": NEW}]).result()
            store.upsert(URLS, [{"key": again, "fetched_at": NEW}]).result()

    monkeypatch.setattr(FileWriter, "close", close_last)
    sealed(store, tmp_path)
    assert {row["key"] for row in store.select(PAGES)} == {changed}
    assert [row["body"] for row in store.select(SOURCES)] == [b"new"]
    assert {row["page"] for row in store.select(LINKS)} == {again}
    whole = WholeStore(store, tmp_path)
    assert {row["key"]: row["author"] for row in whole.select(PAGES)} == {changed: "", again: None, quiet: None}
    source = whole.get(SOURCES, again)
    assert source
    assert source["body"] == b"new"


def test_a_thread_with_newer_posts_stays_and_parts_go_with_their_page(store: Store, tmp_path: Path) -> None:
    stays, goes = add(store, 0, APRIL), add(store, 1, APRIL)
    store.upsert(RECORDS, [{"page": stays, "key": "late", "fetched_at": NEW, "time_at": ""}]).result()
    for number, first in ((5, 0), (6, 1)):
        part = {"url": url(number), "state": "part", "reason": url(first), "fetched_at": APRIL}
        store.upsert(URLS, [{"key": url_key(url(number)), **part}]).result()
        store.upsert(SOURCES, [{"key": url_key(url(number)), "body": b"p", "fetched_at": APRIL}]).result()
    sealed(store, tmp_path)
    assert {row["key"] for row in store.select(SOURCES)} == {stays, url_key(url(5))}
    assert {row["key"] for row in WholeStore(store, tmp_path).select(SOURCES)} >= {goes, url_key(url(6))}


def test_files_that_are_missing_or_damaged_are_named(store: Store, tmp_path: Path) -> None:
    add(store, 1, APRIL)
    sealed(store, tmp_path)
    (file,) = tmp_path.rglob("*-pages.parquet")
    whole = file.read_bytes()
    file.unlink()
    with pytest.raises(StoreError, match=r"-pages\.parquet is missing.*SEALED_DIR"):
        list(WholeStore(store, tmp_path).select(PAGES))
    file.write_bytes(whole[:100])
    with pytest.raises(StoreError, match=r"-pages\.parquet cannot be read"):
        list(WholeStore(store, tmp_path).select(PAGES))
