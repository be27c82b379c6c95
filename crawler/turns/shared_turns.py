"""Turns of a cluster: keys in Redis that expire."""

import asyncio
import logging
from collections.abc import Callable
from importlib import resources

from redis import Redis
from redis.commands.core import Script
from redis.exceptions import RedisError

from crawler.clock import crawl_seconds
from crawler.turns.host_turn import PLACE_SECONDS, PLACE_WAIT_SECONDS, HostTurn

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
        self._script: Script | None = None
        self._is_away = False

    async def take(self, turn: HostTurn) -> float:
        """See `HostTurns`."""
        try:
            wait = await asyncio.to_thread(self._take, turn)
        except (RedisError, ValueError) as error:
            if not self._is_away:
                logger.warning("The turns of hosts are not shared at present: %s", error)
            self._is_away = True
            return 0.0
        self._is_away = False
        return wait

    def _take(self, turn: HostTurn) -> float:
        script = self._script = self._script or self._opened()
        delay = max(1, round(turn.delay * 1_000 / crawl_seconds(1.0)))
        given = [delay, turn.places, round(PLACE_SECONDS * 1_000), turn.token]
        left = int(script(self._keys(turn), given))  # type: ignore[arg-type]  # the stubs want strings
        return max(0.001, left / 1_000 * crawl_seconds(1.0)) if left > 0 else -left * PLACE_WAIT_SECONDS

    async def end(self, turn: HostTurn) -> None:
        """See `HostTurns`. A place that cannot be given back is free when its time is over."""
        if self._client is not None and not self._is_away:
            try:
                await asyncio.to_thread(self._client.zrem, self._keys(turn)[1], turn.token)
            except RedisError as error:
                logger.debug("A place at %s is kept: %s", turn.host, error)

    def _keys(self, turn: HostTurn) -> list[str]:
        """In one slot of a Redis Cluster."""
        return [f"{self._prefix}{{{turn.host}}}", f"{self._prefix}{{{turn.host}}}:places"]

    def _opened(self) -> Script:
        self._client = self._connect()
        return self._client.register_script((resources.files(__package__) / "turn.lua").read_text(encoding="utf-8"))

    def close(self) -> None:
        """See `HostTurns`."""
        if self._client is not None:
            self._client.close()
