"""From settings to the shared frontier, with scrapy-redis's names and defaults."""

import re

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.config.crawl_names import crawl_name
from crawler.frontier.base import Frontier, FrontierError, ManagedFrontier
from crawler.frontier.local.opening import open_private_frontier
from crawler.frontier.pacing import host_pace
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import AwayError, connect, redis_errors


def open_frontier(crawler: Crawler) -> Frontier:
    """A node's side of the frontier that nodes share.

    Besides the settings of `connect` it reads SCHEDULER_QUEUE_KEY, SCHEDULER_DUPEFILTER_KEY, SCHEDULER_PERSIST,
    SCHEDULER_FLUSH_ON_START, FRONTIER_LEASE_SECONDS and CONCURRENT_REQUESTS. FrontierError if Redis is away. A spider whose nodes
    divide the sites among them (`divides_sites`) has a queue of its own on each node.
    """
    settings = crawler.settings
    if getattr(crawler.spidercls, "divides_sites", False):
        return open_private_frontier(crawler)
    remote = RedisFrontier(
        connect(settings),
        *_keys(settings, crawl_name(crawler)),
        host_pace(settings),
        lease_seconds=max(120.0, settings.getfloat("FRONTIER_LEASE_SECONDS", 180.0)),
        persist=settings.getbool("SCHEDULER_PERSIST", True),
        afresh=settings.getbool("SCHEDULER_FLUSH_ON_START"),
    )
    return BufferedFrontier(remote, settings.getint("CONCURRENT_REQUESTS"))


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    return RedisFrontier(connect(settings), *_keys(settings, name), host_pace(settings))


def known_crawls(settings: BaseSettings) -> list[str]:
    before, _, after = _queue_pattern(settings).partition("%(spider)s")
    with redis_errors():
        found = connect(settings).scan_iter(match=f"{_literal(before)}*{_literal(after)}", count=1000, _type="hash")
        names = [key.decode()[len(before) : len(key.decode()) - len(after)] for key in found]
    return sorted(name for name in names if not re.search(r"[{}:]", name))


def crawl_key(settings: BaseSettings, name: str) -> str:
    """What all keys of the crawl of this name begin with."""
    return _keys(settings, name)[0]


def check(settings: BaseSettings) -> None:
    client = connect(settings)
    try:
        with redis_errors():
            client.ping()
    except AwayError as error:
        raise FrontierError(
            f"{error}. Start it, or set REDIS_URL; without SCRAPY_PROJECT=cluster no Redis is needed."
        ) from error


def _keys(settings: BaseSettings, name: str) -> tuple[str, str]:
    seen = settings.get("SCHEDULER_DUPEFILTER_KEY") or defaults.SCHEDULER_DUPEFILTER_KEY
    return _queue_pattern(settings) % {"spider": name}, str(seen) % {"spider": name}


def _queue_pattern(settings: BaseSettings) -> str:
    return str(settings.get("SCHEDULER_QUEUE_KEY") or defaults.SCHEDULER_QUEUE_KEY)


def _literal(text: str) -> str:
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)
