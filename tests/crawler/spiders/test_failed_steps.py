"""A step that fails on a page costs its field, never the page."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from crawler.spiders.site import SiteSpider
from pipelines.content import ContentPipeline
from pipelines.discussion import DiscussionPipeline
from pipelines.items import PageItem
from pipelines.storage import StoragePipeline
from pipelines.stores.base import Row, Store, StoreError
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS
from pipelines.titles.pipeline import TitlesPipeline
from tests.extractors.records.engines import ENGINES
from tests.extractors.records.engines.content import posts

HOST = "http://bbs.example"
STEPS = [
    ("article", "extractors.article.describe"),
    ("records", "extractors.records.choose"),
    ("records", "pipelines.discussion.record_rows"),
    ("links", "extractors.links.find._resolve"),
    ("links", "crawler.links.follower.LinkFollower.requests"),
    ("dates", "extractors.article.published.parse_time"),
    ("dates", "extractors.records.fields.times.written_time"),
    ("dates", "extractors.records.read.parsed_time"),
    ("relevance", "crawler.strategies.base.SiteStrategy.judge"),
    ("threads", "crawler.links.split_threads.Threads.place"),
    ("titles", "pipelines.titles.decider.TitleDecider.decide"),
    ("titles", "pipelines.titles.pipeline.request_of"),
]


@pytest.fixture
def crawler(tmp_path: Path, store: Store) -> Crawler:
    """Of the site spider."""
    settings = {
        "DATA_DIR": str(tmp_path),
        "SITE_MAX_THREAD_PAGES": 9,
    }
    found = get_crawler(SiteSpider, settings)
    StoragePipeline.from_crawler(found).store = store
    return found


def read(spider: SiteSpider, url: str) -> PageItem:
    """The item of a thread, with the rows of all pipelines."""
    body = f"<html><meta charset=utf-8><title>旧桥什么时候修好</title><body>{ENGINES['Discuz! X3'][0](posts(1))}</body></html>"
    response = HtmlResponse(url, body=body.encode(), encoding="utf-8", request=Request(url))
    item = next(output for output in spider.parse(response) if isinstance(output, PageItem))
    ContentPipeline().process_item(item)
    DiscussionPipeline().process_item(item)
    titles = TitlesPipeline.from_crawler(spider.crawler)
    asyncio.run(decide_title(titles, item))
    titles.close_spider()
    return item


async def decide_title(titles: TitlesPipeline, item: PageItem) -> None:
    """As a crawl does it."""
    await titles.open_spider()
    await titles.process_item(item)


def broken(*arguments: Any, **named: Any) -> Any:
    raise KeyError("dayſ")


@pytest.mark.parametrize(("step", "target"), STEPS, ids=[target for _, target in STEPS])
def test_the_page_is_stored(
    step: str,
    target: str,
    crawler: Crawler,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    spider = SiteSpider.from_crawler(crawler, url=HOST)
    monkeypatch.setattr(target, broken)
    with caplog.at_level(logging.ERROR, "crawler.page_answers"):
        for number in (1, 2):
            store.write(read(spider, f"{HOST}/thread-{number}-1-1.html").rows).result()
    rows: list[Row] = list(store.select(PAGES))
    assert {row["url"] for row in rows} == {f"{HOST}/thread-{number}-1-1.html" for number in (1, 2)}
    assert crawler.stats is not None
    assert crawler.stats.get_value(f"failed_steps/{step}") >= 2
    logged = [record.getMessage() for record in caplog.records if repr(step) in record.getMessage()]
    assert len(logged) == 1
    assert f"{HOST}/thread-1-1-1.html" in logged[0]
    assert bool(list(store.select(RECORDS))) is (step != "records")
    assert bool(list(store.select(PROPAGATION))) is (step not in ("titles", "article"))
    assert all(row["title"] for row in rows) is (step != "article")


def test_a_store_that_fails_is_no_fault_of_the_page(crawler: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    spider = SiteSpider.from_crawler(crawler, url=HOST)

    def away(*arguments: Any, **named: Any) -> Any:
        raise StoreError("away")

    monkeypatch.setattr("crawler.strategies.base.SiteStrategy.judge", away)
    with pytest.raises(StoreError):
        read(spider, f"{HOST}/thread-1-1-1.html")
