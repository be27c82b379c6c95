"""Maps hosts to the shards of a crawl.

A host's shard follows from a digest of its name, so that its queue, its pace and its seen addresses are together. The name of
a shard is a hash tag, so each shard is in one slot of a Redis Cluster, which moves slots among its servers. The number of
shards is fixed when the crawl begins. Copies of it are stored with the first shards, so that a dead server does not hide it.
"""

from collections.abc import Callable
from typing import Any
from zlib import crc32

from redis import Redis

from crawler.frontier.shared.server import RedisUnavailableError, redis_errors

DEFAULT_SHARDS = 16
_COPIES = 16


class ShardMap:
    """The shards of one crawl. Raises RedisUnavailableError if their number may be stored only on unavailable servers.

    Attributes:
        count: the number of shards; 1 for an unsharded crawl, whose keys have its own name.

    Args:
        queue_key: maps the name of a crawl or a shard to the key of its queue.
    """

    def __init__(self, client: Redis, queue_key: Callable[[str], str], crawl: str) -> None:
        self._client = client
        self._queue_key = queue_key
        self._crawl = crawl
        self.count = self._stored() or 1

    def begin(self, count: int) -> None:
        """Set the number of shards of a new crawl; an existing crawl keeps its number."""
        if self.count > 1 or count == 1 or self._is_begun_in_one_piece():
            return
        with redis_errors():
            self._client.set(self._copy(0), count, nx=True)
            stored: Any = self._client.get(self._copy(0))
            self.count = int(stored or 1)
            for shard in range(1, min(self.count, _COPIES)):
                self._client.set(self._copy(shard), self.count)

    def _is_begun_in_one_piece(self) -> bool:
        with redis_errors():
            left: Any = self._client.hmget(self._queue_key(self._crawl), "queued", "leased")
        return any(int(number or 0) for number in left)

    def _stored(self) -> int:
        away = None
        for shard in range(_COPIES):
            try:
                with redis_errors():
                    found: Any = self._client.get(self._copy(shard))
            except RedisUnavailableError as error:
                away = error
                continue
            if found:
                return int(found)
        if away:
            raise away
        return 0

    def forget(self) -> None:
        """Delete the stored number, so that the next run may have another."""
        for shard in range(min(self.count, _COPIES)):
            with redis_errors():
                self._client.delete(self._copy(shard))

    def of(self, host: str) -> int:
        """The number of this host's shard."""
        return crc32(host.encode("utf-8", "surrogatepass")) % self.count

    def names(self) -> list[str]:
        """The replacement for the crawl's name in the keys of each shard."""
        return [self._name(shard) for shard in range(self.count)]

    def _name(self, shard: int) -> str:
        return f"{self._crawl}|{shard}"

    def _copy(self, shard: int) -> str:
        return f"{self._queue_key(self._name(shard))}:shards"
