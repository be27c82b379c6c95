"""Writes of many that share a commit have the result of each one after the other."""

import tempfile
from concurrent.futures import Future
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.stores.base import Column, Condition, Row, Table
from pipelines.stores.sqlite.store import SqliteStore

PAGES = Table("pages", (Column("key", "integer"), Column("title"), Column("seen", "integer", first=True)), ("key",))
LINES = Table("lines", (Column("page", "integer"), Column("place", "integer"), Column("said")), ("page", "place"))
KEYS = st.integers(0, 3)
PAGE = st.fixed_dictionaries({"key": KEYS}, optional={"title": st.sampled_from("abc"), "seen": st.integers(1, 9)})
LINE = st.fixed_dictionaries({"page": KEYS, "place": st.integers(0, 90)}, optional={"said": st.sampled_from("xyz")})
ROWS = st.lists(st.one_of(PAGE.map(lambda row: (PAGES, row)), LINE.map(lambda row: (LINES, row))), max_size=80)
STEP = st.one_of(
    st.tuples(st.just("write"), ROWS),
    st.tuples(st.just("remove"), KEYS),
    st.tuples(st.just("change"), st.tuples(KEYS, st.sampled_from("abc"))),
)


def begun(store: SqliteStore, step: tuple[str, object]) -> Future[None]:
    match step:
        case "write", list(rows):
            return store.write(rows)
        case "remove", key:
            return store.remove(LINES, [Condition("page", "=", key)])
        case "change", (key, title):
            return store.change(PAGES, [Condition("key", "=", key)], {"title": title})
    raise AssertionError(step)


def rows_after(steps: list[tuple[str, object]], path: Path, *, wait_for_each: bool) -> tuple[list[Row], list[Row]]:
    store = SqliteStore(path, [PAGES, LINES])
    futures = []
    for step in steps:
        futures.append(begun(store, step))
        if wait_for_each:
            futures[-1].result()
    for future in futures:
        future.result()
    found = sorted(store.select(PAGES), key=str), sorted(store.select(LINES), key=str)
    store.close()
    return found


@settings(max_examples=12, deadline=None)
@given(st.lists(STEP, max_size=5))
def test_writes_that_share_a_commit_have_the_result_of_one_after_the_other(steps: list[tuple[str, object]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        together = rows_after(steps, Path(folder, "together.db"), wait_for_each=False)
        assert together == rows_after(steps, Path(folder, "alone.db"), wait_for_each=True)
