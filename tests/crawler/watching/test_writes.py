"""What the store refuses once is written with the next rows, and a page whose item was refused is fetched again."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from crawler.watching.answers import Listed, Listing, PageFacts, VisitAnswer
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Watch
from crawler.watching.watcher import Watcher, WatchPlan
from crawler.watching.writes import Writes
from extractors.page import Page
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Row, Store, StoreError, Table
from pipelines.stores.watch_tables import WATCH_PAGES, WATCH_SOURCES

HOME, ARTICLE, NOW = "http://news.example.cn/", "http://news.example.cn/a/1000001.html", 1e9


class OnceRefusing:
    """A store that does not take the first rows."""

    def __init__(self, store: Store) -> None:
        self._store, self._refuses = store, True

    def write(self, rows: Sequence[tuple[Table, Row]]) -> "Future[None]":
        if not self._refuses:
            return self._store.write(rows)
        self._refuses, refused = False, Future[None]()
        refused.set_exception(StoreError("KeyError: 'nModified'"))
        return refused


def learned(watch: Watch) -> Watch:
    """It knows a home list with three articles, and has fetched one of them."""
    watch.start(HOME, NOW)
    things = tuple(Listed(f"{HOME}a/{1_000_000 + n}.html", "t") for n in range(3))
    watch.answered(WatchVisit("list", HOME, "news.example.cn", HOME), VisitAnswer(200, Listing(things)), NOW + 1)
    fetched = VisitAnswer(200, page=PageFacts("first"))
    watch.answered(WatchVisit("backlog", ARTICLE, "news.example.cn", HOME), fetched, NOW + 2)
    return watch


def test_rows_that_were_refused_are_written_with_the_next(store: Store) -> None:
    watch = learned(Watch(WatchOptions()))
    rows = WatchRows("w", watch)
    writes = Writes(rows, watch.pages)
    refusing: Any = OnceRefusing(store)
    writes.begin(refusing, rows.changed(NOW))
    assert rows.changed(NOW) == []
    writes.settle()
    writes.begin(refusing, rows.changed(NOW))
    store.write([]).result()
    writes.settle()
    assert rows.changed(NOW) == []
    assert HOME in {row["url"] for row in store.select(WATCH_SOURCES)}
    assert {row["url"]: row["state"] for row in store.select(WATCH_PAGES)}[ARTICLE] == "known"


@pytest.fixture
def watcher(store: Store) -> Watcher:
    """A watch that has the lease."""
    plan = WatchPlan("w", (HOME,), WatchOptions(), lambda url: None)
    made = Watcher.load(plan, store, lambda: True, NOW)
    learned(made.watch)
    return made


def test_rows_of_an_item_that_was_refused_are_written_with_the_next(watcher: Watcher) -> None:
    rows = watcher.changed(NOW)
    watcher.writes.refused(RowsItem(rows))
    assert {row["key"] for _, row in watcher.changed(NOW)} == {row["key"] for _, row in rows}


def test_a_page_that_was_refused_is_new_when_it_comes_again(watcher: Watcher) -> None:
    visit, answer = WatchVisit("page", ARTICLE, "news.example.cn", HOME), VisitAnswer(200, page=PageFacts("first"))
    assert watcher.watch.answered(visit, answer, NOW + 3) == "same"
    watcher.writes.refused(PageItem(ARTICLE, ARTICLE, 200, Page(b"", ARTICLE), ()))
    page = watcher.watch.pages.known[ARTICLE]
    assert page.state == "waiting"
    assert page.due
    assert watcher.watch.answered(visit, answer, NOW + 4) == "new"


def test_a_page_is_stored_as_known_only_after_its_text(watcher: Watcher, store: Store) -> None:
    watcher.changed(NOW)
    visit, url = WatchVisit("page", f"{HOME}a/1000001.html", "news.example.cn", HOME), f"{HOME}answers/1"
    watcher.watch.answered(visit, VisitAnswer(200, page=PageFacts("corrected")), NOW + 3)
    item = PageItem(url, url, 200, Page(b"", url), ())
    watcher.writes.page_begins(item, visit.url)
    assert watcher.changed(NOW + 4) == []
    watcher.item_ends(item, NOW + 5)
    store.write([]).result()
    assert [row["digest"] for row in store.select(WATCH_PAGES)] == ["corrected"]


def test_the_page_behind_a_redirect_is_new_again_when_its_text_was_refused(watcher: Watcher) -> None:
    item = PageItem(f"{HOME}answers/1", f"{HOME}answers/1", 200, Page(b"", HOME), ())
    watcher.writes.page_begins(item, ARTICLE)
    watcher.writes.refused(item)
    assert watcher.watch.pages.known[ARTICLE].state == "waiting"
    assert {row["state"] for _, row in watcher.changed(NOW + 5)} == {"waiting", "backlog"} | {"watched", "new"}


def test_without_the_lease_nothing_is_visited_and_nothing_stored(store: Store) -> None:
    held = [True]
    watcher = Watcher.load(WatchPlan("w", (HOME,), WatchOptions(), lambda url: None), store, lambda: held[0], NOW)
    assert watcher.watch.next(NOW) is not None
    held[0] = False
    assert watcher.watch.next(NOW + 100) is None
    assert watcher.changed(NOW + 100) == []
    assert not watcher.keep(NOW + 100)
    held[0] = True
    assert watcher.watch.next(NOW + 100) is not None
    assert {row["url"] for _, row in watcher.changed(NOW + 100)} == {HOME}
