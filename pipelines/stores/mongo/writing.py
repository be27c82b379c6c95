"""Writes to MongoDB in groups: simultaneous writes share one bulk write; writes wait while the server is unavailable."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from gridfs.asynchronous import AsyncGridFSBucket
from pymongo import UpdateOne
from pymongo.asynchronous.database import AsyncDatabase
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    ConnectionFailure,
    OperationFailure,
    PyMongoError,
    WTimeoutError,
)

from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import StoreAwayError, StoreError, Table, WriteBuffer
from pipelines.stores.mongo.mongo_documents import Document, move_large_out

logger = logging.getLogger(__name__)
GROUP_SECONDS = 0.05
"""Writes that come within this time share one bulk write."""
_GROUP_WRITES = 2_000
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.25, 5.0
_DUPLICATE_KEY, _OUT_OF_DISK = 11000, 14031


@dataclass(frozen=True, slots=True)
class MongoChange:
    """A row to be merged: columns to set, and columns to set only if they have no value yet."""

    table: Table
    identity: Any
    replaced: Document
    first: Document


@dataclass(slots=True)
class MongoWrite:
    """The rows of one caller, its size in memory (bytes), and its future."""

    changes: Sequence[MongoChange]
    size: int
    done: Future[None]


class GroupWriter:
    """Takes writes from any thread, and executes them in the event loop of `run`.

    While the server is unavailable, writes wait within the limits of `waiting`; beyond these, their futures raise
    StoreAwayError.
    """

    def __init__(
        self,
        database: AsyncDatabase[Document],
        explained: Callable[[Exception], StoreError],
        waiting: WriteBuffer,
    ) -> None:
        self._database = database
        self._bucket = AsyncGridFSBucket(database, "large")
        self._explained = explained
        self._waiting = waiting
        self._queue: asyncio.Queue[MongoWrite | None] = asyncio.Queue()
        self._waiting_bytes = 0
        self._away_since = 0.0

    @property
    def away(self) -> bool:
        return self._away_since > 0

    def put(self, write: MongoWrite) -> None:
        """Queue a write; called in the loop."""
        if self.away and self._waiting_bytes + write.size > self._waiting.memory:
            _fail(write, StoreAwayError("the database is unavailable, and the memory for waiting writes is full"))
            return
        self._waiting_bytes += write.size
        self._queue.put_nowait(write)

    def end(self) -> None:
        """Let `run` return when all queued writes are done; called in the loop."""
        self._queue.put_nowait(None)

    async def run(self) -> None:
        ends = False
        while not ends:
            await self._look_for_server()
            group, ends = await self._next_group()
            try:
                await self._write_group(group)
            finally:
                self._waiting_bytes -= sum(write.size for write in group)

    async def _look_for_server(self) -> None:
        """Probe an unavailable server while no write is queued."""
        while self.away and self._queue.empty():
            try:
                await self._database.command("ping")
            except PyMongoError:
                await asyncio.sleep(_MAX_PAUSE_SECONDS / 2)
            else:
                self._note_back()

    async def _next_group(self) -> tuple[list[MongoWrite], bool]:
        first = await self._queue.get()
        if first is None:
            return [], True
        await asyncio.sleep(GROUP_SECONDS)
        group, count = [first], len(first.changes)
        while count < _GROUP_WRITES and not self._queue.empty():
            write = self._queue.get_nowait()
            if write is None:
                return group, True
            group.append(write)
            count += len(write.changes)
        return group, False

    async def _write_group(self, group: Sequence[MongoWrite]) -> None:
        """Execute all writes together; if that fails, each alone."""
        group = [write for write in group if write.done.set_running_or_notify_cancel()]
        try:
            await self._with_retries(lambda: self._apply(group))
        except StoreAwayError as error:
            for write in group:
                _fail(write, error)
        except Exception:
            for write in group:
                await self._write_alone(write)
        else:
            for write in group:
                write.done.set_result(None)

    async def _write_alone(self, write: MongoWrite) -> None:
        try:
            await self._with_retries(lambda: self._apply([write]))
        except Exception as error:
            _fail(write, self._explained(error))
        else:
            write.done.set_result(None)

    async def _apply(self, group: Sequence[MongoWrite]) -> None:
        """The changes of each table in one bulk write; last the queue, as who takes a page from it reads what the others have."""
        by_table: dict[str, dict[str, MongoChange]] = {}
        for write in group:
            for change in write.changes:
                _merge(by_table.setdefault(change.table.name, {}), change)
        queued = by_table.pop(ANALYSIS_QUEUE.name, {})
        await asyncio.gather(*(self._merge_in(name, list(changes.values())) for name, changes in by_table.items()))
        if queued:
            await self._merge_in(ANALYSIS_QUEUE.name, list(queued.values()))

    async def _merge_in(self, name: str, changes: list[MongoChange]) -> None:
        """The upserts; then the first values of existing documents that lack them."""
        collection = self._database[name]
        upserts = [await self._upsert(change) for change in changes]
        made = (await collection.bulk_write(upserts, ordered=False)).upserted_ids or {}
        late = [fill for place, change in enumerate(changes) if place not in made for fill in _first_values(change)]
        if late:
            await collection.bulk_write(late, ordered=False)

    async def _upsert(self, change: MongoChange) -> UpdateOne:
        replaced = await move_large_out(self._bucket, change.replaced)
        parts = {"$set": replaced, "$setOnInsert": change.first}
        update = {name: part for name, part in parts.items() if part} or {"$setOnInsert": {"_id": change.identity}}
        return UpdateOne({"_id": change.identity}, update, upsert=True)

    async def _with_retries(self, action: Callable[[], Awaitable[None]]) -> None:
        """Do it, with retries while the server is unavailable; StoreAwayError after `waiting.seconds`.

        The time counts from the beginning of the outage, so that later writes do not wait for the full time again.
        """
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                await action()
            except PyMongoError as error:
                if not may_pass(error):
                    raise
                self._note_away(error)
                if time.monotonic() + pause > self._away_since + self._waiting.seconds:
                    raise StoreAwayError(
                        f"the database has been unavailable for {self._waiting.seconds:.0f} s: {error}"
                    ) from error
                await asyncio.sleep(pause)
                pause = min(2 * pause, _MAX_PAUSE_SECONDS)
            else:
                self._note_back()
                return

    def _note_away(self, error: PyMongoError) -> None:
        if not self.away:
            self._away_since = time.monotonic()
            logger.warning("%s Writes wait until it is available.", self._explained(error))

    def _note_back(self) -> None:
        if self.away:
            logger.info("The database is available again after %.0f s", time.monotonic() - self._away_since)
            self._away_since = 0.0


def _first_values(change: MongoChange) -> list[UpdateOne]:
    given = {name: value for name, value in change.first.items() if value is not None}
    return [UpdateOne({"_id": change.identity, name: None}, {"$set": {name: value}}) for name, value in given.items()]


def _merge(changes: dict[str, MongoChange], change: MongoChange) -> None:
    """Merge later values of a row over earlier ones, as if written one after the other."""
    key = repr(change.identity)
    earlier = changes.get(key)
    if earlier is not None:
        first = change.first | {name: value for name, value in earlier.first.items() if value is not None}
        change = MongoChange(change.table, change.identity, earlier.replaced | change.replaced, first)
    changes[key] = change


def may_pass(error: Exception) -> bool:
    """Whether the same write may succeed later: no connection, no primary, a full disk, a write concern not met in time."""
    if isinstance(error, BulkWriteError):
        details: dict[str, Any] = dict(error.details or {})
        codes = {each.get("code") for each in details.get("writeErrors", ())}
        return (
            _OUT_OF_DISK in codes
            or codes == {_DUPLICATE_KEY}
            or (not codes and bool(details.get("writeConcernErrors")))
        )
    if isinstance(error, (AutoReconnect, ConnectionFailure, WTimeoutError)):
        return True
    return isinstance(error, OperationFailure) and (
        error.code == _OUT_OF_DISK
        or error.has_error_label("RetryableWriteError")
        or error.has_error_label("TransientTransactionError")
    )


def _fail(write: MongoWrite, error: StoreError) -> None:
    if not write.done.done():
        write.done.set_exception(error)
