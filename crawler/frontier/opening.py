"""From settings to a frontier: embedded in a file, or shared on Redis; for a crawl, or for an operator."""

import re
from collections.abc import Callable
from pathlib import Path

from redis.exceptions import RedisError
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object
from scrapy_redis import defaults

from crawler.frontier.base import Frontier, FrontierError, Politeness
from crawler.frontier.buffered import BufferedFrontier
from crawler.frontier.connection import connect
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.sqlite import SqliteFrontier


def open_frontier(crawler: Crawler) -> Frontier:
    """The embedded frontier: one file for each crawl name.

    Reads DATA_DIR, FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY; FrontierError if it is in use or unusable.
    """
    settings = crawler.settings
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], crawl_name(crawler)), _pace(settings))


def open_shared_frontier(crawler: Crawler) -> Frontier:
    """The frontier that nodes share.

    Reads besides what `connect` does: SCHEDULER_QUEUE_KEY, SCHEDULER_DUPEFILTER_KEY, SCHEDULER_PERSIST,
    SCHEDULER_FLUSH_ON_START and CONCURRENT_REQUESTS. FrontierError if Redis is away.
    """
    settings = crawler.settings
    remote = RedisFrontier(
        connect(settings),
        *_keys(settings, crawl_name(crawler)),
        _pace(settings),
        lease_seconds=max(120.0, settings.getfloat("FRONTIER_LEASE_SECONDS", 180.0)),
        persist=settings.getbool("SCHEDULER_PERSIST", True),
        afresh=settings.getbool("SCHEDULER_FLUSH_ON_START"),
    )
    return BufferedFrontier(remote, settings.getint("CONCURRENT_REQUESTS"))


def crawl_name(crawler: Crawler) -> str:
    """The spider's `crawl_name` if it has one, else its name."""
    return str(getattr(crawler.spider, "crawl_name", "") or crawler.spidercls.name)


def frontier_path(folder: str, name: str) -> Path:
    """Where the crawl of that name keeps its frontier."""
    return Path(folder) / "frontier" / f"{re.sub(r'[^0-9A-Za-z._-]', '_', name)[:100]}.db"


def is_shared(settings: BaseSettings) -> bool:
    """Whether crawls with these settings use the shared frontier."""
    made_by: Callable[[Crawler], Frontier] = load_object(settings["FRONTIER"])
    return made_by is open_shared_frontier


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    if not is_shared(settings):
        return sorted(path.stem for path in (Path(settings["DATA_DIR"]) / "frontier").glob("*.db"))
    pattern = _queue_pattern(settings)
    before, _, after = pattern.partition("%(spider)s")
    try:
        found = connect(settings).scan_iter(match=f"{_literal(before)}*{_literal(after)}", count=1000, _type="hash")
        names = [key.decode()[len(before) : len(key.decode()) - len(after)] for key in found]
    except RedisError as error:
        raise FrontierError(f"Redis cannot be asked: {error}. Check REDIS_URL.") from error
    return sorted(name for name in names if not re.search(r"[{}:]", name))


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> Frontier:
    """The frontier of that crawl, beside whoever crawls with it; FrontierError if it must not be changed just now."""
    if is_shared(settings):
        return RedisFrontier(connect(settings), *_keys(settings, name), _pace(settings))
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], name), _pace(settings), exclusive=to_change)


def _pace(settings: BaseSettings) -> Politeness:
    return Politeness(settings.getfloat("FRONTIER_HOST_DELAY"), settings.getint("FRONTIER_HOST_CONCURRENCY"))


def _keys(settings: BaseSettings, name: str) -> tuple[str, str]:
    seen = settings.get("SCHEDULER_DUPEFILTER_KEY") or defaults.SCHEDULER_DUPEFILTER_KEY
    return _queue_pattern(settings) % {"spider": name}, str(seen) % {"spider": name}


def _queue_pattern(settings: BaseSettings) -> str:
    return str(settings.get("SCHEDULER_QUEUE_KEY") or defaults.SCHEDULER_QUEUE_KEY)


def _literal(text: str) -> str:
    """For a pattern of Redis."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)
