"""The last step: writes an item's rows, and returns the item when they are durable."""

import asyncio
import time
from typing import Self
from weakref import WeakKeyDictionary

from scrapy.crawler import Crawler

from pipelines.items import HotListItem, Item, PageItem, RowsItem
from pipelines.stores.base import Store, WriteBuffer
from pipelines.stores.opening import open_store, store_address

_MIN_THREAD_ROWS = 500
"""Rows of one page above which a thread prepares them, so that the event loop is not blocked."""
_MAX_WAITING_BYTES = 64_000_000
"""Of pages that wait for an unavailable database server."""
_storages: "WeakKeyDictionary[Crawler, StoragePipeline]" = WeakKeyDictionary()
"""By Scrapy's crawler; an entry ends with it."""


class StoragePipeline:
    """Writes `item.rows` and waits until they are durable, so that an acknowledgement afterwards loses nothing."""

    def __init__(self, address: str, waiting: WriteBuffer | None = None) -> None:
        self._address = address
        self._waiting = waiting
        self.store: Store | None = None
        self.is_open = False
        self._begun: dict[int, float] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        waiting = WriteBuffer(settings.getfloat("STORE_MAX_WAIT"), _MAX_WAITING_BYTES)
        pipeline = cls(store_address(settings), waiting)
        _storages[crawler] = pipeline
        return pipeline

    def open_spider(self) -> None:
        self.store = open_store(self._address, waiting=self._waiting)
        self.is_open = True

    async def close_spider(self) -> None:
        """A coroutine, since earlier pipelines use the store until they are closed."""
        self.is_open = False
        if self.store is not None:
            self.store.close()

    async def process_item(self, item: Item) -> Item:
        store = self.store
        if not isinstance(item, PageItem | RowsItem | HotListItem):  # of a spider of the user's own
            return item
        if store is None:
            raise RuntimeError("the store is not open")
        self._begun[id(item)] = time.monotonic()
        try:
            many = len(item.rows) > _MIN_THREAD_ROWS
            written = await asyncio.to_thread(store.write, item.rows) if many else store.write(item.rows)
            await asyncio.wrap_future(written)
        finally:
            del self._begun[id(item)]
        return item

    def lag(self) -> float:
        """Seconds that the oldest item that is not durable has waited; 0 if there is none."""
        oldest = next(iter(self._begun.values()), None)
        return 0.0 if oldest is None else time.monotonic() - oldest


def storage_of(crawler: Crawler) -> StoragePipeline | None:
    """The crawl's storage pipeline; None in a crawl that stores nothing."""
    return _storages.get(crawler)


def store_of(crawler: Crawler) -> Store | None:
    """The crawl's open store; None before it is opened, and in a crawl that stores nothing."""
    storage = storage_of(crawler)
    return None if storage is None else storage.store


def required_store(crawler: Crawler) -> Store:
    """The crawl's open store; RuntimeError where there is none."""
    store = store_of(crawler)
    if store is None:
        raise RuntimeError("the store is not open")
    return store
