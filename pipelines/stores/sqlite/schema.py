"""The SQLite schema, kept equal to what the tables declare.

Declared tables, columns and indexes are added. Any other change is a step in `STEPS`; each step is done once, in order,
and `PRAGMA user_version` counts them.
"""

import sqlite3
from collections.abc import Callable, Iterable

from pipelines.stores.base import Table

STEPS: tuple[Callable[[sqlite3.Connection], None], ...] = ()
_TYPES = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "blob": "BLOB", "json": "TEXT", "packed": "BLOB"}


def migrate(database: sqlite3.Connection, tables: Iterable[Table]) -> None:
    """Bring the database to the present schema; sqlite3.DatabaseError if it was written by a newer version."""
    database.execute("BEGIN IMMEDIATE")
    done = int(database.execute("PRAGMA user_version").fetchone()[0])
    if done > len(STEPS) + 1:
        database.execute("ROLLBACK")
        raise sqlite3.DatabaseError(f"its schema is version {done}, made by a newer topicrawl")
    for step in STEPS[max(0, done - 1) :] if done else ():
        step(database)
    for table in tables:
        _add_table(database, table)
    database.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
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
