"""What the store refuses once is written with the next rows, and a page whose item was refused is fetched again."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from scrapy import signals
from scrapy.utils.test import get_crawler

from crawler.spiders.watch import WatchSpider
from crawler.watching.answers import Answer, Listed, Listing, PageFacts
from crawler.watching.rows import WatchRows
from crawler.watching.visits import Options, Visit
from crawler.watching.watch import Watch
from crawler.watching.writes import Writes
from extractors.page import Page
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Row, Store, StoreError, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import WATCH_PAGES, WATCH_SOURCES

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


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    opened = open_store(f"sqlite:///{tmp_path / 'x.db'}")
    yield opened
    opened.close()


def learned(watch: Watch) -> Watch:
    """It knows a home list with three articles, and has fetched one of them."""
    watch.start(HOME, NOW)
    things = tuple(Listed(f"{HOME}a/{1_000_000 + n}.html", "t") for n in range(3))
    watch.answered(Visit("list", HOME, "news.example.cn", HOME), Answer(200, Listing(things)), NOW + 1)
    fetched = Answer(200, page=PageFacts("first"))
    watch.answered(Visit("backlog", ARTICLE, "news.example.cn", HOME), fetched, NOW + 2)
    return watch


def test_rows_that_were_refused_are_written_with_the_next(store: Store) -> None:
    watch = learned(Watch(Options()))
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
def spider(tmp_path: Path) -> WatchSpider:
    """A watch that does not run."""
    crawler = get_crawler(WatchSpider, {"DATA_DIR": str(tmp_path), "WATCH_CLOCK_SPEED": 1})
    made = WatchSpider.from_crawler(crawler, url=HOME)
    learned(made.watch)
    return made


def refuse(spider: WatchSpider, item: PageItem | RowsItem) -> None:
    spider.crawler.signals.send_catch_log(signals.item_error, item=item, response=None, spider=spider, failure=None)


def test_rows_of_an_item_that_was_refused_are_written_with_the_next(spider: WatchSpider) -> None:
    rows = spider.rows.changed(NOW)
    refuse(spider, RowsItem(rows))
    assert {row["key"] for _, row in spider.rows.changed(NOW)} == {row["key"] for _, row in rows}


def test_a_page_that_was_refused_is_new_when_it_comes_again(spider: WatchSpider) -> None:
    visit, answer = Visit("page", ARTICLE, "news.example.cn", HOME), Answer(200, page=PageFacts("first"))
    assert spider.watch.answered(visit, answer, NOW + 3) == "same"
    refuse(spider, PageItem(ARTICLE, ARTICLE, 200, Page(b"", ARTICLE), ()))
    page = spider.watch.pages.known[ARTICLE]
    assert page.state == "waiting"
    assert page.due
    assert spider.watch.answered(visit, answer, NOW + 4) == "new"


def test_a_page_is_stored_as_known_only_after_its_text(spider: WatchSpider) -> None:
    spider.rows.changed(NOW)
    visit, url = Visit("page", f"{HOME}a/1000001.html", "news.example.cn", HOME), f"{HOME}answers/1"
    spider.watch.answered(visit, Answer(200, page=PageFacts("corrected")), NOW + 3)
    item = PageItem(url, url, 200, Page(b"", url), ())
    spider._writes.page_begins(item, visit.url)
    assert spider.rows.changed(NOW + 4) == []
    assert spider._writes.page_ends(item)
    assert [row["digest"] for _, row in spider.rows.changed(NOW + 5)] == ["corrected"]


def test_the_page_behind_a_redirect_is_new_again_when_its_text_was_refused(spider: WatchSpider) -> None:
    item = PageItem(f"{HOME}answers/1", f"{HOME}answers/1", 200, Page(b"", HOME), ())
    spider._writes.page_begins(item, ARTICLE)
    refuse(spider, item)
    assert spider.watch.pages.known[ARTICLE].state == "waiting"
    assert {row["state"] for _, row in spider.rows.changed(NOW + 5)} == {"waiting", "backlog"} | {"watched", "new"}
