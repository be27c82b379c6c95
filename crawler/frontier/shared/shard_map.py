"""Which shard of a crawl has a host.

A host's shard is a digest of its name, so that its queue, its pace and its seen addresses lie together. The name of a shard is a
hash tag, so each shard is in one slot of a Redis Cluster, which moves slots among its servers. The number of shards is
fixed when the crawl begins, and kept beside its queue.
"""

from typing import Any
from zlib import crc32

from redis import Redis

from crawler.frontier.shared.server import redis_errors

DEFAULT_SHARDS = 16


class ShardMap:
    """The shards of one crawl; AwayError while the server with their number cannot be reached.

    Attributes:
        count: the number of shards; 1 for a crawl in one piece, whose keys have its own name.

    Args:
        queue_key: the key of the crawl's queue were it in one piece.
    """

    def __init__(self, client: Redis, queue_key: str) -> None:
        self._client = client
        self._queue_key = queue_key
        self._key = f"{queue_key}:shards"
        self.count = self._stored() or 1

    def begin(self, count: int) -> None:
        """A new crawl has this number of shards; one that was begun with another number, and is not finished, keeps that."""
        with redis_errors():
            left: Any = self._client.hmget(self._queue_key, "queued", "leased")
            if count > 1 and not any(int(number or 0) for number in left):
                self._client.set(self._key, count, nx=True)
        self.count = self._stored() or 1

    def _stored(self) -> int:
        with redis_errors():
            found: Any = self._client.get(self._key)
        return int(found or 0)

    def forget(self) -> None:
        """The next run of the crawl may have another number."""
        with redis_errors():
            self._client.delete(self._key)

    def of(self, host: str) -> int:
        """The number of the shard that has this host."""
        return crc32(host.encode("utf-8", "surrogatepass")) % self.count

    def names(self, crawl: str) -> list[str]:
        """What stands for the crawl's name in the keys of each shard."""
        return [f"{crawl}|{shard}" for shard in range(self.count)]
