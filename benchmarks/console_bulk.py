"""Many rows into an empty store at once, without the safety of the store's own writes: for stores that benchmarks make."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from pymongo import MongoClient

from pipelines.stores.base import Table
from pipelines.stores.mongo.mongo_documents import Document, fields, identity
from pipelines.stores.opening import open_store
from pipelines.stores.values import pack

Rows = Iterable[tuple[Table, Mapping[str, Any]]]
_GROUP = 100_000
_SAID = 2_000_000
_DOCUMENTS = 10_000
_SAID_DOCUMENTS = 100_000
_FORMS: dict[str, Callable[[Any], Any]] = {
    "json": lambda value: json.dumps(value, ensure_ascii=False),
    "packed": lambda value: pack(json.dumps(value, ensure_ascii=False)),
}


def write_bulk(path: Path, rows: Rows) -> None:
    """Rows with different keys; their indexes are made at the end, as the store declares them."""
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000"):
            database.execute(f"PRAGMA {setting}")
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql != ''").fetchall():
            database.execute(f"DROP INDEX {name}")
        done, left = 0, iter(rows)
        while group := list(islice(left, _GROUP)):
            _insert(database, group)
            done += len(group)
            if done % _SAID == 0:
                print(f"{done:,} rows", file=sys.stderr, flush=True)
    print(f"{done:,} rows; their indexes are made", file=sys.stderr, flush=True)
    open_store(f"sqlite:///{path}").close()


def insert_documents(address: str, rows: Rows) -> None:
    """Rows with different keys, into an empty MongoDB database."""
    open_store(address).close()  # it makes the indexes
    left, done = iter(rows), 0
    with MongoClient[Document](address) as client:
        while group := list(islice(left, _DOCUMENTS)):
            by_table: dict[str, list[Document]] = {}
            for table, row in group:
                by_table.setdefault(table.name, []).append({"_id": identity(table, row)} | fields(table, row))
            for name, documents in by_table.items():
                client.get_default_database()[name].insert_many(documents, ordered=False)
            done += len(group)
            if done % _SAID_DOCUMENTS == 0:
                print(f"{done:,} documents", file=sys.stderr, flush=True)


def _insert(database: sqlite3.Connection, rows: Rows) -> None:
    kept: dict[tuple[str, tuple[str, ...]], list[list[Any]]] = {}
    tables: dict[str, Table] = {}
    for table, row in rows:
        tables[table.name] = table
        kept.setdefault((table.name, tuple(row)), []).append(list(row.values()))
    database.execute("BEGIN")
    for (name, columns), values in kept.items():
        for place, column in enumerate(columns):
            if form := _FORMS.get(tables[name].column(column).kind):
                for row in values:
                    row[place] = form(row[place])
        marks = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", values)
    database.execute("COMMIT")
