"""The Redis that nodes share: whether it keeps the queue safe."""

from collections.abc import Iterator
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.frontier.base import FrontierError
from crawler.frontier.shared.server import connect

_OLDEST = (6, 2)


def redis(settings: BaseSettings) -> list[Finding]:
    """Version, persistence, eviction, the size of small sets, the clock."""
    try:
        with connect(settings) as client:
            return [finding for check in _CHECKS for finding in check(client)]
    except (FrontierError, RedisError) as error:
        return [Finding("fault", "Redis", str(error), "Start Redis, or set REDIS_URL.")]


def _version(client: Redis) -> Iterator[Finding]:
    information: Any = client.info("server")
    version = str(information["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
        yield Finding("fault", "Redis version", version, "Update it to 6.2 or newer.")
    else:
        yield Finding("ok", "Redis version", version)


def _persistence(client: Redis) -> Iterator[Finding]:
    information: Any = client.info("persistence")
    if not information.get("aof_enabled"):
        advice = "Turn it on: appendonly yes, appendfsync everysec. Without it a restart of Redis loses the crawl."
        yield Finding("fault", "Redis persistence", "the append-only file is off", advice)
    elif information.get("aof_last_write_status") != "ok":
        advice = "See its log; usually the disk is full."
        yield Finding("fault", "Redis persistence", "the append-only file could not be written", advice)
    else:
        yield Finding("ok", "Redis persistence", "append-only file")


def _eviction(client: Redis) -> Iterator[Finding]:
    information: Any = client.info("memory")
    policy = str(information.get("maxmemory_policy", ""))
    limit = int(information.get("maxmemory", 0))
    if policy != "noeviction" and limit:
        advice = (
            "Set maxmemory-policy noeviction: another one silently drops parts of the queue when memory runs short."
        )
        yield Finding("fault", "Redis eviction", f"maxmemory-policy is {policy}", advice)
    elif limit and int(information["used_memory"]) > 0.8 * limit:
        used = int(information["used_memory"])
        advice = "Raise maxmemory, or wait until the queue is shorter; pushes fail when it is full."
        yield Finding("warning", "Redis memory", f"{used / limit:.0%} of maxmemory is used", advice)
    else:
        yield Finding("ok", "Redis eviction", "nothing is evicted")


def _small_sets(client: Redis) -> Iterator[Finding]:
    try:
        found: Any = client.config_get("set-max-intset-entries")
    except RedisError:  # hosted servers refuse this command
        return
    entries = int(found.get("set-max-intset-entries", 512))
    if entries < 512:
        advice = (
            "Set set-max-intset-entries 512 or more; else a seen URL costs 60 bytes in place of 15 in a large crawl."
        )
        yield Finding("warning", "Redis sets", f"set-max-intset-entries is {entries}", advice)


_CHECKS = (_version, _persistence, _eviction, _small_sets)
