"""A log of titles: every node reads the same titles in the same order.

One node keeps it in a file; several share a Redis Stream. A snapshot holds what was applied, in segments of which a new one
is added now and then (`pipelines.titles.chain`), and the log that they cover is cut off.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Protocol

import msgpack

from pipelines.stores.base import StoreAwayError, StoreBrokenError
from pipelines.stores.sqlite.writing import explained
from pipelines.titles.chain import Kept, Segment, Span, with_spans

BATCH = 1_000
"""Entries of one reading."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page's title: the page's key, its title, host, the site's name, day (since 1970, 0 if unknown).

    Where nodes divide the search also the title without its ending and the terms of that, as far as was known when it was entered.
    """

    key: str
    title: str
    host: str = ""
    source: str = ""
    day: int = 0
    clean: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A replica's state as the bytes of its segments, and the place of the last entry that it contains."""

    place: str
    parts: tuple[bytes, ...]


class LogGapError(Exception):
    """The log has no such place, since it was cut off or has lost its end: start again from the snapshot."""


class TitleLog(Protocol):
    """What both logs do. `start` is a place before every entry."""

    start: str

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

    def spans(self) -> list[Span]:
        """Those of its segments, in order."""

    def parts(self, spans: Sequence[Span]) -> list[bytes] | None:
        """The bytes of these segments; None if one is gone."""

    def keep(self, segments: Sequence[Segment]) -> Kept:
        """Keep these segments, each from the end of the one before, where they fit (`with_spans`), and cut off the log that they
        cover; all or none."""

    def replace(self, segments: Sequence[Segment]) -> None:
        """Keep these segments alone."""

    def close(self) -> None:
        """Close the file or the connection."""


def pack(entry: Entry) -> bytes:
    packed: bytes = msgpack.packb(astuple(entry)[: None if entry.terms else 5])
    return packed


def unpack(data: bytes) -> Entry:
    key, title, host, source, day, *more = msgpack.unpackb(data, max_str_len=100_000)
    clean, terms = more or ("", ())
    return Entry(str(key), str(title), str(host), str(source), int(day), str(clean), tuple(terms))


_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS log (place INTEGER PRIMARY KEY AUTOINCREMENT, entry BLOB);
CREATE TABLE IF NOT EXISTS snapshot (one INTEGER PRIMARY KEY, place TEXT, data BLOB);
CREATE TABLE IF NOT EXISTS segments (number INTEGER PRIMARY KEY, "begin" TEXT, "end" TEXT, size INTEGER, data BLOB);
BEGIN IMMEDIATE;
INSERT INTO segments SELECT 0, '', CASE place WHEN '' THEN '0' ELSE place END, LENGTH(data), data FROM snapshot;
DELETE FROM snapshot;
COMMIT;
"""
"""`snapshot` is that of an earlier version: it becomes the first segment."""


def _order(place: str) -> int:
    return int(place or 0)


@dataclass(frozen=True, slots=True)
class _Latest:
    """The entries that were added last, their places, and the number of changes by other programs at that time."""

    places: range
    entries: tuple[Entry, ...]
    changes: int

    def follows(self, place: str) -> bool:
        """Whether these are all that is in the log after a place."""
        return bool(self.places) and self.places[0] - 1 <= _order(place) <= self.places[-1]

    def after(self, place: str) -> list[tuple[str, Entry]]:
        start = _order(place) + 1 - self.places[0]
        return list(zip(map(str, self.places[start:]), self.entries[start:], strict=True))


class FileLog:
    """For one node: a file of SQLite; each append survives a kill of the process.

    Each method raises StoreAwayError if the file cannot be used now, StoreBrokenError if it is damaged.
    """

    start = "0"

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._lock = threading.RLock()  # segments come from another thread than entries
        self._latest: _Latest | None = None
        with self._explained():
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
            self._file.executescript(_SCHEMA)

    def check_config(self, config: str, *, replace: bool = False) -> None:
        """See `TitleLog.check_config`; no other node uses the file."""

    def append(self, entries: Sequence[Entry], behind: str = "") -> list[str]:
        """See `TitleLog.append`; no place gets lost while the file is open."""
        with self._explained():
            if len(entries) <= BATCH:
                changes = self._changes()  # before, so that a change by another program in between is seen later
                numbers = self._insert(entries)
                self._latest = _Latest(numbers, tuple(entries), changes)
                return list(map(str, numbers))
        with self._transaction():
            self._latest = None
            parts = [self._insert(entries[start : start + BATCH]) for start in range(0, len(entries), BATCH)]
        return [str(number) for part in parts for number in part]

    def _insert(self, entries: Sequence[Entry]) -> range:
        """In one statement, so that their places follow each other and all are there or none."""
        if not entries:
            return range(0)
        rows = ", ".join(["(?)"] * len(entries))
        last = self._file.execute(f"INSERT INTO log (entry) VALUES {rows}", list(map(pack, entries))).lastrowid or 0
        return range(last - len(entries) + 1, last + 1)

    def _changes(self) -> int:
        """Another number after each change by another program."""
        return int(self._file.execute("PRAGMA data_version").fetchone()[0])

    def read(self, place: str) -> list[tuple[str, Entry]]:
        with self._explained():
            latest = self._latest
            if latest and latest.follows(place) and latest.changes == self._changes():
                return latest.after(place)
            kept = self._file.execute('SELECT "end" FROM segments ORDER BY number DESC LIMIT 1').fetchone()
            if kept is not None and _order(kept[0]) > _order(place):
                raise LogGapError
            query = "SELECT place, entry FROM log WHERE place > ? ORDER BY place LIMIT ?"
            rows = self._file.execute(query, (_order(place), BATCH)).fetchall()
        return [(str(number), unpack(data)) for number, data in rows]

    def lost(self, places: Sequence[str]) -> set[str]:
        """See `TitleLog.lost`; none gets lost while the file is open."""
        return set()

    def snapshot(self) -> Snapshot | None:
        with self._explained():
            rows = self._file.execute('SELECT "end", data FROM segments ORDER BY number').fetchall()
        return Snapshot(rows[-1][0], tuple(data for _, data in rows)) if rows else None

    def spans(self) -> list[Span]:
        with self._explained():
            rows = self._file.execute('SELECT "begin", "end", size FROM segments ORDER BY number').fetchall()
        return [Span(*row) for row in rows]

    def parts(self, spans: Sequence[Span]) -> list[bytes] | None:
        with self._explained():
            query = 'SELECT data FROM segments WHERE "begin" = ? AND "end" = ?'
            rows = [self._file.execute(query, (span.begin, span.end)).fetchone() for span in spans]
        return None if None in rows else [bytes(row[0]) for row in rows]

    def keep(self, segments: Sequence[Segment]) -> Kept:
        with self._transaction():
            chain = self.spans()
            said, new, old = with_spans(chain, [segment.span for segment in segments], _order)
            if said == "kept":
                at = new.index(segments[0].span)
                self._write(at, at + len(old), segments)
        return said

    def replace(self, segments: Sequence[Segment]) -> None:
        with self._transaction():
            self._write(0, len(self.spans()), segments)

    def _write(self, first: int, last: int, segments: Sequence[Segment]) -> None:
        """Put these in the place of the segments from `first` to `last`: of fewer, or at the end."""
        self._latest = None
        numbers = [row[0] for row in self._file.execute("SELECT number FROM segments ORDER BY number")]
        self._file.executemany("DELETE FROM segments WHERE number = ?", [(number,) for number in numbers[first:last]])
        start = numbers[first - 1] + 1 if first else 0
        rows = [(at, each.begin, each.end, len(each.data), each.data) for at, each in enumerate(segments, start)]
        self._file.executemany("INSERT INTO segments VALUES (?, ?, ?, ?, ?)", rows)
        if last == len(numbers):
            self._file.execute("DELETE FROM log WHERE place <= ?", (_order(segments[-1].end),))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Committed whole or not at all."""
        with self._lock, self._explained():
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
            with self._lock:
                yield
        except sqlite3.Error as error:
            known = explained(error, self._path)
            if isinstance(known, StoreAwayError):
                raise known from error
            remedy = "It is the log of titles: when it is moved away, `scrapy titles rebuild` makes it from the store."
            raise StoreBrokenError(f"{known} {remedy}") from error

    def close(self) -> None:
        self._file.close()
