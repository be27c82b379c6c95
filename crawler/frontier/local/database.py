"""The embedded frontier's file: its lock, and the connection to it."""

import fcntl
import sqlite3
from pathlib import Path
from typing import IO

from crawler.frontier.base import FrontierError, FrontierInUseError
from crawler.frontier.local import schema

_WAITING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_MAY_END = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def ends_by_itself(error: sqlite3.Error) -> bool:
    """Whether the file is intact and the error ends once there is space or a lock is released."""
    return _code(error) in _WAITING


def may_end(error: sqlite3.Error) -> bool:
    """Whether the error may be transient, as on a network disk."""
    return _code(error) in _MAY_END


def explained(error: sqlite3.Error, path: Path) -> str:
    """A sentence with the error and its remedy."""
    if ends_by_itself(error):
        return (
            f"The frontier {path} cannot be written: {error}. Make room on its disk, or end the program that locks it."
        )
    if may_end(error):
        return f"The frontier {path} cannot be used: {error}. Check its disk, and that the file and its folder can be written."
    return (
        f"The frontier {path} is damaged: {error}. Move the file away, with those that end in -wal and -shm, then run "
        "`scrapy frontier rebuild` with the arguments of the crawl: it queues the links of the stored pages."
    )


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary error code, without the extended part."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def take_lock(path: Path) -> IO[str]:
    """Lock the file for one crawl, until the result is closed or its process ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = open(f"{path}.lock", "w", encoding="ascii")  # noqa: SIM115  # held as long as the frontier is open
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise FrontierInUseError(
            f"Another process is crawling with {path}. Wait for it, stop it, or give this crawl another name with "
            "-a crawl=NAME."
        ) from error
    return lock


def open_database(path: Path, crawl: str) -> sqlite3.Connection:
    """The file with its tables and the name of its crawl. Raises FrontierError if damaged, newer, or not writable."""
    try:
        database = sqlite3.connect(path, isolation_level=None, timeout=10)
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for a new file; must be the first statement
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA cache_size = -16000")
        database.execute("PRAGMA wal_autocheckpoint = 16000")  # pages, 64 MB; a larger log writes fewer pages twice
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version > schema.VERSION:
            raise FrontierError(f"{path} was written by a newer topicrawl. Update, or remove the file.")
        if version < schema.VERSION:
            schema.prepare(database)
        if crawl:
            database.execute("INSERT OR IGNORE INTO about VALUES ('crawl', ?)", (crawl,))
    except sqlite3.Error as error:
        raise FrontierError(explained(error, path)) from error
    return database
