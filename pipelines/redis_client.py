"""A Redis client from scrapy-redis's settings, with Sentinel and Redis Cluster; and which Redis errors are temporary: waiting for
their end loses nothing, giving up does."""

import re
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import SSLConnection, parse_url
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object
from scrapy_redis import connection, defaults

from pipelines.redis_cluster import connect_cluster

_DEFAULTS = {"socket_timeout": 5.0, "socket_connect_timeout": 3.0}
"""Seconds. Shorter than scrapy-redis's, so that a node that waits for Redis soon notices that it is back."""


class RedisSettingsError(ValueError):
    """The settings name no usable Redis; the message says why and gives the right form."""


def connect(settings: BaseSettings) -> Redis:
    """A client without retries of its own: the caller knows what may be sent again.

    Reads REDIS_URL, REDIS_HOST, REDIS_PORT, REDIS_DB and REDIS_PARAMS as scrapy-redis does; with REDIS_SENTINELS (a list
    of `host:port`) and REDIS_SENTINEL_MASTER Sentinel gives the master's address; REDIS_URL then gives user,
    password, database and TLS (of Sentinels too). With REDIS_CLUSTER it is a client of a Redis Cluster, and
    REDIS_URL names one or more of its servers, separated by commas.
    RedisSettingsError for settings that contradict each other.
    """
    params: dict[str, Any] = {**_DEFAULTS, **settings.getdict("REDIS_PARAMS"), "retry": Retry(NoBackoff(), 0)}
    params |= {"retry_on_timeout": False, "decode_responses": False}
    try:
        sentinels = settings.getlist("REDIS_SENTINELS")
        if settings.getbool("REDIS_CLUSTER"):
            return _of_cluster(settings, params)
        if sentinels:
            return _by_sentinel(sentinels, settings, params)
        named = {name: settings.get(name) for name in connection.SETTINGS_PARAMS_MAP if settings.get(name)}
        named.pop("REDIS_DECODE_RESPONSES", None)
        client: Redis = connection.from_settings(BaseSettings({**named, "REDIS_PARAMS": params}))
    except RedisClusterException as error:
        raise RedisSettingsError(
            f"The Redis Cluster of REDIS_URL cannot be used: {str(error).rstrip('.')}. Start its servers, or name others, "
            "separated by commas."
        ) from error
    except (ValueError, TypeError, RedisError) as error:
        raise RedisSettingsError(
            f"The Redis settings are invalid: {error}. REDIS_URL looks like redis://host:6379/0, or "
            "rediss://user:password@host:6380/0 with TLS."
        ) from error
    return client


def _of_cluster(settings: BaseSettings, params: dict[str, Any]) -> Redis:
    if settings.getlist("REDIS_SENTINELS"):
        raise ValueError("a Redis Cluster needs no Sentinels; set REDIS_CLUSTER or REDIS_SENTINELS")
    if settings.getint("REDIS_DB"):
        raise ValueError("a Redis Cluster has only database 0; remove REDIS_DB")
    urls = [url.strip() for url in str(settings["REDIS_URL"] or "redis://localhost:6379/0").split(",")]
    client: Any = connect_cluster(urls, params)  # has the commands of `Redis` without being a subclass
    opened: Redis = client
    return opened


def _by_sentinel(sentinels: list[str], settings: BaseSettings, params: dict[str, Any]) -> Redis:
    cls = params.pop("redis_cls", defaults.REDIS_CLS)
    parse: Any = parse_url  # untyped in redis-py, like Sentinel
    in_url = dict(parse(settings["REDIS_URL"])) if settings["REDIS_URL"] else {}
    secure = {"ssl": True} if in_url.pop("connection_class", None) is SSLConnection else {}
    in_url = {name: value for name, value in in_url.items() if name not in ("host", "port")}
    secure |= {name: in_url.pop(name) for name in list(in_url) if name.startswith("ssl_")}
    own = {name: params[name] for name in _DEFAULTS} | secure | settings.getdict("REDIS_SENTINEL_PARAMS")
    sentinel: Any = Sentinel
    master: Redis = sentinel(list(map(_host_and_port, sentinels)), sentinel_kwargs=own, **params).master_for(
        settings.get("REDIS_SENTINEL_MASTER", "mymaster"),
        redis_class=load_object(cls) if isinstance(cls, str) else cls,
        **{"db": settings.getint("REDIS_DB", 0), **in_url, **secure},
    )
    return master


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.strip().rpartition(":")
    if not host or not port.isdigit():
        raise ValueError(f"REDIS_SENTINELS lists host:port, not {address!r}")
    return host, int(port)


_PASSING_ERRORS = (
    *(ConnectionError, TimeoutError, BusyLoadingError, ReadOnlyError, MasterDownError, OutOfMemoryError),
    *(ClusterDownError, ClusterError, TryAgainError),
)
_PASSING_CODE = re.compile(
    r"(?:^|\s-|: )(?:OOM|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|UNBLOCKED|MISCONF|BUSY)\b"
)
"""A message begins with the error's code. Before Redis 7, "Error running script …: -" precedes it for a command in a script."""


def may_pass(error: RedisError) -> bool:
    return isinstance(error, _PASSING_ERRORS) or _PASSING_CODE.search(str(error)) is not None
