"""A small crawl that prints, in order, what reached its frontier and its pipeline; the site's root is the argument."""

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self, cast

from scrapy import Request, Spider
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response

from crawler.config.hours import Politeness
from crawler.frontier.base import QueueEntry, RequestLease
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.requests import stored_url
from crawler.middlewares.failures import FailureMiddleware
from pipelines.stores.base import StoreAwayError

EVENTS: list[tuple[str, str]] = []


def note(what: str, url: str) -> None:
    EVENTS.append((what, url.partition("//")[2].partition("/")[2]))


class Watched(SqliteFrontier):
    def push(self, entries: Sequence[QueueEntry]) -> list[bool]:
        accepted = super().push(entries)
        for entry, let_in in zip(entries, accepted, strict=True):
            if let_in:
                note("push", stored_url(entry.payload, entry.host))
        return accepted

    def pop(self, count: int) -> list[RequestLease]:
        leases = super().pop(count)
        self.urls = getattr(self, "urls", {}) | {lease.token: stored_url(lease.payload, lease.host) for lease in leases}
        return leases

    def ack(self, tokens: Sequence[str]) -> int:
        for token in tokens:
            note("ack", self.urls[token])
        return super().ack(tokens)

    def give_back(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            note("give back", self.urls[token])
        super().give_back(tokens)

    def fail(self, token: str, reason: str, delay: float = 0.0) -> bool:
        note("fail", self.urls[token])
        return super().fail(token, reason, 0.0)


def watched(crawler: Crawler) -> Watched:
    return Watched(Path(sys.argv[2]) / "f.db", Politeness(0.0, 100))


class ManySpider(Spider):
    name = "many"

    async def start(self) -> Any:
        self.away = {"/unread", "/unknown"}
        for path in ("page", "twice", "redirect", "raises", "bad-item", "refused", "404", "unread", "unknown"):
            yield Request(f"{sys.argv[1]}/{path}", self.parse, errback=self.on_error)
        yield Request("http://127.0.0.1:1/unreachable", self.parse)

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        if response.url.endswith("/page"):
            yield response.follow("/child-1", self.parse)
            yield response.follow("/child-2", self.parse)
        if response.url.endswith("/twice"):
            yield Request(response.url + "?again", self.parse_again, dont_filter=True)
        if response.url.endswith("/raises"):
            raise ValueError("no")
        if response.url.endswith("/unread"):
            _read_once(self.away, "/unread")

    async def parse_again(self, response: Response) -> Any:
        await asyncio.sleep(0.05)
        yield {"url": response.url}

    def on_error(self, failure: Any) -> Iterator[Any]:
        yield {"url": failure.request.url}


def _read_once(away: set[str], path: str) -> None:
    """Read a store that does not answer the first time."""
    if path in away:
        away.remove(path)
        raise StoreAwayError("no server answers")


class StoreFailures(FailureMiddleware):
    """Leaves downloads that failed to Scrapy."""

    def process_exception(self, request: Request, exception: Exception) -> None:
        if isinstance(exception, StoreAwayError):
            super().process_exception(request, exception)


class ReadingMiddleware:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        if request.url.endswith("/unknown"):
            _read_once(cast(Any, self._crawler.spider).away, "/unknown")


class SlowPipeline:
    async def process_item(self, item: dict[str, str]) -> dict[str, str]:
        await asyncio.sleep(0.1)
        if item["url"].endswith("/bad-item"):
            raise OSError("not stored")
        note("stored", item["url"])
        return item


if __name__ == "__main__":
    process = CrawlerProcess(
        {
            "SCHEDULER": "crawler.frontier.scheduler.FrontierScheduler",
            "FRONTIER": watched,
            "ITEM_PIPELINES": {SlowPipeline: 1},
            "DOWNLOADER_MIDDLEWARES": {StoreFailures: 545, ReadingMiddleware: 600},
            "RETRY_DELAY": 0.01,
            "RETRY_DELAY_MAX": 0.01,
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "RETRY_TIMES": 1,
            "LOG_LEVEL": "CRITICAL",
            "DOWNLOAD_DELAY": 0,
        }
    )
    process.crawl(ManySpider)
    process.start()
    print(json.dumps(EVENTS))
