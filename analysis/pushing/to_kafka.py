"""Rows pushed to a topic of Kafka, as JSON under their keys; all replicas in sync have them before the place moves."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from confluent_kafka import KafkaError, KafkaException, Message, Producer

from analysis.delivery.message import DeliveryError
from analysis.pushing.receiving import NotNowError, SentRow, until_taken

_SECONDS = 10.0
_CHOICES = ("security.protocol", "sasl.mechanism", "ssl.ca.location")
_LATER = {KafkaError._MSG_TIMED_OUT, KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN, KafkaError._TIMED_OUT}
_PRODUCER: dict[str, Any] = {
    "acks": "all",
    "compression.type": "zstd",
    "message.max.bytes": 16_000_000,  # what a topic takes is the broker's to say
    "message.timeout.ms": 30_000,
    "log_level": 0,
}


class KafkaReceiver:
    """kafka://HOST:PORT,HOST:PORT/TOPIC; the topic is the table's name if none is given.

    Raises:
        DeliveryError: the address is wrong, no broker can be reached now, or they refuse the login.
    """

    def __init__(self, url: str, table: str, password: str) -> None:
        parts = urlsplit(url)
        login, _, hosts = parts.netloc.rpartition("@")
        self._host, self._topic = hosts, parts.path.strip("/") or table
        self._fault: KafkaError | None = None
        try:
            settings = _settings(login, hosts, parts.query, password)
            self._producer = Producer({**settings, "error_cb": self._note})
        except KafkaException as error:
            raise DeliveryError(f"the address is refused: {error.args[0].str()}") from None
        try:
            self._producer.list_topics(self._topic, timeout=_SECONDS)
        except KafkaException as error:
            raise DeliveryError(f"{hosts}: {self._why(error.args[0])}") from None

    def _why(self, error: KafkaError) -> str:
        """The error that a connection failed with, if one did."""
        self._producer.poll(0)
        return (self._fault or error).str()

    def _note(self, error: KafkaError) -> None:
        if error.code() != KafkaError._ALL_BROKERS_DOWN:  # follows what says why
            self._fault = error

    def take(self, rows: Sequence[SentRow]) -> None:
        waiting = {number: (_key(row), row.line.strip()) for number, row in enumerate(rows)}
        until_taken(lambda: self._send(waiting))

    def _send(self, waiting: dict[int, tuple[bytes, bytes]]) -> None:
        """Send what waits; what is taken waits no more."""
        errors: list[KafkaError] = []

        def seen(number: int, failure: KafkaError | None, _: Message) -> None:
            if failure is None:
                del waiting[number]
            else:
                errors.append(failure)

        try:
            for number, (key, line) in list(waiting.items()):
                self._producer.produce(self._topic, line, key, on_delivery=partial(seen, number))
        except KafkaException as refused:
            errors.append(refused.args[0])
        while self._producer.flush(1.0):
            pass
        for each in errors:
            if not each.retriable() and each.code() not in _LATER:
                raise DeliveryError(f"{self._host}, topic {self._topic}: {each.str()}")
        if errors:
            raise NotNowError(f"{self._host}: {self._why(errors[0])}")

    def close(self) -> None:
        self._producer.purge()


def _settings(login: str, hosts: str, query: str, password: str) -> dict[str, Any]:
    if not hosts:
        raise DeliveryError("the address has no host: kafka://HOST:PORT/TOPIC")
    chosen = dict(parse_qsl(query))
    if unknown := set(chosen) - set(_CHOICES):
        raise DeliveryError(f"{', '.join(sorted(unknown))} cannot be set in the address; {', '.join(_CHOICES)} can")
    user, _, given = login.partition(":")
    if user:
        chosen = {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", **chosen}
        chosen |= {"sasl.username": unquote(user), "sasl.password": password or unquote(given)}
    return {**_PRODUCER, **chosen, "bootstrap.servers": hosts}


def _key(row: SentRow) -> bytes:
    """The key's value; a JSON list where it is of several columns."""
    text = str(row.key[0]) if len(row.key) == 1 else json.dumps(row.key, ensure_ascii=False)
    return text.encode("utf-8", "replace")
