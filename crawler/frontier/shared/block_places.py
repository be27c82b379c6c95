"""The place for the packed parts of long queues that FRONTIER_TAILS names."""

from pathlib import Path

from scrapy.settings import BaseSettings

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.block_stores import BlockStore
from pipelines.stores.opening import store_address


def open_blocks(settings: BaseSettings) -> BlockStore | None:
    """As FRONTIER_TAILS says: None for Redis itself. FrontierError if it does not go with the other settings.

    Nothing is opened before it is needed.
    """
    kind = str(settings.get("FRONTIER_TAILS") or "redis")
    if kind == "redis":
        return None
    if kind == "sqlite":
        from crawler.frontier.shared.sqlite_blocks import SqliteBlocks

        return SqliteBlocks(Path(settings.get("DATA_DIR") or "data") / "frontier" / "tails.blocks")
    address = store_address(settings)
    if kind == "mongodb" and address.startswith("mongodb"):
        from crawler.frontier.shared.mongo_blocks import MongoBlocks  # half a second that only this setting needs

        return MongoBlocks(address)
    raise FrontierError(
        f"FRONTIER_TAILS = {kind} needs a STORE in MongoDB. Set it to redis, or to sqlite if all nodes run on one machine."
    )
