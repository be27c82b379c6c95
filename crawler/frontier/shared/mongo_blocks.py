"""Packed parts of long queues in a MongoDB collection."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from pymongo import MongoClient, UpdateOne
from pymongo.errors import PyMongoError

from crawler.frontier.base import FrontierError
from crawler.frontier.shared.block_stores import BlockStoreError
from pipelines.stores.base import StoreError
from pipelines.stores.mongo.connection import Address

_COLLECTION = "frontier_blocks"


class MongoBlocks:
    """Blocks in a collection of the store's database."""

    def __init__(self, address: str) -> None:
        try:
            self._address = Address.parse(address)
        except StoreError as error:
            raise FrontierError(str(error)) from error

    @cached_property
    def _client(self) -> MongoClient[dict[str, Any]]:
        client: MongoClient[dict[str, Any]] = MongoClient(self._address.uri, **self._address.options, maxPoolSize=2)
        client[self._address.database][_COLLECTION].create_index("crawl")
        return client

    @property
    def _blocks(self) -> Any:
        return self._client[self._address.database][_COLLECTION]

    def put(self, crawl: str, blocks: Mapping[bytes, bytes]) -> None:
        """See `BlockStore.put`."""
        changes = [
            UpdateOne({"_id": name.hex()}, {"$set": {"crawl": crawl, "packed": packed}}, upsert=True)
            for name, packed in blocks.items()
        ]
        with self._errors():
            self._blocks.bulk_write(changes, ordered=False)

    def get(self, name: bytes) -> bytes | None:
        """See `BlockStore.get`."""
        with self._errors():
            found = self._blocks.find_one({"_id": name.hex()})
        return found and bytes(found["packed"])

    def drop(self, names: Sequence[bytes]) -> None:
        """See `BlockStore.drop`."""
        with self._errors():
            self._blocks.delete_many({"_id": {"$in": [name.hex() for name in names]}})

    def forget(self, crawl: str) -> None:
        """See `BlockStore.forget`."""
        with self._errors():
            self._blocks.delete_many({"crawl": crawl})

    def close(self) -> None:
        """See `BlockStore.close`."""
        if "_client" in self.__dict__:
            self._client.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except PyMongoError as error:
            raise BlockStoreError(
                f"The packed queues in {self._address.location} cannot be used: {error}. Check that it runs"
            ) from error
