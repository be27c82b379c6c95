"""The embedded frontier's file: its lock, its tables."""

import fcntl
import sqlite3
from pathlib import Path
from typing import IO

from crawler.frontier.base import FrontierError, FrontierInUseError

_SCHEMA_VERSION = 2
QUEUED, LEASED, DEAD, DELAYED = range(4)
"""States of a request; a delayed one has failed and waits for its next attempt."""
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, host TEXT NOT NULL, priority INTEGER NOT NULL,
    payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT {QUEUED}, attempt INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', since REAL NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC, id) WHERE state = {QUEUED};
CREATE INDEX IF NOT EXISTS waiting ON requests (key) WHERE state = {QUEUED};
CREATE INDEX IF NOT EXISTS due ON requests (state, due) WHERE state IN ({LEASED}, {DELAYED});
CREATE INDEX IF NOT EXISTS dead ON requests (host) WHERE state = {DEAD};
CREATE TABLE IF NOT EXISTS seen (key INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def take_lock(path: Path) -> IO[str]:
    """The right to crawl with this file, held until the result is closed or its process ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = open(f"{path}.lock", "w", encoding="ascii")  # noqa: SIM115  # held as long as the frontier is open
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise FrontierInUseError(
            f"Another process is crawling with {path}. Wait for it, stop it, or give this crawl a name of its own with "
            "-a crawl=NAME."
        ) from error
    return lock


def open_database(path: Path, crawl: str) -> sqlite3.Connection:
    """The file with its tables and the name of its crawl; FrontierError if it is damaged, newer, or cannot be written."""
    try:
        database = sqlite3.connect(path, isolation_level=None, timeout=10)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -8000")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > _SCHEMA_VERSION:
            raise FrontierError(f"{path} was written by a newer topicrawl. Update, or remove the file.")
        database.executescript(_SCHEMA)
        if crawl:
            database.execute("INSERT OR IGNORE INTO about VALUES ('crawl', ?)", (crawl,))
        if version < _SCHEMA_VERSION:
            database.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
    except sqlite3.Error as error:
        raise FrontierError(
            f"The frontier {path} cannot be opened: {error}. Check that the disk has room and that the folder can be "
            "written; remove the file to start afresh."
        ) from error
    return database
