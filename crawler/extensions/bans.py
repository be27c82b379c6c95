"""Bans exchanged with other nodes every few seconds."""

import asyncio
import logging
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from twisted.internet.task import LoopingCall

from crawler.identities.base import AwayError
from crawler.services import services_of

logger = logging.getLogger(__name__)


class ExchangedBans:
    """Every BANS_SYNC_INTERVAL seconds; while Redis is away, each node knows its own bans only."""

    def __init__(self, crawler: Crawler) -> None:
        self._bans = services_of(crawler).bans
        from crawler.bans.shared import open_bans  # a crawl on one machine needs no client of Redis in its memory

        self._shared = open_bans(crawler.settings)
        self._bans.on_ban = self._shared.add
        self._seconds = crawler.settings.getfloat("BANS_SYNC_INTERVAL")
        self._timer = LoopingCall(self._exchange_soon)
        self._task: asyncio.Task[None] | None = None
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured unless BANS_ENABLED and BANS_BACKEND is redis."""
        settings = crawler.settings
        if not settings.getbool("BANS_ENABLED") or settings["BANS_BACKEND"] != "redis":
            raise NotConfigured
        return cls(crawler)

    def _opened(self, spider: Spider) -> None:
        self._timer.start(self._seconds)

    async def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._task is not None:
            await self._task
        await self._exchange()

    def _exchange_soon(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._exchange())

    async def _exchange(self) -> None:
        try:
            bans = await asyncio.to_thread(self._shared.exchange)
        except AwayError as error:
            logger.debug("Bans are not exchanged now: %s", error)
            return
        for visitor, left in bans.items():
            self._bans.merge(visitor, left)
