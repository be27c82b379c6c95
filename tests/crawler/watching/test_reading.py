"""Answers of a watch are read; what may be a large feed is read beside the event loop."""

import asyncio
import gzip
import threading
from typing import Any

import pytest
from scrapy.http import Request, XmlResponse

from crawler.spiders.watch import WatchSpider
from crawler.watching import reading as reading_module
from crawler.watching.answers import Listing
from crawler.watching.listings import read_feed_listing
from crawler.watching.reading import answer_of, is_large_list
from crawler.watching.visits import WatchVisit

URL = "http://news.example.cn/sitemap.xml"
SMALL = b"<urlset><url><loc>/a/1</loc></url></urlset>"
LARGE = SMALL + b" " * 1_000_000
VISIT = WatchVisit("map", URL, "news.example.cn", URL)


def response_of(body: bytes) -> XmlResponse:
    return XmlResponse(URL, body=body, request=Request(URL))


def test_large_and_packed_lists_are_told_from_others() -> None:
    assert is_large_list(VISIT, response_of(LARGE))
    assert is_large_list(VISIT, response_of(gzip.compress(LARGE)))
    assert not is_large_list(VISIT, response_of(SMALL))
    assert not is_large_list(WatchVisit("page", URL, "news.example.cn", URL), response_of(LARGE))


def test_a_feed_that_was_read_before_is_not_read_again() -> None:
    feed = read_feed_listing(SMALL, URL)
    assert answer_of(VISIT, response_of(b"<html></html>"), None, feed=feed).listing == feed


def test_a_large_feed_is_read_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, read = set[int](), list[Listing | None]()

    def note(body: bytes, url: str) -> Listing | None:
        threads.add(threading.get_ident())
        return read_feed_listing(body, url)

    class Spider:
        def _see(self, *given: Any, feed: Listing | None, **named: Any) -> list[None]:
            read.append(feed)
            return [None]

    async def see() -> int:
        spider: Any = Spider()
        return len([each async for each in WatchSpider._see_large_list(spider, Any, VISIT, response_of(LARGE))])

    monkeypatch.setattr(reading_module, "read_feed_listing", note)
    assert asyncio.run(see()) == 1
    assert threads.isdisjoint({threading.get_ident()})
    assert [len(feed.items) for feed in read if feed] == [1]
