"""Turns of one machine: a SQLite file that its processes share."""

import contextlib
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from crawler.clock import machine_time
from crawler.turns.host_turn import PLACE_SECONDS, PLACE_WAIT_SECONDS, HostTurn

logger = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS turns (host TEXT PRIMARY KEY, free_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (host TEXT, token TEXT, until REAL NOT NULL, PRIMARY KEY (host, token)) WITHOUT ROWID;
"""
_TAKE = """
INSERT INTO turns SELECT :host, :now + :delay
WHERE (SELECT count(*) FROM places WHERE host = :host AND until BETWEEN :now AND :now + :kept) < :places
ON CONFLICT (host) DO UPDATE SET free_at = excluded.free_at WHERE free_at <= :now OR free_at > :now + :longest
"""
_LONGEST_SECONDS = 3_600.0
"""No host is taken for longer: a later moment was stored before the machine started again."""
_BUSY_SECONDS = 0.05
"""Wait for another process that writes; and for a stopped one, between two looks."""
_KEPT_TURNS = 20_000
"""Between two removals of hosts that are free."""


class LocalTurns:
    """See `HostTurns`. A file that is lost costs no more than what it keeps, so nothing is synchronised with the disk.

    Args:
        path: created if missing.
        clock: seconds, the same in all processes.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = machine_time) -> None:
        self._path, self._clock = path, clock
        self._database: sqlite3.Connection | None = None
        self._taken = 0
        self._is_broken = False

    async def take(self, turn: HostTurn) -> float:
        """See `HostTurns`."""
        if self._is_broken:
            return 0.0
        try:
            return self._take(turn)
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                return _BUSY_SECONDS
            return self._give_up(error)
        except (sqlite3.Error, OSError) as error:
            return self._give_up(error)

    def _take(self, turn: HostTurn) -> float:
        database = self._database = self._database or self._open()
        now, delay = self._clock(), min(turn.delay, _LONGEST_SECONDS)
        given = {"host": turn.host, "places": turn.places, "now": now, "delay": delay}
        if database.execute(_TAKE, given | {"kept": PLACE_SECONDS, "longest": _LONGEST_SECONDS}).rowcount:
            database.execute(
                "INSERT OR REPLACE INTO places VALUES (?, ?, ?)", (turn.host, turn.token, now + PLACE_SECONDS)
            )
            self._taken += 1
            if self._taken % _KEPT_TURNS == 0:
                self._remove_old(database, now)
            return 0.0
        row = database.execute("SELECT free_at FROM turns WHERE host = ?", (turn.host,)).fetchone()
        return row[0] - now if row and row[0] > now else PLACE_WAIT_SECONDS

    async def end(self, turn: HostTurn) -> None:
        """See `HostTurns`. A place that cannot be given back is free when its time is over."""
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("DELETE FROM places WHERE host = ? AND token = ?", (turn.host, turn.token))

    def _remove_old(self, database: sqlite3.Connection, now: float) -> None:
        database.execute("DELETE FROM turns WHERE free_at <= ? OR free_at > ?", (now, now + _LONGEST_SECONDS))
        database.execute("DELETE FROM places WHERE until NOT BETWEEN ? AND ?", (now, now + PLACE_SECONDS))

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript(_SCHEMA)
        return database

    def _give_up(self, error: Exception) -> float:
        self._is_broken = True
        logger.warning("%s cannot be used: %s. Other crawls of this machine may ask the same hosts.", self._path, error)
        return 0.0

    def close(self) -> None:
        """See `HostTurns`."""
        database, self._database, self._is_broken = self._database, None, True
        if database is not None:
            with contextlib.suppress(sqlite3.Error):
                database.close()
