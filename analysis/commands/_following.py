"""`scrapy export --to`: rows pushed as they come, each at least once, and the place that a kill does not lose."""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from analysis.delivery.message import DeliveryError
from analysis.delivery.post import post_json, webhook_sign
from pipelines.exporting import JsonLinesWriter
from pipelines.stores.base import Column, Condition, MutableRow, Order, Store, StoreError, Table
from pipelines.stores.instant_columns import utc_text

BATCH_ROWS = 200
_MAX_BATCH_BYTES = 8_000_000
_LONGEST_PAUSE_SECONDS = 300.0
_WEBHOOK_SECONDS = 60.0
_LATEST_ARRIVAL = timedelta(minutes=30)
"""A row is in the database at most so long after the time that it has: pages wait for a database that does not answer."""


class Receiver(Protocol):
    """Takes batches; when `take` returns, the lines are with it for good."""

    def take(self, lines: Sequence[bytes]) -> None:
        """Raises DeliveryError or OSError for what a repetition does not change."""


class FileReceiver:
    """A file of JSON lines that grows; a line that a kill has cut is removed at the start."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b")
        self._file.seek(0)
        whole = 0
        for line in self._file:
            whole += len(line) if line.endswith(b"\n") else 0
        self._file.truncate(whole)

    def take(self, lines: Sequence[bytes]) -> None:
        self._file.write(b"".join(lines))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


class WebhookReceiver:
    """POSTs batches until they are accepted with 2xx; pauses double up to five minutes. Signed like messages of alerts."""

    def __init__(self, url: str, table: str, secret: str, *, allow_private: bool) -> None:
        self._url, self._table, self._secret, self._allow_private = url, table, secret, allow_private

    def take(self, lines: Sequence[bytes]) -> None:
        """Raises DeliveryError if the receiver refuses the batch for good."""
        head = f'{{"type": "topicrawl.rows", "table": {json.dumps(self._table)}, "rows": ['.encode()
        body = head + b",".join(line.strip() for line in lines) + b"]}"
        pause = 1.0
        while (wait := self._refused_for(body)) is not None:
            time.sleep(min(max(wait, pause), _LONGEST_PAUSE_SECONDS))
            pause *= 2

    def _refused_for(self, body: bytes) -> float | None:
        """None if it is accepted, else seconds that the receiver asks to wait."""
        key, seconds = hashlib.sha256(body).hexdigest(), int(time.time())
        headers = {"webhook-id": key, "webhook-timestamp": str(seconds)}
        if self._secret:
            headers["webhook-signature"] = webhook_sign(self._secret, key, seconds, body)
        try:
            answer = post_json(
                self._url, {}, headers, body=body, allow_private=self._allow_private, seconds=_WEBHOOK_SECONDS
            )
        except DeliveryError as error:
            if "private address" in str(error) or "must begin" in str(error):
                raise
            return 0.0
        if 200 <= answer.status < 300:
            return None
        if answer.status in (408, 425, 429) or answer.status >= 500:
            return answer.wait
        raise DeliveryError(f"the receiver refuses the rows with status {answer.status}")

    def close(self) -> None:
        """Nothing is open."""


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
        """Remember rows that were taken; durable when it returns."""
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
            receiver.take([line for _, _, line in batch])
            cursor.move([(name, at) for name, at, _ in batch])
            count += len(batch)
        return count

    def _new_rows(self, store: Store, cursor: Cursor) -> Iterator[tuple[str, str, MutableRow]]:
        """Names, times and rows. They are read to the end, so that no query is open while a receiver is slow."""
        since = [Condition(self._time, ">=", cursor.since)] if cursor.since else []
        names = list(dict.fromkeys([*self._table.key, self._time]))
        heads = list(store.select(self._table, [*self._where, *since], [Order(self._time)], 0, names))
        for head in heads:
            name, at = _name([head[column] for column in self._table.key]), str(head[self._time] or "")
            if not cursor.has(name, at) and (
                row := store.get(self._table, *(head[column] for column in self._table.key))
            ):
                yield name, str(row[self._time] or ""), row

    def _batch(self, rows: Iterator[tuple[str, str, MutableRow]]) -> Iterator[tuple[str, str, bytes]]:
        size = 0
        for name, at, row in islice(rows, BATCH_ROWS):
            out = BytesIO()
            JsonLinesWriter(out, self._columns).write(row)
            yield name, at, out.getvalue()
            if (size := size + out.tell()) > _MAX_BATCH_BYTES:
                return


def _name(key: Sequence[Any]) -> str:
    return hashlib.sha256(repr(list(key)).encode("utf-8", "replace")).hexdigest()[:24]
