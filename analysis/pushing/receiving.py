"""Where `scrapy export --to` pushes rows: a file, a webhook; the same two calls for all."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from analysis.delivery.message import DeliveryError
from analysis.delivery.post import post_json, webhook_sign
from crawler.command_line import say_aside

_LONGEST_PAUSE_SECONDS = 300.0
_WEBHOOK_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class SentRow:
    """The values of its key columns, the time by which rows are followed, and its columns as a line of JSON."""

    key: tuple[Any, ...]
    at: str
    line: bytes


class Receiver(Protocol):
    """Takes batches; when `take` returns, the rows are with it for good."""

    def take(self, rows: Sequence[SentRow]) -> None:
        """Raises DeliveryError or OSError for what a repetition does not change."""

    def close(self) -> None:
        """End without what was not taken."""


class NotNowError(Exception):
    """A repetition may succeed.

    Attributes:
        wait: seconds that the receiver asks to wait.
    """

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


def until_taken(attempt: Callable[[], None]) -> None:
    """Repeat while it raises NotNowError, whose sentence is printed once; pauses double up to five minutes."""
    pause = 1.0
    while True:
        try:
            return attempt()
        except NotNowError as error:
            if pause == 1.0:
                say_aside(f"{error}; the rows wait, and are sent again")
            time.sleep(min(max(error.wait, pause), _LONGEST_PAUSE_SECONDS))
            pause *= 2


class FileReceiver:
    """A file of JSON lines that grows; a line that a kill has cut is removed at the start."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b")
        self._file.seek(0)
        whole = 0
        for line in self._file:
            whole += len(line) if line.endswith(b"\n") else 0
        self._file.truncate(whole)

    def take(self, rows: Sequence[SentRow]) -> None:
        self._file.write(b"".join(row.line for row in rows))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


class WebhookReceiver:
    """POSTs batches until they are accepted with 2xx. Signed like messages of alerts."""

    def __init__(self, url: str, table: str, secret: str, *, allow_private: bool) -> None:
        self._url, self._table, self._secret, self._allow_private = url, table, secret, allow_private

    def take(self, rows: Sequence[SentRow]) -> None:
        """Raises DeliveryError if the receiver refuses the batch for good."""
        head = f'{{"type": "topicrawl.rows", "table": {json.dumps(self._table)}, "rows": ['.encode()
        body = head + b",".join(row.line.strip() for row in rows) + b"]}"
        until_taken(lambda: self._post(body))

    def _post(self, body: bytes) -> None:
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
            raise NotNowError(str(error)) from None
        if answer.status in (408, 425, 429) or answer.status >= 500:
            raise NotNowError(f"{urlsplit(self._url).hostname} answers with status {answer.status}", answer.wait)
        if not 200 <= answer.status < 300:
            raise DeliveryError(f"the receiver refuses the rows with status {answer.status}")

    def close(self) -> None:
        """Nothing is open."""
