"""Bans that nodes share through Redis: a visitor with an identity or a proxy is banned on every node."""

import json
import threading
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy.settings import BaseSettings

from crawler.identities.base import IdentitiesUnavailableError
from crawler.meta import Visitor
from pipelines.redis_client import connect


def open_bans(settings: BaseSettings) -> "SharedBans":
    """The bans in the configured Redis, in the key REDIS_PREFIX + `{bans}`."""
    return SharedBans(connect(settings), f"{settings.get('REDIS_PREFIX', '')}{{bans}}")


class SharedBans:
    """A sorted set of visitors by the end of their bans, by the clock of the Redis server.

    Args:
        client: from `pipelines.redis_client.connect`.
        key: of the set.
    """

    def __init__(self, client: Redis, key: str) -> None:
        self._client, self._key = client, key
        script = (resources.files(__package__) / "bans.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)
        self._pending: dict[Visitor, float] = {}
        self._lock = threading.Lock()

    def add(self, visitor: Visitor, seconds: float) -> None:
        """Send a ban with the next exchange. Bans of our own address are not sent: other nodes have other addresses."""
        if visitor[1] or visitor[2]:
            with self._lock:
                self._pending[visitor] = seconds

    def exchange(self) -> dict[Visitor, float]:
        """Send our bans; returns all active bans with the seconds left. Raises IdentitiesUnavailableError."""
        with self._lock:
            sent, self._pending = self._pending, {}
        arguments = [part for visitor, seconds in sent.items() for part in (int(seconds * 1000), json.dumps(visitor))]
        try:
            found: Any = self._script(keys=[self._key], args=arguments)
        except RedisError as error:
            with self._lock:
                self._pending = sent | self._pending
            raise IdentitiesUnavailableError(f"Redis does not answer: {type(error).__name__}") from None
        pairs = zip(found[::2], found[1::2], strict=True)
        return {(host, who, proxy): int(left) / 1000 for name, left in pairs for host, who, proxy in [json.loads(name)]}
