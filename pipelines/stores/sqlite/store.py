"""The embedded store: one SQLite file in WAL mode, written by one thread in groups."""

import json
import logging
import queue
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.stores.base import Column, Condition, MutableRow, Order, Row, StoreAwayError, StoreError, Table
from pipelines.stores.sqlite.readers import Readers
from pipelines.stores.sqlite.writing import (
    SqliteWrite,
    Statement,
    connect,
    explained,
    give_back,
    migrate,
    probe,
    write_group,
)
from pipelines.stores.values import pack, read_json, read_packed, storable

logger = logging.getLogger(__name__)
GROUP_SECONDS, _BUSY_GROUP_SECONDS = 0.05, 0.1
"""Writes that come within this time share one commit; the longer time applies while writes follow each other closely, since they
often change the same pages of the file."""
_GROUP_ROWS = 5_000
_PENDING_GROUPS = 2_000
_LOCK_SECONDS = 30.0
_PROBE_SECONDS = 2.0
"""Interval of checks whether the file can be written again."""
_READER_CACHE_KILOBYTES = 2_000
"""Kilobytes. Rows are read by key, and rarely twice."""
_OPERATORS = {operator: f"{{}} {operator} ?" for operator in ("=", "!=", "<", "<=", ">", ">=")} | {
    "contains": "instr({}, ?) > 0",
    "in": "{} IN (SELECT value FROM json_each(?))",
}


class SqliteStore:
    """A store in one file; several processes may share it.

    Raises:
        StoreError: the file cannot be opened, is damaged, or was written by a newer version.
    """

    def __init__(self, path: str | Path, tables: Iterable[Table], *, lock_seconds: float = _LOCK_SECONDS) -> None:
        self.path = Path(path)
        self._lock_seconds = lock_seconds
        self._away = False
        self._latest_writes = 0
        self._upserts: dict[tuple[str, tuple[str, ...]], Upsert] = {}
        self._gets: dict[str, str] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._readers = Readers(lambda: connect(self.path, lock_seconds, cache=_READER_CACHE_KILOBYTES))
            with closing(connect(self.path, lock_seconds)) as connection:
                migrate(connection, tables)
        except (sqlite3.Error, OSError) as error:
            raise explained(error, self.path) from error
        self._writes: queue.Queue[SqliteWrite | None] = queue.Queue(_PENDING_GROUPS)
        self._thread = threading.Thread(target=self._write_groups, name="store", daemon=True)
        self._thread.start()

    @property
    def location(self) -> str:
        return str(self.path)

    @property
    def away(self) -> bool:
        """See `Store.away`: true while the disk is full, or while another program locks the file."""
        return self._away

    def upsert(self, table: Table, rows: Sequence[Row]) -> Future[None]:
        return self.write([(table, row) for row in rows])

    def write(self, rows: Sequence[tuple[Table, Row]]) -> Future[None]:
        """See `Store.write`; stores all rows or none."""
        groups: dict[tuple[str, tuple[str, ...]], list[tuple[Any, ...]]] = defaultdict(list)
        for table, row in rows:
            names = table.name, tuple(row)
            upsert = self._upserts.get(names) or self._upsert(table, names)
            groups[names].append(upsert.values(row.values()))
        return self._put([(self._upserts[names].statement, values) for names, values in groups.items()])

    def change(self, table: Table, where: Sequence[Condition], values: Row) -> Future[None]:
        clause, compared = _where(table, where)
        columns = [table.column(name) for name in values]
        given = [_to_sqlite(column, values[column.name]) for column in columns]
        changes = ", ".join(f"{column.name} = ?" for column in columns)
        statement = Statement(table.name, f"UPDATE {table.name} SET {changes}{clause}")
        return self._put([(statement, [(*given, *compared)])])

    def remove(self, table: Table, where: Sequence[Condition]) -> Future[None]:
        clause, compared = _where(table, where)
        return self._put([(Statement(table.name, f"DELETE FROM {table.name}{clause}"), [tuple(compared)])])

    def _put(self, statements: list[tuple[Statement, list[tuple[Any, ...]]]]) -> Future[None]:
        write = SqliteWrite(statements, Future())
        self._writes.put(write)
        return write.done

    def _upsert(self, table: Table, names: tuple[str, tuple[str, ...]]) -> "Upsert":
        columns = [table.column(name) for name in names[1]]
        changes = ", ".join(_change(column) for column in columns if column.name not in table.key)
        text = f"INSERT INTO {table.name} AS stored ({', '.join(names[1])}) VALUES "
        action = f"UPDATE SET {changes}" if changes else "NOTHING"
        end = f" ON CONFLICT ({', '.join(table.key)}) DO {action}"
        statement = Statement(table.name, text, f"({', '.join('?' * len(columns))})", end)
        upsert = self._upserts[names] = Upsert(statement, tuple(columns))
        return upsert

    def get(self, table: Table, *key: Any) -> MutableRow | None:
        statement = self._gets.get(table.name)
        if statement is None:
            names, keys = ", ".join(table.by_name), " AND ".join(f"{name} = ?" for name in table.key)
            statement = self._gets[table.name] = f"SELECT {names} FROM {table.name} WHERE {keys} LIMIT 1"
        values = [_to_sqlite(table.column(name), value) for name, value in zip(table.key, key, strict=True)]
        for row in self._read(statement, values):
            return {column.name: _from_sqlite(column, value) for column, value in zip(table.columns, row, strict=True)}
        return None

    def select(
        self,
        table: Table,
        where: Sequence[Condition] = (),
        order: Sequence[Order] = (),
        limit: int = 0,
        columns: Sequence[str] = (),
    ) -> Iterator[MutableRow]:
        wanted = [table.column(name) for name in columns] if columns else list(table.columns)
        clause, values = _where(table, where)
        sort = ", ".join(table.column(by.column).name + (" DESC" if by.descending else "") for by in order)
        statement = f"SELECT {', '.join(column.name for column in wanted)} FROM {table.name}{clause}"
        statement += f" ORDER BY {sort}" if sort else ""
        statement += f" LIMIT {int(limit)}" if limit else ""
        for row in self._read(statement, values):
            yield {column.name: _from_sqlite(column, value) for column, value in zip(wanted, row, strict=True)}

    def count(self, table: Table, where: Sequence[Condition] = (), limit: int = 0) -> int:
        clause, values = _where(table, where)
        rows = f"(SELECT 1 FROM {table.name}{clause} LIMIT {int(limit)})" if limit else f"{table.name}{clause}"
        return int(next(iter(self._read(f"SELECT COUNT(*) FROM {rows}", values)))[0])

    def give_back(self) -> str:
        try:
            with closing(connect(self.path, self._lock_seconds)) as connection:
                give_back(connection)
        except sqlite3.Error as error:
            raise explained(error, self.path) from error
        return ""

    def close(self) -> None:
        if self._thread.is_alive():
            self._writes.put(None)
            self._thread.join()
        self._readers.close()

    def _read(self, statement: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._readers.rows(statement, values)
        except sqlite3.Error as error:
            raise explained(error, self.path) from error

    # -- the writing thread -----------------------------------------------------------------------------------------

    def _write_groups(self) -> None:
        with closing(connect(self.path, self._lock_seconds)) as writer:
            while (group := self._next_group(writer)) is not None:
                self._note(write_group(writer, group, self.path))

    def _note(self, error: StoreError | None) -> None:
        """Note whether the last write succeeded; log only a change."""
        away = isinstance(error, StoreAwayError)
        if away != self._away:
            self._away = away
            logger.log(logging.WARNING if away else logging.INFO, "%s", error or f"{self.path} can be written again")

    def _first(self, writer: sqlite3.Connection) -> SqliteWrite | None:
        """The next write; while the file cannot be written, probe it regularly."""
        while self._away:
            try:
                return self._writes.get(timeout=_PROBE_SECONDS)
            except queue.Empty:
                self._note(probe(writer, self.path))
        return self._writes.get()

    def _next_group(self, writer: sqlite3.Connection) -> list[SqliteWrite] | None:
        """The writes since the last commit, at least one; None at the end."""
        first = self._first(writer)
        if first is None:
            return None
        group, rows = [first], first.rows
        deadline = threading.Event()
        if first.statements:
            deadline.wait(_BUSY_GROUP_SECONDS if self._latest_writes > 1 else GROUP_SECONDS)
        while rows < _GROUP_ROWS:
            try:
                write = self._writes.get_nowait()
            except queue.Empty:
                break
            if write is None:
                self._writes.put(None)
                break
            group.append(write)
            rows += write.rows
        self._latest_writes = len(group)
        return group


@dataclass(frozen=True, slots=True)
class Upsert:
    """The statement for rows with these columns."""

    statement: Statement
    columns: tuple[Column, ...]

    def values(self, given: Iterable[Any]) -> tuple[Any, ...]:
        """Values in SQLite's types; most need no conversion, and cost no call."""
        return tuple(
            [
                value
                if value is None or (type(value) is str and value.isascii() and column.kind == "text")
                else _to_sqlite(column, value)
                for column, value in zip(self.columns, given, strict=True)
            ]
        )


def _change(column: Column) -> str:
    value = f"COALESCE(stored.{column.name}, excluded.{column.name})" if column.first else f"excluded.{column.name}"
    return f"{column.name} = {value}"


def _where(table: Table, conditions: Sequence[Condition]) -> tuple[str, list[Any]]:
    parts = [_comparison(table, condition) for condition in conditions]
    given = [condition for condition in conditions if not _is_missing(condition)]
    values = [_compared(table.column(condition.column), condition) for condition in given]
    return (f" WHERE {' AND '.join(parts)}" if parts else ""), values


def _comparison(table: Table, condition: Condition) -> str:
    name = table.column(condition.column).name
    return f"{name} IS NULL" if _is_missing(condition) else _OPERATORS[condition.operator].format(name)


def _compared(column: Column, condition: Condition) -> Any:
    if condition.operator == "in":
        return json.dumps([_to_sqlite(column, value) for value in condition.value], ensure_ascii=False)
    return _to_sqlite(column, condition.value)


def _is_missing(condition: Condition) -> bool:
    return condition.value is None and condition.operator == "="


def _to_sqlite(column: Column, value: Any) -> Any:
    if column.kind not in ("json", "packed") or value is None:
        return storable(value)
    text = json.dumps(storable(value) if column.kind == "json" else value, ensure_ascii=False)
    return text if column.kind == "json" else pack(text)


def _from_sqlite(column: Column, value: Any) -> Any:
    if value is None or column.kind not in ("json", "packed"):
        return value
    return read_json(value) if column.kind == "json" else read_packed(value)
