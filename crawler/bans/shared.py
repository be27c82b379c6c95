"""Bans that nodes share through Redis: who is banned with a proxy or an identity is so wherever he asks from."""

import json
import threading
from importlib import resources
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from scrapy.settings import BaseSettings

from crawler.identities.base import AwayError
from crawler.meta import Visitor
from crawler.redis_client import connect


def open_bans(settings: BaseSettings) -> "SharedBans":
    """Those of the Redis that the settings name, under BANS_KEY."""
    return SharedBans(connect(settings), settings["BANS_KEY"])


class SharedBans:
    """A sorted set of visitors by the end of their bans, in the time of the Redis server.

    Args:
        client: as `crawler.redis_client.connect` makes it.
        key: of the set.
    """

    def __init__(self, client: Redis, key: str) -> None:
        self._client, self._key = client, key
        script = (resources.files("crawler.identities") / "lua" / "bans.lua").read_text(encoding="utf-8")
        self._script = client.register_script(script)
        self._untold: dict[Visitor, float] = {}
        self._lock = threading.Lock()

    def tell(self, visitor: Visitor, seconds: float) -> None:
        """To be told at the next exchange. Our own address is not another node's: bans of that alone stay here."""
        if visitor[1] or visitor[2]:
            with self._lock:
                self._untold[visitor] = seconds

    def exchange(self) -> dict[Visitor, float]:
        """Tell ours; all bans in force with the seconds that are left. AwayError while the server does not answer."""
        with self._lock:
            told, self._untold = self._untold, {}
        arguments = [part for visitor, seconds in told.items() for part in (int(seconds * 1000), json.dumps(visitor))]
        try:
            found: Any = self._script(keys=[self._key], args=arguments)
        except RedisError as error:
            with self._lock:
                self._untold = told | self._untold
            raise AwayError(f"Redis does not answer: {type(error).__name__}") from None
        pairs = zip(found[::2], found[1::2], strict=True)
        return {(host, who, proxy): int(left) / 1000 for name, left in pairs for host, who, proxy in [json.loads(name)]}
