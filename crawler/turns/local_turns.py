"""Turns of one machine: a SQLite file that its processes share."""

import contextlib
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from crawler.clock import machine_time

logger = logging.getLogger(__name__)
_SCHEMA = "CREATE TABLE IF NOT EXISTS turns (host TEXT PRIMARY KEY, free_at REAL NOT NULL) WITHOUT ROWID"
_TAKE = """
INSERT INTO turns VALUES (:host, :now + :delay) ON CONFLICT (host) DO UPDATE SET free_at = excluded.free_at
WHERE free_at <= :now OR free_at > :now + :longest
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

    async def take(self, host: str, delay: float) -> float:
        """See `HostTurns`."""
        if self._is_broken:
            return 0.0
        try:
            return self._take(host, min(delay, _LONGEST_SECONDS))
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                return _BUSY_SECONDS
            return self._give_up(error)
        except (sqlite3.Error, OSError) as error:
            return self._give_up(error)

    def _take(self, host: str, delay: float) -> float:
        database = self._database = self._database or self._open()
        now = self._clock()
        given = {"host": host, "now": now, "delay": delay, "longest": _LONGEST_SECONDS}
        if database.execute(_TAKE, given).rowcount:
            self._taken += 1
            if self._taken % _KEPT_TURNS == 0:
                database.execute("DELETE FROM turns WHERE free_at <= ? OR free_at > ?", (now, now + _LONGEST_SECONDS))
            return 0.0
        row = database.execute("SELECT free_at FROM turns WHERE host = ?", (host,)).fetchone()
        return max(0.001, row[0] - now) if row else 0.001

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")
        database.execute(_SCHEMA)
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
