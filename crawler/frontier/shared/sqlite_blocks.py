"""Packed parts of long queues in a file, for nodes of one machine."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from crawler.frontier.shared.block_stores import BlockStoreError

_TABLE = """
    CREATE TABLE IF NOT EXISTS blocks (name BLOB PRIMARY KEY, crawl TEXT NOT NULL, packed BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS blocks_crawl ON blocks (crawl);
"""


class SqliteBlocks:
    """Blocks in a file, for nodes of one machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _database(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=10, check_same_thread=False)
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")  # Redis names a block at once, and must find it after a power cut
        database.executescript(_TABLE)
        return database

    def put(self, crawl: str, blocks: Mapping[bytes, bytes]) -> None:
        """See `BlockStore.put`."""
        rows = [(name, crawl, packed) for name, packed in blocks.items()]
        with self._errors():
            self._all("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", rows)

    def get(self, name: bytes) -> bytes | None:
        """See `BlockStore.get`."""
        with self._errors():
            row = self._database.execute("SELECT packed FROM blocks WHERE name = ?", (name,)).fetchone()
        return row and bytes(row[0])

    def drop(self, names: Sequence[bytes]) -> None:
        """See `BlockStore.drop`."""
        with self._errors():
            self._all("DELETE FROM blocks WHERE name = ?", [(name,) for name in names])
            self._database.execute("PRAGMA incremental_vacuum").fetchall()

    def forget(self, crawl: str) -> None:
        """See `BlockStore.forget`."""
        with self._errors():
            self._database.execute("DELETE FROM blocks WHERE crawl = ?", (crawl,))
            self._database.execute("PRAGMA incremental_vacuum").fetchall()

    def close(self) -> None:
        """See `BlockStore.close`."""
        if "_database" in self.__dict__:
            self._database.close()

    def _all(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """In one transaction, or not at all."""
        with self._database:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(statement, rows)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise BlockStoreError(
                f"The packed queues in {self._path} cannot be used: {error}. Check its disk, and that the file can be written"
            ) from error
