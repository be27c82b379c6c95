"""The database, the frontier and the shared servers: whether pages and the queue are safe there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy.settings import BaseSettings

from crawler.checks import Finding
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import is_shared, known_crawls
from crawler.frontier.shared.server import connect
from pipelines.redis_cluster import servers
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import PAGES


def database(settings: BaseSettings) -> list[Finding]:
    try:
        store = open_store(store_address(settings))
    except StoreError as error:
        advice = "Set STORE (or the environment's TOPICRAWL_STORE), for instance sqlite:///data/topicrawl.db."
        return [Finding("fault", "Database", str(error), advice)]
    try:
        return [Finding("ok", "Database", f"{store.location}, {store.count(PAGES)} pages")]
    except StoreError as error:
        return [Finding("fault", "Database", str(error), "Restore it from a copy, or move it away to start a new one.")]
    finally:
        store.close()


def frontier(settings: BaseSettings) -> list[Finding]:
    """Whether the frontier answers, and how many crawls it holds."""
    try:
        crawls = known_crawls(settings)
    except FrontierError as error:
        advice = "Start Redis, or set REDIS_URL; without SCRAPY_PROJECT=cluster no Redis is needed."
        return [Finding("fault", "Frontier", str(error), advice)]
    where = "shared, on Redis" if is_shared(settings) else f"kept in {settings['DATA_DIR']}/frontier"
    return [Finding("ok", "Frontier", f"{where}; {len(crawls)} crawls")]


_OLDEST_MONGO = (6, 0)
_CLOCK_SECONDS = 5.0


def mongo(settings: BaseSettings) -> list[Finding]:
    """Version, write concern, replica set and clock; nothing if the store is a file."""
    if not str(settings["STORE"]).startswith("mongodb"):
        return []
    from pipelines.stores.mongo.store import MongoStore, ServerFacts
    from pipelines.stores.tables import TABLES

    try:
        store = MongoStore(settings["STORE"], TABLES.values())
    except StoreError:
        return []  # the check of the database says why
    try:
        facts: ServerFacts = store.server_facts()
    finally:
        store.close()
    return [
        *_mongo_version(facts.version),
        *_durability(facts.write_concern, facts.replica_set),
        *_clock(facts.clock_ahead),
    ]


def _mongo_version(version: tuple[int, ...]) -> Iterator[Finding]:
    message = ".".join(map(str, version))
    if not version:
        advice = "Fine for tests; for crawls use MongoDB, or FerretDB with PostgreSQL."
        yield Finding("warning", "MongoDB version", "the server does not report its version", advice)
    elif version < _OLDEST_MONGO:
        yield Finding("warning", "MongoDB version", message, "Update it to 6.0 or newer; older ones are not tested.")
    else:
        yield Finding("ok", "MongoDB version", message)


def _durability(concern: int | str, replica_set: str) -> Iterator[Finding]:
    if replica_set and concern != "majority":
        advice = "Remove w= from the store's address: if the primary is lost, pages that only it had are lost too."
        yield Finding("warning", "MongoDB write concern", f"w={concern}", advice)
    else:
        yield Finding("ok", "MongoDB write concern", f"w={concern}")
    if not replica_set:
        advice = "Fine if you keep copies of it; three servers in a replica set survive the loss of one."
        yield Finding("warning", "MongoDB replica set", "a single server", advice)


def _clock(seconds: float) -> Iterator[Finding]:
    if abs(seconds) > _CLOCK_SECONDS:
        advice = "Synchronise both machines by NTP: times of fetches and runs come from this machine."
        yield Finding("warning", "Clock", f"the database server's is {seconds:+.0f} s off ours", advice)


_OLDEST_REDIS = (6, 2)


def redis(settings: BaseSettings) -> list[Finding]:
    """For each server: version, persistence, eviction, capacity left for addresses, the size of small sets."""
    try:
        client = connect(settings)
    except FrontierError as error:
        return [Finding("fault", "Redis", str(error), "Start Redis, or correct the setting.")]
    each = servers(client)
    findings = [finding for server in each for finding in _redis_at(server, several=len(each) > 1)]
    client.close()
    return findings


def _redis_at(server: Redis, *, several: bool) -> Iterator[Finding]:
    named = server.get_connection_kwargs()
    where = f"{named['host']}:{named['port']}: " if several else ""
    try:
        for finding in (finding for check in _REDIS_CHECKS for finding in check(server)):
            yield replace(finding, message=where + finding.message)
    except RedisError as error:
        yield Finding("fault", "Redis", f"{where}{error}", "Start Redis, or set REDIS_URL.")


def _redis_version(client: Redis) -> Iterator[Finding]:
    information: Any = client.info("server")
    version = str(information["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST_REDIS:
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
            "Set maxmemory-policy noeviction: other policies silently drop parts of the queue when memory runs short."
        )
        yield Finding("fault", "Redis eviction", f"maxmemory-policy is {policy}", advice)
    else:
        yield Finding("ok", "Redis eviction", "nothing is evicted")


_QUEUED_BYTES, _PACKED_BYTES, _SEEN_BYTES = 200, 20, 10
"""Redis memory of an address: in the queue, in the packed part of a long queue, and in the seen-set; see benchmarks/results/scale.md."""


def _memory(client: Redis) -> Iterator[Finding]:
    """How many addresses fit before pushes fail (maxmemory) or the machine runs short of memory."""
    information: Any = client.info("memory")
    used, most = int(information["used_memory"]), int(information.get("maxmemory", 0))
    limit = most or int(information.get("total_system_memory", 0)) // 2  # a rewrite of the file copies changed pages
    if not limit:
        return
    queued, packed = (max(0, limit - used) // (size + _SEEN_BYTES) for size in (_QUEUED_BYTES, _PACKED_BYTES))
    used_now = f"{used / 1e9:.1f} of {limit / 1e9:.1f} GB used"
    message = f"{used_now}; room for about {queued:,} more queued URLs, {packed:,} on hosts that have thousands"
    if used > 0.8 * limit:
        advice = "Pushes fail when it is full: raise maxmemory"
        if not most:
            advice = "Beyond half of its machine's memory Redis may be killed while it rewrites its file: give it more memory"
        yield Finding("warning", "Redis memory", message, f"{advice}, or use a Redis Cluster (docs/cluster.md).")
    else:
        yield Finding("ok", "Redis memory", message)


def _small_sets(client: Redis) -> Iterator[Finding]:
    try:
        found: Any = client.config_get("set-max-intset-entries")
    except RedisError:  # hosted servers refuse this command
        return
    entries = int(found.get("set-max-intset-entries", 512))
    if entries < 512:
        advice = "Set set-max-intset-entries 512 or more, the default of Redis; else a seen URL takes 60 to 80 bytes instead of 10."
        yield Finding("warning", "Redis sets", f"set-max-intset-entries is {entries}", advice)


def _coverage(client: Redis) -> Iterator[Finding]:
    """Whether the other servers of a Redis Cluster continue while one is down."""
    try:
        found: Any = client.config_get("cluster-*")
    except RedisError:
        return
    if found.get("cluster-enabled") == "yes" and found.get("cluster-require-full-coverage") == "yes":
        advice = "Set cluster-require-full-coverage no; else all servers stop while one without a replica is down."
        yield Finding("warning", "Redis Cluster", "cluster-require-full-coverage is yes", advice)


_REDIS_CHECKS = (_redis_version, _persistence, _eviction, _memory, _small_sets, _coverage)
