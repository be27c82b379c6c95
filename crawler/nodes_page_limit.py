"""The argument `max_pages` where nodes share a crawl: they count together."""

import asyncio
import logging
import uuid
from collections.abc import Callable
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.defer import deferred_f_from_coro_f
from twisted.internet.task import LoopingCall

from crawler.page_limit import PageLimit
from crawler.services import services_of
from pipelines.redis_client import connect

logger = logging.getLogger(__name__)
LEASE_SECONDS = 60
_BEAT_SECONDS = 10.0


class NodesPageLimit(PageLimit):
    """Counts the pages of all nodes. While Redis is unavailable, a node knows what it knew, and its own pages.

    Args:
        exchange: adds pages to the common count and returns it; raises RedisError.
        on_reached: called when other nodes have reached the limit.
    """

    def __init__(self, limit: int, exchange: Callable[[int], int], on_reached: Callable[[], None]) -> None:
        super().__init__(limit)
        self._exchange, self._on_reached = exchange, on_reached
        self._unsent = 0
        self._task: asyncio.Task[None] | None = None

    def count(self) -> None:
        super().count()
        self._unsent += 1
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        while self._unsent and await self._add():
            pass

    async def _add(self) -> bool:
        """Send what was counted; False if Redis does not answer."""
        sent = self._unsent
        try:
            read = await asyncio.to_thread(self._exchange, sent)
        except RedisError as error:
            logger.debug("Pages of other nodes are not known now: %s", error)
            return False
        self._unsent -= sent
        self._read = read + self._unsent
        return True

    async def beat(self) -> None:
        """Keep the count from beginning again, and notice what other nodes have read."""
        if self._task is None or self._task.done():
            await self._add()
        if self.is_reached:
            self._on_reached()


class SharedPageCount:
    """The common count of a crawl in Redis, at `key` and what follows it."""

    def __init__(self, client: Redis, key: str) -> None:
        script = (resources.files("crawler") / "page_limit.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)
        self._keys = [f"{key}:nodes", f"{key}:read"]
        self._node = uuid.uuid4().hex

    def add(self, pages: int, seconds: int = LEASE_SECONDS) -> int:
        """Add pages, which keeps this node among the others for some seconds; returns the count. Raises RedisError."""
        read: Any = self._script(keys=self._keys, args=[self._node, seconds, pages])
        return int(read)

    def leave(self) -> None:
        """The last node that leaves takes the count with it, so that the next run counts afresh."""
        try:
            self.add(0, 0)
        except RedisError as error:
            logger.debug("The count of pages stays for a minute: %s", error)


def nodes_page_limit(crawler: Crawler, crawl: str, limit: int) -> NodesPageLimit:
    """The limit over all nodes of a crawl, which keeps and ends its part with the spider."""
    counter = SharedPageCount(connect(crawler.settings), f"{crawler.settings.get('REDIS_PREFIX', '')}{{pages-{crawl}}}")
    found = NodesPageLimit(limit, counter.add, lambda: services_of(crawler).close("max_pages", ""))
    timer = LoopingCall(deferred_f_from_coro_f(found.beat))

    def opened() -> None:
        timer.start(_BEAT_SECONDS)

    async def closed() -> None:
        if timer.running:
            timer.stop()
        await asyncio.to_thread(counter.leave)

    crawler.signals.connect(opened, signals.spider_opened, weak=False)
    crawler.signals.connect(closed, signals.spider_closed, weak=False)
    return found
