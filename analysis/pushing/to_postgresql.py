"""Rows pushed into a table of PostgreSQL, which has each of them once: the newest."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from analysis.delivery.message import DeliveryError
from analysis.pushing.receiving import NotNowError, SentRow, until_taken
from pipelines.stores.base import Column, StoreError, Table

_TYPES = {"integer": "bigint", "real": "double precision", "json": "jsonb", "packed": "jsonb"}
_PATIENCE: dict[str, Any] = {"connect_timeout": 10, "keepalives_idle": 30, "tcp_user_timeout": 60_000}
_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
"""In JSON; PostgreSQL has no text with it."""


class PostgresReceiver:
    """Upserts batches by the table's key, each in a transaction. The table is made if it is not there.

    `url` is libpq's, with the table's name behind "#" if it is another than here.

    Raises:
        StoreError: a column of the key is not among the columns.
        DeliveryError: the server cannot be reached now, refuses the login, or the table.
    """

    def __init__(self, url: str, table: Table, columns: Sequence[Column], password: str) -> None:
        if missing := set(table.key) - {column.name for column in columns}:
            raise StoreError(f"--columns must have the key of {table.name}: {', '.join(sorted(missing))}")
        self._url, _, name = url.partition("#")
        self._host, self._password = urlsplit(self._url).hostname or "PostgreSQL", password
        self._make = _making(name or table.name, table, columns)
        self._insert = _inserting(name or table.name, table, columns)
        try:
            self._connection = self._connect()
            self._connection.execute(self._make)
        except psycopg.Error as error:
            raise DeliveryError(self._sentence(error)) from None

    def _connect(self) -> psycopg.Connection:
        given = {**_PATIENCE, "password": self._password} if self._password else _PATIENCE
        return psycopg.connect(self._url, autocommit=True, **given)

    def take(self, rows: Sequence[SentRow]) -> None:
        body = _NUL.sub(rb"\1", b"[" + b",".join(row.line for row in rows) + b"]").decode()
        until_taken(lambda: self._write(body))

    def _write(self, body: str) -> None:
        try:
            if self._connection.closed:
                self._connection = self._connect()
            self._connection.execute(self._insert, (body,))
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            self._connection.close()
            raise NotNowError(self._sentence(error)) from None
        except psycopg.Error as error:
            raise DeliveryError(self._sentence(error)) from None

    def _sentence(self, error: psycopg.Error) -> str:
        said = error.diag.message_primary or str(error).strip().partition("\n")[0]
        return f"{self._host}: {said or type(error).__name__}"

    def close(self) -> None:
        self._connection.close()


def _names(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _making(name: str, table: Table, columns: Sequence[Column]) -> sql.Composed:
    fields = [
        sql.SQL("{} {}").format(sql.Identifier(column.name), sql.SQL(_TYPES.get(column.kind, "text")))
        for column in columns
    ]
    return sql.SQL("CREATE TABLE IF NOT EXISTS {} ({}, PRIMARY KEY ({}))").format(
        sql.Identifier(*name.split(".")), sql.SQL(", ").join(fields), _names(table.key)
    )


def _inserting(name: str, table: Table, columns: Sequence[Column]) -> sql.Composed:
    """The table's own types are those that the values are read as."""
    names, place = [column.name for column in columns], sql.Identifier(*name.split("."))
    changes = sql.SQL(", ").join(
        sql.SQL("{0} = EXCLUDED.{0}").format(sql.Identifier(each)) for each in names if each not in table.key
    )
    return sql.SQL(
        "INSERT INTO {place} ({names}) SELECT {names} FROM jsonb_populate_recordset(NULL::{place}, %s::jsonb) "
        "ON CONFLICT ({key}) DO {change}"
    ).format(
        place=place,
        names=_names(names),
        key=_names(table.key),
        change=sql.SQL("UPDATE SET ") + changes if len(names) > len(table.key) else sql.SQL("NOTHING"),
    )
