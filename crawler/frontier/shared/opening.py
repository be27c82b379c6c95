"""Opens the shared frontier from settings, with scrapy-redis's names and defaults."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from redis import Redis
from redis.crc import key_slot
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy_redis import defaults

from crawler.config.crawl_names import crawl_name
from crawler.frontier.base import Frontier, FrontierError, ManagedFrontier
from crawler.frontier.local.opening import open_private_frontier
from crawler.frontier.pacing import host_pace
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.lease_owner import new_owner
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.server import RedisUnavailableError, connect, literal, redis_errors
from crawler.frontier.shared.shard_map import DEFAULT_SHARDS, ShardMap
from crawler.frontier.shared.sharded import ShardedFrontier
from crawler.frontier.shared.sharded_queue import ShardedQueue
from pipelines.redis_cluster import servers

T = TypeVar("T")


def open_frontier(crawler: Crawler) -> Frontier:
    """A node's side of the frontier that nodes share.

    Besides the settings of `connect` it reads SCHEDULER_QUEUE_KEY, SCHEDULER_DUPEFILTER_KEY, SCHEDULER_PERSIST,
    SCHEDULER_FLUSH_ON_START, FRONTIER_LEASE_SECONDS, FRONTIER_PARTS and CONCURRENT_REQUESTS. Raises FrontierError if Redis
    is unavailable. A spider that `has_own_frontier` gets one private to this process.
    """
    settings = crawler.settings
    if getattr(crawler.spidercls, "has_own_frontier", False):
        return open_private_frontier(crawler)
    client, name, capacity = connect(settings), crawl_name(crawler), settings.getint("CONCURRENT_REQUESTS")
    shards = ShardMap(client, partial(crawl_key, settings), name)
    shards.begin(settings.getint("FRONTIER_PARTS") or (DEFAULT_SHARDS if settings.getbool("REDIS_CLUSTER") else 1))
    make = partial(
        _remote,
        settings,
        client,
        owner=new_owner(),
        lease_seconds=max(120.0, settings.getfloat("FRONTIER_LEASE_SECONDS", 180.0)),
        persist=settings.getbool("SCHEDULER_PERSIST", True),
        afresh=settings.getbool("SCHEDULER_FLUSH_ON_START"),
    )
    if shards.count == 1:
        return BufferedFrontier(make(name), capacity)
    return ShardedFrontier([make(shard, whole=False) for shard in shards.names()], shards.of, capacity)


def _remote(settings: BaseSettings, client: Redis, name: str, **more: Any) -> RedisFrontier:
    return RedisFrontier(client, *_keys(settings, name), host_pace(settings), **more)


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    client = connect(settings)
    shards = ShardMap(client, partial(crawl_key, settings), name)
    if shards.count == 1:
        return _remote(settings, client, name)
    remotes = [_remote(settings, client, shard, whole=False) for shard in shards.names()]
    return ShardedQueue(remotes, shards.of, shards.forget)


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls on all servers that answer. Raises RedisUnavailableError if none does."""
    before, _, after = _queue_pattern(settings).partition("%(spider)s")

    def crawls_on(server: Redis) -> set[str]:
        found = server.scan_iter(match=f"{literal(before)}*{literal(after)}", count=1000, _type="hash")
        return {key.decode()[len(before) : len(key.decode()) - len(after)] for key in found}

    names = set[str]().union(*_of_each_server(settings, crawls_on))
    return sorted({re.sub(r"\|\d+$", "", name) for name in names if not re.search(r"[{}:]", name)})


def _of_each_server(settings: BaseSettings, question: Callable[[Redis], T]) -> list[T]:
    """The answers of all servers that are available. Raises RedisUnavailableError if none is."""
    client = connect(settings)
    found: list[T] = []
    away: list[RedisUnavailableError] = []
    for server in servers(client):
        try:
            with redis_errors():
                found.append(question(server))
        except RedisUnavailableError as error:
            away.append(error)
    client.close()
    if not found:
        raise away[0]
    return found


def crawl_key(settings: BaseSettings, name: str) -> str:
    """The prefix of all keys of an unsharded crawl of this name."""
    return _keys(settings, name)[0]


def check(settings: BaseSettings) -> None:
    """Raises FrontierError if no server answers, or the settings are inconsistent."""
    crawl_key(settings, "any")
    try:
        _of_each_server(settings, lambda server: server.ping())
    except RedisUnavailableError as error:
        raise FrontierError(
            f"{error}. Start it, or set REDIS_URL; without SCRAPY_PROJECT=cluster no Redis is needed."
        ) from error


def _keys(settings: BaseSettings, name: str) -> tuple[str, str]:
    seen_pattern = str(settings.get("SCHEDULER_DUPEFILTER_KEY") or defaults.SCHEDULER_DUPEFILTER_KEY)
    queue, seen = (pattern % {"spider": name} for pattern in (_queue_pattern(settings), seen_pattern))
    if settings.getbool("REDIS_CLUSTER") and len({key_slot(key.encode()) for key in (queue, f"{queue}:", seen)}) > 1:
        raise FrontierError(
            "In a Redis Cluster all keys of a crawl need the same hash tag: put its name into braces in SCHEDULER_QUEUE_KEY and "
            "SCHEDULER_DUPEFILTER_KEY, as in {%(spider)s}:requests and {%(spider)s}:dupefilter."
        )
    return queue, seen


def _queue_pattern(settings: BaseSettings) -> str:
    return str(settings.get("SCHEDULER_QUEUE_KEY") or defaults.SCHEDULER_QUEUE_KEY)
