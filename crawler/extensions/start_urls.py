"""Feeds a node with the start URLs that people put into Redis, also while it is at work."""

import asyncio
import logging
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, NotConfigured

from crawler.config.crawl_names import crawl_name
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import is_shared
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.server import AwayError, connect
from crawler.frontier.shared.start_urls import StartUrls as StartUrlsKey
from crawler.frontier.shared.start_urls import requests_of

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.5


class StartUrls:
    """Looks twice a second; a node that was started without start pages stays and waits for them.

    MAX_IDLE_TIME_BEFORE_CLOSE is how many seconds it stays without any work, 0 for ever.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._batch = crawler.settings.getint("CONCURRENT_REQUESTS")
        self._most_idle = crawler.settings.getfloat("MAX_IDLE_TIME_BEFORE_CLOSE")
        self._waits = True
        self._idle_since = 0.0
        self._fed = False
        self._task: asyncio.Task[None] | None = None
        self._spider: Spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Only where nodes share a frontier."""
        if not is_shared(crawler.settings):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        crawler.signals.connect(extension._started, signals.request_scheduled)
        crawler.signals.connect(extension._at_work, signals.response_received)
        crawler.signals.connect(extension._idle, signals.spider_idle)
        crawler.signals.connect(extension._closed, signals.spider_closed)
        return extension

    def _opened(self, spider: Spider) -> None:
        self._spider = spider
        self._task = asyncio.get_running_loop().create_task(self._feed())

    def _started(self) -> None:
        """The spider has start pages of its own, so the node ends with the crawl."""
        if not self._fed:
            self._waits = False

    def _at_work(self) -> None:
        self._idle_since = 0.0

    def _closed(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _idle(self) -> None:
        if not self._waits:
            return
        now = asyncio.get_running_loop().time()
        self._idle_since = self._idle_since or now
        if not self._most_idle or now - self._idle_since < self._most_idle:
            raise DontCloseSpider

    async def _feed(self) -> None:
        loop = asyncio.get_running_loop()
        key = StartUrlsKey(
            connect(self._crawler.settings), self._crawler.settings, crawl_name(self._crawler), self._owner()
        )
        if self._waits:
            logger.info("Start URLs are read from %s", key.key)
        while True:
            try:
                taken = await loop.run_in_executor(None, key.take, self._batch)
                for data in taken:
                    self._push(data)
                if taken:
                    await self._frontier().delivered()
                    await loop.run_in_executor(None, key.confirm)
                    continue
            except AwayError:
                pass  # the frontier has said so
            except FrontierError as error:
                logger.error("%s", error)
                return
            await asyncio.sleep(LOOK_SECONDS)

    def _push(self, data: bytes) -> None:
        engine: Any = self._crawler.engine
        self._fed = True
        try:
            for request in requests_of(data, self._spider):
                engine.crawl(request)
        except (ValueError, TypeError) as error:
            logger.error("A start URL was passed over: %s", error)

    def _frontier(self) -> BufferedFrontier:
        scheduler: Any = self._crawler.engine.scheduler if self._crawler.engine else None
        frontier: BufferedFrontier = scheduler.frontier
        return frontier

    def _owner(self) -> str:
        return self._frontier().owner
