"""A log of titles: every node reads the same titles in the same order.

One node keeps it in a file; several share a Redis Stream. A snapshot holds what was applied, and the log before it is
cut off.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Protocol

import msgpack

from pipelines.stores.base import StoreAwayError, StoreBrokenError
from pipelines.stores.sqlite.writing import explained

BATCH = 1_000
"""Entries of one reading."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page's title: the page's key, its title, host, the site's name, day (since 1970, 0 if unknown)."""

    key: str
    title: str
    host: str = ""
    source: str = ""
    day: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A replica's state, and the place of the last entry that it contains."""

    place: str
    data: bytes


class LogGapError(Exception):
    """The log has no such place, since it was cut off or has lost its end: start again from the snapshot."""


class TitleLog(Protocol):
    """What both logs do."""

    def check_config(self, config: str, *, replace: bool = False) -> None:
        """ValueError if other nodes of the log have another configuration (`Replica.config`).

        With `replace` this becomes the configuration of all.
        """

    def append(self, entries: Sequence[Entry], behind: str = "") -> list[str]:
        """Add them at the end; returns their places. If the place `behind` is gone, LogGapError, and nothing is added."""

    def read(self, place: str) -> list[tuple[str, Entry]]:
        """The next entries after this place ("": from the beginning), in order; LogGapError if they are gone."""

    def lost(self, places: Sequence[str]) -> set[str]:
        """Those of the places that are gone although no snapshot covers them: the server has lost them."""

    def snapshot(self) -> Snapshot | None:
        """The latest one."""

    def keep(self, snapshot: Snapshot) -> None:
        """Keep this snapshot, unless there is a later one, and cut off the log that it covers."""

    def close(self) -> None:
        """Close the file or the connection."""


def pack(entry: Entry) -> bytes:
    packed: bytes = msgpack.packb(astuple(entry))
    return packed


def unpack(data: bytes) -> Entry:
    key, title, host, source, day = msgpack.unpackb(data, max_str_len=100_000)
    return Entry(str(key), str(title), str(host), str(source), int(day))


class FileLog:
    """For one node: a file of SQLite; each append survives a kill of the process.

    Each method raises StoreAwayError if the file cannot be used now, StoreBrokenError if it is damaged.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        with self._explained():
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY AUTOINCREMENT, entry BLOB)")
            self._file.execute("CREATE TABLE IF NOT EXISTS snapshot (one INTEGER PRIMARY KEY, place TEXT, data BLOB)")

    def check_config(self, config: str, *, replace: bool = False) -> None:
        """See `TitleLog.check_config`; no other node uses the file."""

    def append(self, entries: Sequence[Entry], behind: str = "") -> list[str]:
        """See `TitleLog.append`; no place gets lost while the file is open."""
        insert = "INSERT INTO log (entry) VALUES (?)"
        with self._transaction():
            return [str(self._file.execute(insert, (pack(entry),)).lastrowid) for entry in entries]

    def read(self, place: str) -> list[tuple[str, Entry]]:
        with self._explained():
            kept = self._file.execute("SELECT place FROM snapshot").fetchone()
            if kept is not None and int(kept[0] or 0) > int(place or 0):
                raise LogGapError
            query = "SELECT place, entry FROM log WHERE place > ? ORDER BY place LIMIT ?"
            rows = self._file.execute(query, (int(place or 0), BATCH)).fetchall()
        return [(str(number), unpack(data)) for number, data in rows]

    def lost(self, places: Sequence[str]) -> set[str]:
        """See `TitleLog.lost`; none gets lost while the file is open."""
        return set()

    def snapshot(self) -> Snapshot | None:
        with self._explained():
            row = self._file.execute("SELECT place, data FROM snapshot").fetchone()
        return Snapshot(str(row[0]), bytes(row[1])) if row else None

    def keep(self, snapshot: Snapshot) -> None:
        with self._transaction():
            kept = self._file.execute("SELECT place FROM snapshot").fetchone()
            if kept is None or int(kept[0] or 0) <= int(snapshot.place or 0):
                self._file.execute("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?)", (snapshot.place, snapshot.data))
                self._file.execute("DELETE FROM log WHERE place <= ?", (int(snapshot.place or 0),))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Committed whole or not at all."""
        with self._explained():
            try:
                self._file.execute("BEGIN IMMEDIATE")
                yield
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            known = explained(error, self._path)
            if isinstance(known, StoreAwayError):
                raise known from error
            remedy = "It is the log of titles: when it is moved away, `scrapy titles rebuild` makes it from the store."
            raise StoreBrokenError(f"{known} {remedy}") from error

    def close(self) -> None:
        self._file.close()
