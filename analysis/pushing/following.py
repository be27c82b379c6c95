"""`scrapy export --to`: rows pushed as they come, each at least once, and the place that a kill does not lose."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from analysis.pushing.receiving import Receiver, SentRow
from pipelines.exporting import JsonLinesWriter
from pipelines.stores.base import Column, Condition, MutableRow, Order, Row, Store, StoreError, Table
from pipelines.stores.instant_columns import utc_text

BATCH_ROWS = 200
_MAX_BATCH_BYTES = 8_000_000
_LATEST_ARRIVAL = timedelta(minutes=30)
"""A row is in the database at most so long after the time that it has: pages wait for a database that does not answer."""


class Cursor:
    """Up to where rows were taken: the latest time, and each row that was sent within `_LATEST_ARRIVAL` before it.

    Later rows may have earlier times, so the rows of that span are read again, and sent if they were not.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sent: dict[str, str] = {}
        if path.is_file():
            try:
                self._sent = {str(name): str(at) for name, at in json.loads(path.read_bytes())["sent"].items()}
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                raise StoreError(f"{path} is not the place of an export; move it away to begin again") from None

    @property
    def since(self) -> str:
        """The time from which rows are read; "" at the beginning."""
        latest = max(self._sent.values(), default="")
        with suppress(ValueError):
            return utc_text(datetime.fromisoformat(latest) - _LATEST_ARRIVAL)
        return latest

    def has(self, name: str, at: str) -> bool:
        return self._sent.get(name, "") == at

    def move(self, taken: Sequence[tuple[str, str]]) -> None:
        """Remember the names and times of rows that were taken; durable when it returns."""
        self._sent.update(taken)
        since = self.since
        self._sent = {name: at for name, at in self._sent.items() if at >= since}
        part = self._path.with_name(f"{self._path.name}.part")
        with part.open("w", encoding="utf-8") as out:
            json.dump({"sent": self._sent}, out)
            out.flush()
            os.fsync(out.fileno())
        part.replace(self._path)


class Following:
    """Pushes the rows of a table, the earliest first."""

    def __init__(self, table: Table, time_name: str, columns: Sequence[Column], where: Sequence[Condition]) -> None:
        self._table, self._time, self._columns, self._where = table, time_name, columns, where

    def push(self, store: Store, cursor: Cursor, receiver: Receiver) -> int:
        """All rows that were not taken yet; their number. Each batch is taken before the cursor moves: at least once."""
        count, rows = 0, self._new_rows(store, cursor)
        while batch := list(self._batch(rows)):
            receiver.take(batch)
            cursor.move([(_name(row.key), row.at) for row in batch])
            count += len(batch)
        return count

    def _new_rows(self, store: Store, cursor: Cursor) -> Iterator[MutableRow]:
        """The rows are read to the end, so that no query is open while a receiver is slow."""
        since = [Condition(self._time, ">=", cursor.since)] if cursor.since else []
        names = list(dict.fromkeys([*self._table.key, self._time]))
        heads = list(store.select(self._table, [*self._where, *since], [Order(self._time)], 0, names))
        for head in heads:
            key = self._key(head)
            if not cursor.has(_name(key), str(head[self._time] or "")) and (row := store.get(self._table, *key)):
                yield row

    def _batch(self, rows: Iterator[MutableRow]) -> Iterator[SentRow]:
        size = 0
        for row in islice(rows, BATCH_ROWS):
            out = BytesIO()
            JsonLinesWriter(out, self._columns).write(row)
            yield SentRow(self._key(row), str(row[self._time] or ""), out.getvalue())
            if (size := size + out.tell()) > _MAX_BATCH_BYTES:
                return

    def _key(self, row: Row) -> tuple[Any, ...]:
        return tuple(row[column] for column in self._table.key)


def _name(key: Sequence[Any]) -> str:
    return hashlib.sha256(repr(list(key)).encode("utf-8", "replace")).hexdigest()[:24]
