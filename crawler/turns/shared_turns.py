"""Turns of a cluster: keys in Redis that expire."""

import asyncio
import logging
from collections.abc import Callable

from redis import Redis
from redis.exceptions import RedisError

from crawler.clock import crawl_seconds

logger = logging.getLogger(__name__)


class SharedTurns:
    """See `HostTurns`. While Redis is unavailable every turn is free: the frontier, which is in Redis too, gives no requests.

    Args:
        connect: makes the client.
        prefix: of the keys.
    """

    def __init__(self, connect: Callable[[], Redis], prefix: str) -> None:
        self._connect, self._prefix = connect, prefix
        self._client: Redis | None = None
        self._is_away = False

    async def take(self, host: str, delay: float) -> float:
        """See `HostTurns`."""
        try:
            wait = await asyncio.to_thread(self._take, f"{self._prefix}{host}", delay)
        except (RedisError, ValueError) as error:
            if not self._is_away:
                logger.warning("The turns of hosts are not shared at present: %s", error)
            self._is_away = True
            return 0.0
        self._is_away = False
        return wait

    def _take(self, key: str, delay: float) -> float:
        client = self._client = self._client or self._connect()
        if client.set(key, 1, nx=True, px=max(1, round(delay * 1_000 / crawl_seconds(1.0)))):
            return 0.0
        left: int = client.pttl(key)
        return max(0.001, left / 1_000 * crawl_seconds(1.0))

    def close(self) -> None:
        """See `HostTurns`."""
        if self._client is not None:
            self._client.close()
