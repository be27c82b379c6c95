"""`scrapy forget`: names go, texts stay, on both stores; what is dry changes nothing, and what was stopped goes on."""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pipelines import forgetting
from pipelines.forgetting import forget, forget_request_of
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store
from pipelines.stores.people_tables import AUDIT
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, SOURCES
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.zstd import Zstd

NOW = datetime(2026, 11, 22, tzinfo=UTC)
POSTS = 48


def fill(store: Store) -> None:
    """Posts of two people on twenty-four pages, of which the even ones are a year older; a page without a name."""
    rows: list[tuple[Any, dict[str, Any]]] = []
    for number in range(POSTS):
        page, year = f"p{number // 2:04}", 2025 + (number // 2) % 2
        name = "张三" if number % 2 else "李四"
        post = {
            "page": page,
            "key": f"r{number % 2}",
            "author": name,
            "author_url": f"http://a.example/{name}",
            "text": "说了什么",
        }
        rows.append((RECORDS, post | {"fetched_at": f"{year}-10-01T00:00:00+00:00"}))
        rows.append((SOURCES, {"key": page, "body": b"<p>", "fetched_at": f"{year}-10-01T00:00:00+00:00"}))
    rows.append((PAGES, {"key": "p0000", "author": "张三", "title": "t", "fetched_at": "2026-10-01T00:00:00+00:00"}))
    rows.append((PAGES, {"key": "p0001", "author": None, "title": "t", "fetched_at": "2026-10-01T00:00:00+00:00"}))
    rows.append((PROPAGATION, {"page": "p0000", "author": "张三", "fetched_at": "2026-10-01T00:00:00+00:00"}))
    store.write(rows).result()


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "_BATCH_KEYS", 8)


pytestmark = pytest.mark.every_store


@pytest.fixture
def store(store: Store) -> Store:
    fill(store)
    return store


def names(store: Store) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in store.select(RECORDS):
        assert row["text"] == "说了什么"
        assert bool(row["author"]) == bool(row["author_url"])
        found[row["author"]] = found.get(row["author"], 0) + 1
    return found


def test_kept_answers_of_lists_that_name_a_person_or_are_old_go_too(store: Store) -> None:
    said = {
        "json": b'{"by": "\\u5f20\\u4e09"}',
        "gb": "张三".encode("gb18030"),
        "other": "李四".encode(),
        "broken": None,
    }
    for name, body in said.items():
        frame = b"no frame" if body is None else Zstd(3).compress(body)
        row = {"key": name, "state": "read", "good": frame, "read_at": "2026-10-01T00:00:00+00:00"}
        store.upsert(LIST_STATES, [row]).result()
    wish = forget_request_of([], "张三", "", NOW)
    assert forget(store, wish, dry=True)["list_states"] == 3
    forget(store, wish)
    assert {row["key"] for row in store.select(LIST_STATES) if row["good"]} == {"other"}
    assert forget(store, forget_request_of([], "", "2026-11-01", NOW))["list_states"] == 1
    assert {row["state"] for row in store.select(LIST_STATES)} == {"read"}


def test_old_names_go_with_their_sources_and_the_rest_stays(store: Store) -> None:
    wish = forget_request_of([], "", "2026-01-01", NOW)
    assert forget(store, wish, dry=True) == {"records": 48, "sources": 24}, "names and addresses are counted each"
    assert names(store) == {"张三": 24, "李四": 24}
    assert forget(store, wish) == {"records": 24, "sources": 12}
    assert names(store) == {"": 24, "张三": 12, "李四": 12}
    assert store.count(SOURCES) == 12
    assert store.count(ANALYSIS_QUEUE) == 12, "the search index forgets them too"
    assert forget(store, wish) == {}
    (row,) = store.select(AUDIT)
    assert (row["action"], row["facts"]["records"]) == ("forgot_names", 24)


def test_one_person_goes_everywhere_and_the_audit_does_not_name_them(store: Store) -> None:
    assert forget(store, forget_request_of([], "张三", "", NOW, sources=False)) == {
        "records": 24,
        "pages": 1,
        "propagation": 1,
    }
    assert names(store) == {"": 24, "李四": 24}
    assert store.count(SOURCES) == 24
    assert "张三" not in str(list(store.select(AUDIT)))
    assert forget(store, forget_request_of(["records"], "http://a.example/李四", "", NOW, sources=False)) == {
        "records": 24
    }
    assert names(store) == {"": 48}


def test_a_run_that_was_stopped_is_completed_by_the_next(store: Store) -> None:
    def stop(counts: Any) -> None:
        raise KeyboardInterrupt

    wish = forget_request_of([], "", "2026-01-01", NOW)
    with pytest.raises(KeyboardInterrupt):
        forget(store, wish, stop)
    left = names(store)
    assert 0 < left[""] < 24
    forget(store, wish)
    assert names(store)[""] == 24
    assert store.count(AUDIT) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(([], "", ""), "--author NAME or"), ((["urls"], "x", ""), "choose one of"), (([], "", "old"), "not a time")],
)
def test_a_wish_without_sense_is_refused(words: tuple[list[str], str, str], sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        forget_request_of(*words, NOW)


def test_the_command_counts_asks_and_forgets(tmp_path: Path, scrapy: Callable[..., tuple[str, str, int]]) -> None:
    address = f"sqlite:///{tmp_path}/a.db"
    with closing(open_store(address)) as opened:
        fill(opened)
    run = partial(scrapy, "forget", STORE=address)
    out, _, code = run("--author", "张三", "--dry-run")
    assert (out.split()[:3], code) == (["would", "be", "forgotten:"], 0)
    out, said, code = run("--author", "张三")
    assert ("24  names in records" in out, "add --yes" in said, code) == (True, True, 1)
    assert run("--author", "张三", "--yes")[2] == 0
    assert run("--author", "张三", "--yes")[0] == "there is no such name\n"
    assert run()[2] == 1
