"""What a place other than Redis must do for the packed parts of long queues."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from crawler.frontier.base import FrontierError


class BlockStoreError(FrontierError):
    """The place of the blocks cannot be used now; the message says which, and what to do."""


class BlockStore(Protocol):
    """Blocks by name. A block never changes. Every call may raise BlockStoreError, and may be repeated."""

    def put(self, crawl: str, blocks: Mapping[bytes, bytes]) -> None:
        """Keep these for the crawl with this identity; they are durable when this returns."""

    def get(self, name: bytes) -> bytes | None:
        """The block, None if it is not there."""

    def drop(self, names: Sequence[bytes]) -> None:
        """Nobody needs these any more."""

    def forget(self, crawl: str) -> None:
        """Drop all blocks of that crawl."""

    def close(self) -> None:
        """No further calls."""
