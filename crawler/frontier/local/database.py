"""The embedded frontier's file: its lock, and the connection to it."""

import fcntl
import sqlite3
from pathlib import Path
from typing import IO

from crawler.frontier.base import FrontierError, FrontierInUseError
from crawler.frontier.local import schema


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
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a new file; it must come before all else
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -8000")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > schema.VERSION:
            raise FrontierError(f"{path} was written by a newer topicrawl. Update, or remove the file.")
        if version < schema.VERSION:
            schema.prepare(database, path)
        if crawl:
            database.execute("INSERT OR IGNORE INTO about VALUES ('crawl', ?)", (crawl,))
    except sqlite3.Error as error:
        raise FrontierError(
            f"The frontier {path} cannot be opened: {error}. Check that the disk has room and that the folder can be "
            "written; remove the file to start afresh."
        ) from error
    return database
