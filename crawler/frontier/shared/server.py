"""The server of a shared frontier: its client, its Lua scripts, its errors and outages."""

import logging
import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import AuthenticationError, ClusterError, NoPermissionError, RedisError
from scrapy.settings import BaseSettings

from crawler.frontier.base import FrontierError
from pipelines import redis_client
from pipelines.redis_client import may_pass

logger = logging.getLogger(__name__)


_FILES = {
    "exchange": ("lua/common", "overflow/lua/lookup", "lua/exchange"),
    "overflow": ("lua/common", "overflow/lua/lookup", "overflow/lua/work"),
    "join": ("lua/common", "lua/forgetting", "lua/join"),
    "dismiss": ("lua/common", "lua/dismiss"),
    "leave": ("lua/common", "lua/forgetting", "lua/leave"),
    "purge": ("lua/common", "lua/forgetting", "lua/purge"),
    "requeue": ("lua/common", "lua/requeue"),
    "pace": ("lua/common", "lua/pace"),
    "view": ("lua/common", "lua/view"),
    "start_urls": ("lua/start_urls",),
}
"""Lua files of each script; package data, executed by digest."""
_KEYS = (
    *("hosts", "ready", "waiting", "active", "pace", "hours", "asleep", "nodes", "delayed", "places", "dead"),
    *("packed", "to_pack", "to_unpack", "to_promote"),
)
"""Keys in the order of `lua/common.lua`."""


def crawl_keys(queue_key: str, seen_key: str) -> tuple[str, ...]:
    """The keys passed to the scripts of a crawl, or of one shard of it."""
    return queue_key, seen_key, *(f"{queue_key}:{name}" for name in _KEYS)


class RedisUnavailableError(FrontierError):
    """The server is unreachable at present; a sent request may or may not have arrived."""


class CrawlLostError(FrontierError):
    """The server answers, but it no longer has the crawl."""


class CrawlRenewedError(FrontierError):
    """The crawl was purged or restarted."""


@contextmanager
def redis_errors() -> Iterator[None]:
    """Convert the client's errors into RedisUnavailableError, if waiting can help, or FrontierError."""
    try:
        yield
    except (AuthenticationError, NoPermissionError) as error:
        raise FrontierError(f"Redis refuses this user: {error}. Check REDIS_URL and the user's rights.") from error
    except RedisError as error:
        if may_pass(error):
            raise _away(error) from error
        raise FrontierError(f"Redis cannot serve the frontier: {error}") from error


def _away(error: Exception) -> RedisUnavailableError:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return RedisUnavailableError(
            "Redis shows a certificate that is not trusted. Name its authority in REDIS_URL: "
            "rediss://host:6379/0?ssl_ca_certs=PATH"
        )
    if type(error) is ClusterError:  # redis-py has followed redirects for half a second
        return RedisUnavailableError("Redis Cluster is moving this part of the crawl to another server")
    return RedisUnavailableError(f"Redis is unavailable: {str(error).rstrip('.')}")


def connect(settings: BaseSettings) -> Redis:
    """See `pipelines.redis_client.connect`. Raises FrontierError for invalid settings."""
    try:
        return redis_client.connect(settings)
    except redis_client.RedisSettingsError as error:
        raise FrontierError(str(error)) from error


def literal(text: str) -> str:
    """The key pattern that matches only this text."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)


@cache
def script_text(name: str) -> str:
    """The complete script for the server, including shared code."""
    folder = resources.files(__package__)
    return "\n".join(folder.joinpath(f"{file}.lua").read_text(encoding="utf-8") for file in _FILES[name])


class Scripts:
    """Runs scripts by name over one client."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._scripts = {name: client.register_script(script_text(name)) for name in _FILES}

    def run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """The script's reply. Raises RedisUnavailableError or FrontierError, see `redis_errors`."""
        with redis_errors():
            return self._scripts[name](keys=list(keys), args=list(arguments))


class Outage:
    """True while the server is unavailable; logs its start and end once.

    Args:
        beside: outages of other shards; one line is logged when the first begins, and one when all are over.
    """

    def __init__(self, beside: "list[Outage] | None" = None) -> None:
        self._since, self.reason = 0.0, ""
        self._beside = [] if beside is None else beside
        self._beside.append(self)

    def __bool__(self) -> bool:
        return bool(self._since)

    def retry_after(self, error: Exception) -> float:
        """Note a failed call; returns the seconds until the next try, at most about two."""
        if not self._since:
            if not any(self._beside):
                logger.warning("%s. Nothing is lost; its hosts wait for it", error)
            self._since, self.reason = time.monotonic(), str(error)
        return min(2.0, 0.1 + (time.monotonic() - self._since) / 5) * random.uniform(0.8, 1.2)

    def end(self) -> None:
        since, self._since, self.reason = self._since, 0.0, ""
        if not any(self._beside):
            logger.info("Redis is back after %.0f s; the crawl continues", time.monotonic() - since)
