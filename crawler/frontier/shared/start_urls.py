"""Feeds a node with start URLs from Redis, in scrapy-redis's format, even while it crawls."""

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Any, Self

from redis import Redis
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import FormRequest
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.config.crawl_names import crawl_name
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import is_shared
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.server import RedisUnavailableError, Scripts, connect
from crawler.frontier.shared.sharded import ShardedFrontier
from crawler.priorities import FED_PRIORITY

CONFIRM_SECONDS = 120
"""URLs that a node does not confirm within this time are put back."""


class StartUrlsKey:
    """One list, set or sorted set of start URLs.

    REDIS_START_URLS_KEY names it; REDIS_START_URLS_AS_SET and REDIS_START_URLS_AS_ZSET set its type.
    """

    def __init__(self, client: Redis, settings: BaseSettings, name: str, owner: str) -> None:
        pattern = settings.get("REDIS_START_URLS_KEY") or defaults.START_URLS_KEY
        self.key = str(pattern) % {"name": name}
        tagged = self.key if "{" in self.key else f"{{{self.key}}}"  # in the same slot of a Redis Cluster
        self._keys = self.key, f"{tagged}:taken"
        self._scripts = Scripts(client)
        self._owner = owner
        self._kind = "list"
        if settings.getbool("REDIS_START_URLS_AS_SET"):
            self._kind = "set"
        elif settings.getbool("REDIS_START_URLS_AS_ZSET"):
            self._kind = "zset"

    def take(self, count: int) -> list[bytes]:
        """At most `count` start URLs. Raises RedisUnavailableError, and FrontierError if the key is of another type."""
        urls: list[bytes] = self._run("take", self._kind, count, CONFIRM_SECONDS)
        return urls

    def confirm(self) -> None:
        self._run("confirm")

    def _run(self, what: str, *arguments: Any) -> Any:
        try:
            return self._scripts.run("start_urls", self._keys, [what, self._owner, *arguments])
        except FrontierError as error:
            if "WRONGTYPE" not in str(error):
                raise
            raise FrontierError(
                f"{self.key} is not a {self._kind}; set its type with REDIS_START_URLS_AS_SET or "
                "REDIS_START_URLS_AS_ZSET"
            ) from error


def requests_of(data: bytes, spider: Spider) -> Iterable[Request]:
    """The requests of one entry: from the spider's `make_request_from_data` if it has one, else from `url`.

    An entry is a URL or a JSON object with `url`. As in scrapy-redis it may have `method` and `meta`; other members are
    form fields. Raises ValueError for an invalid entry.
    """
    own = getattr(spider, "make_request_from_data", None)
    if own is not None:
        made = own(data)
        return [made] if isinstance(made, Request) else made or []
    text = data.decode("utf-8").strip()
    values = json.loads(text) if text.startswith("{") else {"url": text}
    url = str(values.pop("url", ""))
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url!r} is not a web address")
    method = str(values.pop("method", "GET")).upper()
    meta: Any = values.pop("meta", {})
    if values:
        return [FormRequest(url, method=method, meta=meta, formdata=values, priority=FED_PRIORITY, dont_filter=True)]
    return [Request(url, method=method, meta=meta, priority=FED_PRIORITY, dont_filter=True)]


logger = logging.getLogger(__name__)
POLL_SECONDS = 0.5
_SHOWN_BYTES = 200


class StartUrls:
    """Polls twice a second; a node started without start pages stays open and waits for them.

    MAX_IDLE_TIME_BEFORE_CLOSE limits the seconds without any work, 0 for no limit.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._batch = crawler.settings.getint("CONCURRENT_REQUESTS")
        self._max_idle = crawler.settings.getfloat("MAX_IDLE_TIME_BEFORE_CLOSE")
        self._waits = True
        self._idle_since = 0.0
        self._fed = False
        self._task: asyncio.Task[None] | None = None
        self._spider: Spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured unless nodes share a frontier."""
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
        """Note that the spider has its own start pages, so that the node ends with the crawl."""
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
        if not self._max_idle or now - self._idle_since < self._max_idle:
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
                found = await loop.run_in_executor(None, key.take, self._batch)
                for data in found:
                    self._push(data)
                if found:
                    await self._frontier().delivered()
                    await loop.run_in_executor(None, key.confirm)
                    continue
            except RedisUnavailableError:
                pass  # the frontier logs this
            except FrontierError as error:
                logger.error("%s", error)
                return
            await asyncio.sleep(POLL_SECONDS)

    def _push(self, data: bytes) -> None:
        engine: Any = self._crawler.engine
        self._fed = True
        try:
            for request in requests_of(data, self._spider):
                engine.crawl(request)
        except (ValueError, TypeError, RecursionError) as error:
            logger.error("A start URL was skipped, %r: %s", data[:_SHOWN_BYTES], error)

    def _frontier(self) -> BufferedFrontier | ShardedFrontier:
        scheduler: Any = self._crawler.engine.scheduler if self._crawler.engine else None
        frontier: BufferedFrontier | ShardedFrontier = scheduler.frontier
        return frontier

    def _owner(self) -> str:
        return self._frontier().owner
