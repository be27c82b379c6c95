"""What the word after `--to` means; what needs a library of its own is loaded only where it is asked for."""

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from analysis.pushing.receiving import FileReceiver, Receiver, WebhookReceiver
from pipelines.stores.base import Column, StoreError, Table

_LOGIN = re.compile(r"(?<=://)[^/@]*@")


def open_receiver(
    address: str, table: Table, columns: Sequence[Column], secret_from: str, *, allow_private: bool
) -> Receiver:
    """The receiver at the path or URL; `secret_from` names the environment variable with its password or key, if it has one.

    Raises:
        StoreError: the variable is not set, or a library is not installed.
        OSError, DeliveryError: it cannot be opened.
    """
    secret = os.environ.get(secret_from, "")
    if secret_from and not secret:
        raise StoreError(f"{secret_from} is not in the environment")
    if "://" not in address:
        return FileReceiver(Path(address))
    scheme = address.partition("://")[0]
    if scheme in ("postgresql", "postgres"):
        return _to_postgresql(address, table, columns, secret)
    if scheme == "kafka":
        return _to_kafka(address, table, secret)
    return WebhookReceiver(address, table.name, secret, allow_private=allow_private)


def _to_postgresql(address: str, table: Table, columns: Sequence[Column], password: str) -> Receiver:
    try:
        from analysis.pushing.to_postgresql import PostgresReceiver
    except ImportError:
        raise StoreError("PostgreSQL needs psycopg: pip install 'topicrawl[postgresql]'") from None
    return PostgresReceiver(address, table, columns, password)


def _to_kafka(address: str, table: Table, password: str) -> Receiver:
    try:
        from analysis.pushing.to_kafka import KafkaReceiver
    except ImportError:
        raise StoreError("Kafka needs confluent-kafka: pip install 'topicrawl[kafka]'") from None
    return KafkaReceiver(address, table.name, password)


def cursor_name(address: str, table: Table) -> str:
    """The file that keeps the place; another password does not change it."""
    identity = "\n".join((_LOGIN.sub("", address), table.name))
    return f"export-{hashlib.sha256(identity.encode()).hexdigest()[:12]}.json"


def without_secrets(address: str) -> str:
    """Scheme and hosts of an address; a path as it is."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if "://" in address else address
