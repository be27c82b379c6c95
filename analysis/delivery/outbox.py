"""Pending messages as rows of the store.

A row is claimed before its message is sent and updated after the response. A kill in between leaves it in state "sending": when its
lease expires, another process sends it again with the same key and a note that it may be a duplicate. A message is never lost, and is
sent twice only if the process died between the response and the update.
"""

import base64
import os
import socket
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from analysis.delivery.channels import Channel
from analysis.delivery.message import Attachment, DeliveryError, Message
from analysis.delivery.send import send
from pipelines.stores.alert_tables import ALERT_MESSAGES
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store

_LEASE_SECONDS = 180.0
_FIRST_WAIT_SECONDS, _MAX_WAIT_SECONDS = 30.0, 3_600.0
_MAX_TRIES = 30
"""About a day."""
_BATCH_MESSAGES = 20
_MIN_SECRET_CHARS = 6
Send = Callable[..., str]


class Outbox:
    """Sends messages that are due.

    Args:
        allow_private: whether private addresses may be asked.
        clock: seconds since 1970.
    """

    def __init__(
        self, store: Store, channels: Mapping[str, Channel], *, allow_private: bool, clock: Callable[[], float] = time.time,
        send: Send = send,
    ) -> None:  # fmt: skip
        self._store, self._channels, self._allow_private = store, channels, allow_private
        self._clock, self._send = clock, send
        self._me = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4().hex[:8]}"

    def put(self, message: Message, channel: str, *, alert: str = "", number: int = 0, due: float = 0.0) -> None:
        """Queue a message; a message with a known key, sent or not, is left unchanged."""
        key = f"{message.key}-{channel}"
        if self._store.get(ALERT_MESSAGES, key) is not None:
            return
        row = {
            "key": key, "alert": alert, "channel": channel, "state": "waiting", "title": message.title, "text": message.text,
            "link": message.link, "facts": dict(message.facts), "number": number, "attempts": 0, "unsure": 0, "due": due,
            "until": 0.0, "holder": "", "error": "", "made_at": self._now(), "sent_at": "",
            "files": [[each.name, each.type, base64.b64encode(each.content).decode()] for each in message.files],
        }  # fmt: skip
        self._store.upsert(ALERT_MESSAGES, [row]).result()

    def replace(self, alert: str, before: int) -> None:
        """Drop waiting messages of an alert that are older than this number."""
        where = [Condition("alert", "=", alert), Condition("state", "=", "waiting"), Condition("number", "<", before)]
        self._store.change(ALERT_MESSAGES, where, {"state": "replaced"}).result()

    def deliver(self, seconds: float = 15.0) -> tuple[int, int]:
        """Send due messages for about `seconds` seconds; returns the numbers sent and failed."""
        end, sent, failed = time.monotonic() + seconds, 0, 0
        for row in self._due():
            if time.monotonic() >= end:
                break
            if self._claim(row):
                taken = self._try(row)
                sent, failed = sent + taken, failed + (not taken)
        return sent, failed

    def _due(self) -> list[MutableRow]:
        now = self._clock()
        waiting = [Condition("state", "=", "waiting"), Condition("due", "<=", now)]
        lost = [Condition("state", "=", "sending"), Condition("until", "<=", now)]
        order = [Order("due")]
        return [
            *self._store.select(ALERT_MESSAGES, lost, order, _BATCH_MESSAGES),
            *self._store.select(ALERT_MESSAGES, waiting, order, _BATCH_MESSAGES),
        ]

    def _claim(self, row: Row) -> bool:
        """Claim a message; False if another process has it."""
        where = [Condition(name, "=", row[name]) for name in ("key", "state", "holder", "attempts")]
        values = {
            "state": "sending", "holder": self._me, "until": self._clock() + _LEASE_SECONDS, "attempts": row["attempts"] + 1
        }  # fmt: skip
        self._store.change(ALERT_MESSAGES, where, values).result()
        present = self._store.get(ALERT_MESSAGES, row["key"]) or {}
        return present.get("holder") == self._me and present.get("attempts") == row["attempts"] + 1

    def _try(self, row: Row) -> bool:
        """Send a claimed message and store the outcome."""
        may_have_come = bool(row["unsure"]) or row["state"] == "sending"
        channel = self._channels.get(row["channel"])
        if channel is None:
            self._note(row, state="failed", error=f"the channel {row['channel']} no longer exists")
            return False
        try:
            said = self._send(channel, _message(row, may_have_come), allow_private=self._allow_private)
        except DeliveryError as error:
            self._note_failure(row, channel, error, may_have_come or error.unsure)
            return False
        self._note(row, state="sent", error=_redacted(channel, said), sent_at=self._now(), files=[])
        return True

    def _note_failure(self, row: Row, channel: Channel, error: DeliveryError, unsure: bool) -> None:
        tries = row["attempts"] + 1
        wait = max(min(_MAX_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2 ** (tries - 1)), error.wait)
        state = "failed" if tries >= _MAX_TRIES else "waiting"
        said = _redacted(channel, str(error))
        self._note(row, state=state, error=said, due=self._clock() + wait, unsure=int(unsure), holder="", until=0.0)

    def _note(self, row: Row, **values: object) -> None:
        mine = [Condition("key", "=", row["key"]), Condition("holder", "=", self._me)]
        self._store.change(ALERT_MESSAGES, mine, values).result()

    def _now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="seconds")


def _message(row: Row, again: bool) -> Message:
    files = tuple(Attachment(name, kind, base64.b64decode(content)) for name, kind, content in row["files"] or ())
    return Message(row["key"], row["title"], row["text"], row["link"], row["facts"] or {}, files, again)


def _redacted(channel: Channel, sentence: str) -> str:
    """The text without channel secrets, which a receiver may have echoed."""
    for field in type(channel).model_fields:
        variable = getattr(channel, field)
        if field.endswith("_from") and variable:
            for part in _parts(os.environ.get(variable, "")):
                sentence = sentence.replace(part, "***")
    return sentence[:500]


def _parts(value: str) -> Sequence[str]:
    """The secrets of a channel, including the parts of its URL that may be secret."""
    parts = urlsplit(value) if "://" in value else None
    words = [value] if parts is None else [value, *parts.path.split("/"), *parts.query.replace("&", "=").split("=")]
    return [word for word in words if len(word) >= _MIN_SECRET_CHARS]
