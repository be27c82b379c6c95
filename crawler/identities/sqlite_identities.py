"""Identities of one machine, in a file readable only by its owner."""

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from crawler.clock import steady_time
from crawler.identities.base import (
    TURN_SECONDS,
    Backoff,
    Busy,
    IdentityError,
    Key,
    NewerSession,
    PlainCookie,
    Session,
    Turn,
)

_VERSION = 1
_CLOCK_SLACK_SECONDS = 60.0
"""Tolerance for different clocks of two processes."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    site TEXT NOT NULL, identity TEXT NOT NULL, generation INTEGER NOT NULL DEFAULT 0, cookies TEXT NOT NULL DEFAULT '[]',
    "check" TEXT NOT NULL DEFAULT '', form_tells INTEGER NOT NULL DEFAULT 1, since REAL NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, rests_until REAL NOT NULL DEFAULT 0, said TEXT NOT NULL DEFAULT '',
    fence INTEGER NOT NULL DEFAULT 0, busy_until REAL NOT NULL DEFAULT 0, PRIMARY KEY (site, identity)) WITHOUT ROWID;
"""
_NAMES = tuple(field.name for field in fields(Session))
_COLUMNS = ", ".join(f'"{name}"' for name in _NAMES)


class SqliteIdentities:
    """See `IdentityStore`.

    Args:
        path: created with mode 0600 if missing; raises IdentityError if unusable.
        max_backoff: maximum wait in seconds; a longer stored one results from a clock that was set back, and is ignored.
        clock: seconds since the epoch.
    """

    def __init__(self, path: Path, max_backoff: float = 86_400.0, clock: Callable[[], float] = steady_time) -> None:
        self._path, self._max_backoff, self._clock = path, max_backoff, clock
        self._lock = threading.Lock()
        with self._translated_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._database = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
            if self._database.execute("PRAGMA user_version").fetchone()[0] > _VERSION:
                raise IdentityError(f"{path} was written by a newer topicrawl. Update, or remove the file.")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.executescript(_SCHEMA)
            self._database.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise IdentityError(
                f"Identities cannot be stored in {self._path}: {error}. Check the free space of the disk and the permissions of "
                "the folder."
            ) from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """The connection, in a transaction."""
        with self._lock, self._translated_errors():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def session(self, key: Key) -> Session:
        with self._lock, self._translated_errors():
            row = self._database.execute(f"SELECT {_COLUMNS} FROM sessions WHERE (site, identity) = (?, ?)", key)
            return _session(row.fetchone())

    def take_turn(self, key: Key, seen: int, *, at_once: bool = False) -> Turn | Busy | NewerSession | Backoff:
        now = self._clock()
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO sessions (site, identity) VALUES (?, ?)", key)
            wanted = "generation, busy_until, rests_until, said"
            row = database.execute(f"SELECT {wanted} FROM sessions WHERE (site, identity) = (?, ?)", key).fetchone()
            generation, busy_until, rests_until, said = row
            if generation not in (0, seen):
                return NewerSession()
            if 0 < busy_until - now <= TURN_SECONDS + _CLOCK_SLACK_SECONDS:
                return Busy(busy_until - now)
            if 0 < rests_until - now <= self._max_backoff + _CLOCK_SLACK_SECONDS and not at_once:
                return Backoff(rests_until - now, said)
            token = database.execute(
                "UPDATE sessions SET fence = fence + 1, busy_until = ? WHERE (site, identity) = (?, ?) RETURNING fence",
                (now + TURN_SECONDS, *key),
            ).fetchone()
            return Turn(token[0])

    def finish(self, key: Key, turn: Turn, session: Session) -> int:
        return self._next_generation(key, session, "AND fence = ?", turn.fence)

    def put(self, key: Key, cookies: tuple[PlainCookie, ...]) -> int:
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO sessions (site, identity) VALUES (?, ?)", key)
            database.execute("UPDATE sessions SET fence = fence + 1 WHERE (site, identity) = (?, ?)", key)
        return self._next_generation(key, Session(cookies=cookies), "")

    def _next_generation(self, key: Key, session: Session, condition: str, *arguments: object) -> int:
        with self._transaction() as database:
            row = database.execute(
                'UPDATE sessions SET generation = generation + 1, cookies = ?, "check" = ?, form_tells = ?, since = ?, '
                "failures = 0, rests_until = 0, said = '', busy_until = 0 "
                f"WHERE (site, identity) = (?, ?) {condition} RETURNING generation",
                (
                    json.dumps(session.cookies, ensure_ascii=False),
                    session.check,
                    session.form_tells,
                    self._clock(),
                    *key,
                    *arguments,
                ),
            ).fetchone()
            return int(row[0]) if row else 0

    def fail(self, key: Key, turn: Turn, said: str, backoff: float) -> None:
        self._end_turn(key, turn, "failures = failures + 1, rests_until = ?, said = ?,", self._clock() + backoff, said)

    def release(self, key: Key, turn: Turn) -> None:
        self._end_turn(key, turn, "")

    def _end_turn(self, key: Key, turn: Turn, changes: str, *values: object) -> None:
        with self._transaction() as database:
            database.execute(
                f"UPDATE sessions SET {changes} busy_until = 0 WHERE (site, identity) = (?, ?) AND fence = ?",
                (*values, *key, turn.fence),
            )

    def keep(self, key: Key, generation: int, cookies: tuple[PlainCookie, ...]) -> bool:
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO sessions (site, identity) VALUES (?, ?)", key)
            changed = database.execute(
                "UPDATE sessions SET cookies = ? WHERE (site, identity, generation) = (?, ?, ?)",
                (json.dumps(cookies, ensure_ascii=False), *key, generation),
            )
            return changed.rowcount > 0

    def close(self) -> None:
        with self._lock:
            self._database.close()


def _session(row: tuple[Any, ...] | None) -> Session:
    if row is None:
        return Session()
    values = dict(zip(_NAMES, row, strict=True))
    return Session(
        **values | {"cookies": tuple(json.loads(values["cookies"])), "form_tells": bool(values["form_tells"])}
    )
