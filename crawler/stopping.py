"""Closes a crawl in order even if it is stopped while it opens."""

import asyncio
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler


class StoppableCrawler(Crawler):
    """Scrapy's crawler closes nothing if it is stopped before its engine runs; this one lets the engine start first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._has_begun = False
        self._settled = asyncio.Event()
        self.signals.connect(self._begin, signals.engine_started)
        self.signals.connect(self._settled.set, signals.spider_closed)

    def _begin(self) -> None:
        self._has_begun = True
        self._settled.set()

    async def crawl_async(self, *args: Any, **kwargs: Any) -> None:
        """Also releases `stop_async` if the crawl cannot be opened."""
        try:
            await super().crawl_async(*args, **kwargs)
        finally:
            self._settled.set()

    async def stop_async(self) -> None:
        """Wait until the crawl is open, then stop it."""
        if self.crawling:
            await self._settled.wait()
        if self.crawling and self._has_begun:
            self.crawling = False
            await self.engine.stop_async()
        else:
            await super().stop_async()
