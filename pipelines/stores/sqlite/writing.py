"""The SQLite file: its schema, which follows the declared tables; writes in groups, each in one transaction; errors with remedies.
Missing tables, columns and indexes are added when a file is opened."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from pipelines.stores.base import StoreAwayError, StoreBrokenError, StoreError, Table

_VACUUM_PAGES = 2_000
_STATEMENT_ROWS = 32
"""Most rows of one statement; halved for the remainder, so that few statements have to be prepared."""
_MAX_PREPARED_STATEMENTS = 256
SCHEMA_VERSION = 1
Values = tuple[Any, ...]
_TYPES = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "blob": "BLOB", "json": "TEXT", "packed": "BLOB"}


def migrate(database: sqlite3.Connection, tables: Iterable[Table]) -> None:
    """Upgrade the database to the present schema; sqlite3.DatabaseError if a newer version wrote it."""
    database.execute("BEGIN IMMEDIATE")
    found = int(database.execute("PRAGMA user_version").fetchone()[0])
    if found > SCHEMA_VERSION:
        database.execute("ROLLBACK")
        raise sqlite3.DatabaseError(f"its schema is version {found}, made by a newer topicrawl")
    for table in tables:
        _add_table(database, table)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.execute("COMMIT")


def _add_table(database: sqlite3.Connection, table: Table) -> None:
    columns = ", ".join(f"{column.name} {_TYPES[column.kind]}" for column in table.columns)
    database.execute(f"CREATE TABLE IF NOT EXISTS {table.name} ({columns}, PRIMARY KEY ({', '.join(table.key)}))")
    present = {row[1] for row in database.execute(f"PRAGMA table_info({table.name})")}
    for column in table.columns:
        if column.name not in present:
            database.execute(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {_TYPES[column.kind]}")
    for names in table.indexes:
        database.execute(
            f"CREATE INDEX IF NOT EXISTS {table.name}_{'_'.join(names)} ON {table.name} ({', '.join(names)})"
        )


_PASSING = {
    "is locked": "another program holds it; close that program, and the crawl continues",
    "is full": "free space on the disk, and the crawl continues; stored data is safe",
    "disk I/O error": "check the disk; stored data is safe",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement on one table: `text`; or, for many rows at once, `text`, `row` repeated for each, and `end`."""

    table: str
    text: str
    row: str = ""
    end: str = ""

    def run(self, writer: sqlite3.Connection, rows: Sequence[Values]) -> None:
        """Execute it for each of the rows, in order."""
        place, block = 0, _STATEMENT_ROWS if self.row else 1
        while place < len(rows):
            while block > len(rows) - place:
                block //= 2
            values = rows[place : place + block]
            writer.execute(self._with_rows(block), tuple(chain.from_iterable(values)))
            place += block

    def _with_rows(self, number: int) -> str:
        return f"{self.text}{', '.join([self.row] * number)}{self.end}" if self.row else self.text


@dataclass(slots=True)
class SqliteWrite:
    """Statements with their rows of values, and the caller's future; without statements, the future waits for earlier writes."""

    statements: list[tuple[Statement, list[Values]]]
    done: Future[None]

    @property
    def rows(self) -> int:
        return sum(len(values) for _, values in self.statements)


def write_group(writer: sqlite3.Connection, group: list[SqliteWrite], path: Path) -> StoreError | None:
    """Execute all writes in one transaction; if that fails, each in its own. Returns the last error, if any."""
    group = [write for write in group if write.done.set_running_or_notify_cancel()]
    try:
        _write_all(writer, group)
    except Exception as error:
        known = explained(error, path)
        if not isinstance(known, StoreAwayError):
            return [_write_alone(writer, write, path) for write in group][-1] if group else known
        for write in group:
            write.done.set_exception(known)
        return known
    for write in group:
        write.done.set_result(None)
    return None


def _write_alone(writer: sqlite3.Connection, write: SqliteWrite, path: Path) -> StoreError | None:
    try:
        _write_all(writer, [write])
    except Exception as error:
        known = explained(error, path)
        write.done.set_exception(known)
        return known
    write.done.set_result(None)
    return None


def probe(writer: sqlite3.Connection, path: Path) -> StoreError | None:
    """Write a page of the file unchanged; returns the error if that fails."""
    try:
        writer.execute("BEGIN IMMEDIATE")
        version = int(writer.execute("PRAGMA user_version").fetchone()[0])
        writer.execute(f"PRAGMA user_version = {version}")
        writer.execute("COMMIT")
    except sqlite3.Error as error:
        if writer.in_transaction:
            writer.execute("ROLLBACK")
        return explained(error, path)
    return None


def _write_all(writer: sqlite3.Connection, group: list[SqliteWrite]) -> None:
    writer.execute("BEGIN IMMEDIATE")
    try:
        for statement, rows in _in_few(group):
            statement.run(writer, rows)
        writer.execute("COMMIT")
    except Exception:
        if writer.in_transaction:
            writer.execute("ROLLBACK")
        raise


def _in_few(group: Sequence[SqliteWrite]) -> Iterator[tuple[Statement, list[Values]]]:
    """The statements of all writes; consecutive rows of a table share one.

    Between two statements the interpreter's lock changes hands, which costs as much as a row.
    """
    latest: dict[str, tuple[Statement, list[Values]]] = {}
    for statement, rows in chain.from_iterable(write.statements for write in group):
        before = latest.get(statement.table)
        if before and before[0] == statement:
            before[1].extend(rows)
            continue
        if before:
            yield before
        latest[statement.table] = statement, list(rows)
    yield from latest.values()


def connect(path: Path, lock_seconds: float, *, cache: int = 8_000) -> sqlite3.Connection:
    """A connection that waits this long for a lock; its commits are synced to disk. `cache`: kilobytes of cached pages."""
    is_new = not path.exists()
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        timeout=lock_seconds,
        check_same_thread=False,
        cached_statements=_MAX_PREPARED_STATEMENTS,
    )
    if is_new:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{cache}")
    return connection


def give_back(database: sqlite3.Connection) -> None:
    """See `Store.give_back`; works in small transactions, so that others can write in between."""
    free = int(database.execute("PRAGMA freelist_count").fetchone()[0])
    while free:
        database.execute(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})").fetchall()
        left = int(database.execute("PRAGMA freelist_count").fetchone()[0])
        if left >= free:
            break
        free = left
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def explained(error: Exception, path: Path) -> StoreError:
    text = str(error).rstrip(".")
    for sign, remedy in _PASSING.items():
        if sign in text:
            return StoreAwayError(f"The database {path} cannot be written now: {text}: {remedy}.")
    for sign, remedy in (
        ("malformed", "the file is damaged; move it away and start again, or restore a copy"),
        ("not a database", "this is not a topicrawl database; give another path with -s STORE=sqlite:///PATH"),
        ("unable to open", "check that the folder exists and can be written"),
        ("readonly", "check that the file and its folder can be written"),
        ("newer topicrawl", "update topicrawl, or use another database"),
    ):
        if sign in text:
            return StoreBrokenError(f"The database {path} cannot be used: {text}: {remedy}.")
    of_the_row = (sqlite3.DataError, sqlite3.IntegrityError, sqlite3.ProgrammingError)
    broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, of_the_row)
    return (StoreBrokenError if broken else StoreError)(f"The database {path} cannot be used: {text}.")
