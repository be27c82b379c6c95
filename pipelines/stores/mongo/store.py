"""The store of a cluster: MongoDB through PyMongo's asyncio client, in a thread with an event loop of its own.

The separate loop lets spiders, commands and the console use the store in the same way, with or without a loop of theirs.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from gridfs.asynchronous import AsyncGridFSBucket
from pymongo import AsyncMongoClient
from pymongo.asynchronous.cursor import AsyncCursor
from pymongo.errors import PyMongoError

from pipelines.stores.base import Condition, MutableRow, Order, Row, StoreAwayError, StoreError, Table, WriteBuffer
from pipelines.stores.mongo.connection import MongoAddress, connect, explained
from pipelines.stores.mongo.mongo_documents import (
    Document,
    field,
    fields,
    identity,
    query,
    read_large_in,
    row_of,
    sorting,
)
from pipelines.stores.mongo.writing import GroupWriter, MongoChange, MongoWrite, may_pass

logger = logging.getLogger(__name__)
_BATCH_ROWS = 200
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """Facts for operators: `clock_ahead` in seconds; `replica_set` is its name, "" without one."""

    version: tuple[int, ...]
    write_concern: int | str
    replica_set: str
    clock_ahead: float


class MongoStore:
    """A store in one MongoDB database, `topicrawl` if the address names none.

    Args:
        address: a MongoDB connection string; its options override the defaults (write concern "majority").
        tables: their indexes are made.
        waiting: the limits of writes that wait for an unavailable server.

    Raises:
        StoreError: the address is wrong, no server answers, it denies access, or a newer version has written there.
    """

    def __init__(self, address: str, tables: Iterable[Table], waiting: WriteBuffer | None = None) -> None:
        server = MongoAddress.parse(address)
        self.location = server.location
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run_and_tidy, args=(self._loop,), name="store", daemon=True)
        self._thread.start()
        try:
            self._client = self._open(server, list(tables))
        except BaseException:
            self._end_loop()
            raise
        self._database = self._client[server.database]
        self._bucket = AsyncGridFSBucket(self._database, "large")
        self._writer = GroupWriter(self._database, self._explained, waiting or WriteBuffer())
        self._writing = asyncio.run_coroutine_threadsafe(self._writer.run(), self._loop)

    def _open(self, server: MongoAddress, tables: list[Table]) -> AsyncMongoClient[Document]:
        try:
            return asyncio.run_coroutine_threadsafe(connect(server, tables), self._loop).result()
        except PyMongoError as error:
            raise explained(error, self.location) from error

    @property
    def away(self) -> bool:
        return self._writer.away

    @property
    def write_concern(self) -> int | str:
        """The number of servers that must confirm a write before it counts as durable; by default the majority."""
        concern = self._client.write_concern.document.get("w", 1)
        return concern if isinstance(concern, int) else str(concern)

    def server_facts(self) -> ServerFacts:
        """Ask the server; StoreError if it does not answer."""
        return self._wait(self._server_facts())

    async def _server_facts(self) -> ServerFacts:
        information = await self._client.server_info()
        hello = await self._client.admin.command("hello")
        now = datetime.now(UTC)  # servers that only speak MongoDB's protocol leave out some fields
        ahead = hello.get("localTime", now).replace(tzinfo=UTC) - now
        version = tuple(int(part) for part in str(information.get("version", "")).split(".")[:3] if part.isdigit())
        return ServerFacts(version, self.write_concern, str(hello.get("setName", "")), ahead.total_seconds())

    def upsert(self, table: Table, rows: Sequence[Row]) -> Future[None]:
        return self.write([(table, row) for row in rows])

    def write(self, rows: Sequence[tuple[Table, Row]]) -> Future[None]:
        write = MongoWrite([_change(table, row) for table, row in rows], sum(_size(row) for _, row in rows), Future())
        self._loop.call_soon_threadsafe(self._writer.put, write)
        return write.done

    def change(self, table: Table, where: Sequence[Condition], values: Row) -> Future[None]:
        update = {"$set": {field(table, name): value for name, value in fields(table, values).items()}}
        return self._begin(self._database[table.name].update_many(query(table, where), update))

    def remove(self, table: Table, where: Sequence[Condition]) -> Future[None]:
        return self._begin(self._database[table.name].delete_many(query(table, where)))

    def _begin(self, action: Coroutine[Any, Any, object]) -> Future[None]:
        async def done() -> None:
            try:
                await action
            except PyMongoError as error:
                raise self._explained(error) from error

        return asyncio.run_coroutine_threadsafe(done(), self._loop)

    def get(self, table: Table, *key: Any) -> MutableRow | None:
        document = self._wait(self._find(table, identity(table, dict(zip(table.key, key, strict=True)))))
        return None if document is None else row_of(table, document, table.columns)

    async def _find(self, table: Table, key: Any) -> Document | None:
        document = await self._database[table.name].find_one({"_id": key})
        return document and await read_large_in(self._bucket, document)

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        wanted = [table.column(name) for name in columns] if columns else list(table.columns)
        projection = {field(table, column.name): 1 for column in wanted}
        cursor = self._database[table.name].find(query(table, where), {"_id": 1, **projection}, batch_size=_BATCH_ROWS)
        cursor = cursor.sort(sorting(table, order)) if order else cursor
        cursor = cursor.limit(limit) if limit else cursor
        try:
            while batch := self._wait(self._next(cursor)):
                yield from (row_of(table, document, wanted) for document in batch)
        finally:
            if self._thread.is_alive():
                with contextlib.suppress(StoreError):
                    self._wait(cursor.close())

    async def _next(self, cursor: AsyncCursor[Document]) -> list[Document]:
        return [await read_large_in(self._bucket, document) for document in await cursor.to_list(_BATCH_ROWS)]

    def count(self, table: Table, where: Sequence[Condition] = (), limit: int = 0) -> int:
        bound: dict[str, Any] = {"limit": limit} if limit else {}
        return self._wait(self._database[table.name].count_documents(query(table, where), **bound))

    def give_back(self) -> str:
        """Frees nothing: the server keeps the space for new rows; returns how to compact it."""
        return (
            f"The space of removed rows in {self.location} is free for new rows. To give it back to the disk, run the "
            "command compact on each collection: db.runCommand({compact: 'pages', force: true})"
        )

    def close(self) -> None:
        if not self._thread.is_alive():
            return
        self._wait(self._close())
        self._end_loop()

    async def _close(self) -> None:
        self._writer.end()
        await asyncio.wrap_future(self._writing)
        await self._client.close()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _wait(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        try:
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
        except PyMongoError as error:
            raise self._explained(error) from error

    def _explained(self, error: Exception) -> StoreError:
        """The error as a StoreError; StoreAwayError if a retry may succeed, since the server was available when the store was opened."""
        if isinstance(error, StoreError):
            return error
        known = explained(error, self.location)
        return StoreAwayError(str(known)) if may_pass(error) else known


def _run_and_tidy(loop: asyncio.AbstractEventLoop) -> None:
    """Run until stopped; then cancel remaining tasks, and let connections close."""
    loop.run_forever()
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left))
    loop.run_until_complete(asyncio.sleep(0.01))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


def _change(table: Table, row: Row) -> MongoChange:
    values = fields(table, row)
    first = {name: value for name, value in values.items() if table.column(name).first}
    replaced = {name: value for name, value in values.items() if name not in first}
    return MongoChange(table, identity(table, row), replaced, first)


def _size(row: Row) -> int:
    return 500 + sum(len(value) * 2 for value in row.values() if isinstance(value, (str, bytes)))
