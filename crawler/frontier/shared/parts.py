"""Which server has which part of a crawl: a table in Redis, so that a crawl grows by a change of the table.

A host's part is a digest of its name, so that its queue, its pace and its seen addresses lie together. The number of
parts is fixed when the crawl begins. Every server has a copy of the table; the one with the highest epoch counts. A
server that a part has left says where it went, so that an old copy does no harm (`move.lua`).
"""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

import msgpack

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.server import AwayError, redis_errors
from crawler.frontier.shared.servers import Servers


@dataclass(frozen=True, slots=True)
class Parts:
    """The address of the server of each part; changes raise the epoch."""

    epoch: int
    homes: tuple[str, ...]

    def of(self, host: str) -> int:
        """The number of the part that has this host."""
        return crc32(host.encode("utf-8", "surrogatepass")) % len(self.homes)

    def moved(self, part: int, address: str) -> "Parts":
        """The table after a move."""
        return Parts(self.epoch + 1, (*self.homes[:part], address, *self.homes[part + 1 :]))


class PartsTable:
    """The table of one crawl.

    Args:
        queue_key: the key of the crawl's queue were it not divided.
    """

    def __init__(self, servers: Servers, queue_key: str) -> None:
        self._servers = servers
        self._queue_key = queue_key
        self._key = f"{queue_key}:parts"

    def read(self) -> Parts | None:
        """The latest copy; None for a crawl that is not divided. AwayError if no server answers."""
        found, away = [], None
        for address in self._servers.addresses:
            try:
                with redis_errors():
                    packed = self._servers.client(address).get(self._key)
            except AwayError as error:
                away = error
                continue
            found.append(_unpack(packed) if isinstance(packed, bytes) else None)
        if away and not found:
            raise away
        return max((parts for parts in found if parts), key=lambda parts: parts.epoch, default=None)

    def read_or_begin(self, count: int) -> Parts | None:
        """The table, which is made if the crawl is new and shall have several parts.

        A crawl that was begun in one piece, and is not finished, stays in one.
        """
        if (parts := self.read()) or count == 1:
            return parts
        addresses = self._servers.addresses
        first = self._servers.client(addresses[0])
        made = Parts(1, tuple(addresses[part * len(addresses) // count] for part in range(count)))
        with redis_errors():
            left: Any = first.hmget(self._queue_key, "queued", "leased")
            if any(int(number or 0) for number in left):
                return None
            first.set(self._key, _pack(made), nx=True)
        parts = self.read() or made
        self.write(parts)
        return parts

    def write(self, parts: Parts) -> None:
        """To every server that answers."""
        for address in {*self._servers.addresses, *parts.homes}:
            try:
                with redis_errors():
                    self._servers.client(address).set(self._key, _pack(parts))
            except AwayError:
                continue  # it learns with the next change; until then the highest epoch counts

    def forget(self) -> None:
        """The next run of the crawl may have other parts."""
        for address in self._servers.addresses:
            with redis_errors():
                self._servers.client(address).delete(self._key)


def part_name(crawl: str, part: int) -> str:
    """What stands for the crawl's name in the keys of a part."""
    return f"{crawl}|{part}"


def _pack(parts: Parts) -> bytes:
    packed: bytes = msgpack.packb([parts.epoch, list(parts.homes)])
    return packed


def _unpack(packed: bytes) -> Parts:
    try:
        epoch, homes = msgpack.unpackb(packed)
        return Parts(int(epoch), tuple(map(str, homes)))
    except (ValueError, TypeError, msgpack.UnpackException) as error:
        raise FrontierError(f"The table of the crawl's parts cannot be read: {error}") from error
