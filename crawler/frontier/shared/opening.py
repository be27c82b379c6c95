"""From settings to the shared frontier; names and habits are scrapy-redis's."""

import re

from redis.exceptions import RedisError
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.frontier.base import Frontier, FrontierError
from crawler.frontier.opening import crawl_name, host_pace
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.connection import connect
from crawler.frontier.shared.redis import RedisFrontier


def open_shared_frontier(crawler: Crawler) -> Frontier:
    """A node's door to the frontier that nodes share.

    Reads besides what `connect` does: SCHEDULER_QUEUE_KEY, SCHEDULER_DUPEFILTER_KEY, SCHEDULER_PERSIST,
    SCHEDULER_FLUSH_ON_START, FRONTIER_LEASE_SECONDS and CONCURRENT_REQUESTS. FrontierError if Redis is away.
    """
    settings = crawler.settings
    remote = RedisFrontier(
        connect(settings),
        *_keys(settings, crawl_name(crawler)),
        host_pace(settings),
        lease_seconds=max(120.0, settings.getfloat("FRONTIER_LEASE_SECONDS", 180.0)),
        persist=settings.getbool("SCHEDULER_PERSIST", True),
        afresh=settings.getbool("SCHEDULER_FLUSH_ON_START"),
    )
    return BufferedFrontier(remote, settings.getint("CONCURRENT_REQUESTS"))


def check_server(settings: BaseSettings) -> None:
    """FrontierError if Redis does not answer."""
    try:
        connect(settings).ping()
    except RedisError as error:
        raise FrontierError(
            f"Redis cannot be asked: {str(error).rstrip('.')}. Start it, or set REDIS_URL; without "
            "SCRAPY_PROJECT=cluster no Redis is needed."
        ) from error


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    pattern = _queue_pattern(settings)
    before, _, after = pattern.partition("%(spider)s")
    try:
        found = connect(settings).scan_iter(match=f"{_literal(before)}*{_literal(after)}", count=1000, _type="hash")
        names = [key.decode()[len(before) : len(key.decode()) - len(after)] for key in found]
    except RedisError as error:
        raise FrontierError(f"Redis cannot be asked: {str(error).rstrip('.')}. Check REDIS_URL.") from error
    return sorted(name for name in names if not re.search(r"[{}:]", name))


def open_for_operator(settings: BaseSettings, name: str) -> Frontier:
    """The frontier of that crawl, beside the nodes that are at work."""
    return RedisFrontier(connect(settings), *_keys(settings, name), host_pace(settings))


def _keys(settings: BaseSettings, name: str) -> tuple[str, str]:
    seen = settings.get("SCHEDULER_DUPEFILTER_KEY") or defaults.SCHEDULER_DUPEFILTER_KEY
    return _queue_pattern(settings) % {"spider": name}, str(seen) % {"spider": name}


def _queue_pattern(settings: BaseSettings) -> str:
    return str(settings.get("SCHEDULER_QUEUE_KEY") or defaults.SCHEDULER_QUEUE_KEY)


def _literal(text: str) -> str:
    """For a pattern of Redis."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)
