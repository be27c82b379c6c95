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
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError
from scrapy.settings import BaseSettings

from crawler.frontier.base import FrontierError
from pipelines import redis_client
from pipelines.redis_client import may_pass

logger = logging.getLogger(__name__)


_PARTS = {
    "exchange": ("common", "tail", "exchange"),
    "tails": ("common", "tail", "tails"),
    "join": ("common", "forgetting", "join"),
    "dismiss": ("common", "dismiss"),
    "leave": ("common", "forgetting", "leave"),
    "purge": ("common", "forgetting", "purge"),
    "requeue": ("common", "requeue"),
    "pace": ("common", "pace"),
    "view": ("common", "view"),
    "start_urls": ("start_urls",),
    "move": ("move",),
}
"""Lua files of each script; package data, run by their digest."""


class AwayError(FrontierError):
    """The server cannot be reached now; what was sent may or may not have arrived."""


class CrawlLostError(FrontierError):
    """The server answers, but it no longer has the crawl."""


class CrawlRenewedError(FrontierError):
    """Somebody has purged the crawl or started it again."""


@contextmanager
def redis_errors() -> Iterator[None]:
    """Turn the client's errors into AwayError, if waiting can help, or FrontierError."""
    try:
        yield
    except (AuthenticationError, NoPermissionError) as error:
        raise FrontierError(f"Redis refuses this user: {error}. Check REDIS_URL and the user's rights.") from error
    except RedisError as error:
        if may_pass(error):
            raise _away(error) from error
        raise FrontierError(f"Redis cannot serve the frontier: {error}") from error


def _away(error: Exception) -> AwayError:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return AwayError(
            "Redis shows a certificate that is not trusted. Name its authority in REDIS_URL: "
            "rediss://host:6379/0?ssl_ca_certs=PATH"
        )
    return AwayError(f"Redis is away: {str(error).rstrip('.')}")


def connect(settings: BaseSettings, url: str = "") -> Redis:
    """As `pipelines.redis_client.connect`; FrontierError for settings that make no sense."""
    try:
        return redis_client.connect(settings, url)
    except redis_client.RedisSettingsError as error:
        raise FrontierError(str(error)) from error


def literal(text: str) -> str:
    """The pattern of keys that matches this text alone."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)


@cache
def script_text(name: str) -> str:
    """The script with what it shares with others, as the server gets it."""
    folder = resources.files(__package__) / "lua"
    return "\n".join((folder / f"{part}.lua").read_text(encoding="utf-8") for part in _PARTS[name])


class Scripts:
    """Runs scripts by name over one client."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._scripts = {name: client.register_script(script_text(name)) for name in _PARTS}

    def run(self, name: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """The script's reply; AwayError or FrontierError as `redis_errors` has it."""
        with redis_errors():
            return self._scripts[name](keys=list(keys), args=list(arguments))


class Outage:
    """True while the server is away; its begin and end are logged once.

    Args:
        beside: outages of the same server that others have noticed, which log the same.
    """

    def __init__(self, beside: "list[Outage] | None" = None) -> None:
        self._since, self.reason = 0.0, ""
        self._beside = [] if beside is None else beside
        self._beside.append(self)

    def __bool__(self) -> bool:
        return bool(self._since)

    def retry_after(self, error: Exception) -> float:
        """The server did not answer; seconds until the next try, at most about two."""
        if not self._since:
            if not any(self._beside):
                logger.warning("%s. Nothing is lost; the crawl waits for it", error)
            self._since, self.reason = time.monotonic(), str(error)
        return min(2.0, 0.1 + (time.monotonic() - self._since) / 5) * random.uniform(0.8, 1.2)

    def end(self) -> None:
        since, self._since, self.reason = self._since, 0.0, ""
        if not any(self._beside):
            logger.info("Redis is back after %.0f s; the crawl goes on", time.monotonic() - since)
