"""The embedded frontier's tables: every statement finds its rows by an index, and counts are kept instead of counted.

A request lies in one of three tables: queued, under way (`leases`), or failed. So the queue's row and its place in the
index, which are cold pages of a large file, change twice in a request's life: when it comes, and when it is given out.
Its key is not there: a seen key names the number of the latest request with it, and numbers are never used again.

A table of hosts has the number of queued requests of each, so that a start costs as much as there are hosts, not requests.
Counts are written in the transaction of what they count: they hold after a kill and after one that was rolled back.
"""

import logging
import sqlite3
from pathlib import Path

logger = logging.getLogger(__name__)
VERSION = 5
QUEUED, LEASED, DEAD, DELAYED, DONE = range(5)
"""States of a request; a delayed one has failed and waits for its next attempt, one that is done has no row."""
_REQUEST = """id INTEGER PRIMARY KEY, host INTEGER NOT NULL, priority INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', payload BLOB NOT NULL"""
REQUESTS = (
    f"CREATE TABLE IF NOT EXISTS requests ({_REQUEST})",
    "CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC)",
)
"""Queued requests; dropped and made anew where all requests are forgotten."""
_TABLES = (
    f"CREATE TABLE IF NOT EXISTS leases ({_REQUEST}, owner TEXT NOT NULL, since REAL NOT NULL, due REAL NOT NULL)",
    f"CREATE TABLE IF NOT EXISTS failed ({_REQUEST}, state INTEGER NOT NULL, since REAL NOT NULL, due REAL NOT NULL)",
    f"CREATE INDEX IF NOT EXISTS delayed ON failed (due) WHERE state = {DELAYED}",
    f"CREATE INDEX IF NOT EXISTS dead ON failed (host) WHERE state = {DEAD}",
    "CREATE TABLE IF NOT EXISTS hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS seen (key INTEGER PRIMARY KEY, request INTEGER) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "INSERT OR IGNORE INTO counters VALUES ('done', 0), ('dead', 0), ('delayed', 0), ('number', 0)",
)
_COLUMNS = "id, host, priority, attempt, reason, payload"
_WITH_HOSTS = (
    "INSERT OR IGNORE INTO hosts (name) SELECT DISTINCT host FROM earlier",
    "UPDATE earlier SET host = (SELECT id FROM hosts WHERE name = earlier.host)",
    "ALTER TABLE seen ADD COLUMN request INTEGER",
    "INSERT OR REPLACE INTO seen SELECT key, id FROM earlier",
    *(
        f"UPDATE counters SET value = (SELECT COUNT(*) FROM earlier WHERE state = {state}) WHERE name = '{name}'"
        for name, state in (("dead", DEAD), ("delayed", DELAYED))
    ),
)
"""For a file in which a request names its host by text and no key names its request."""
_FROM_EARLIER = (
    f"INSERT INTO requests ({_COLUMNS}) SELECT {_COLUMNS} FROM earlier WHERE state = {QUEUED}",
    f"INSERT INTO leases SELECT {_COLUMNS}, owner, since, due FROM earlier WHERE state = {LEASED}",
    f"INSERT INTO failed SELECT {_COLUMNS}, state, since, due FROM earlier WHERE state IN ({DEAD}, {DELAYED})",
    "UPDATE seen SET request = NULL WHERE request IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM earlier WHERE id = seen.request AND key = seen.key)",
    "UPDATE counters SET value = (SELECT COALESCE(MAX(id), 0) FROM earlier) WHERE name = 'number'",
    "DROP TABLE earlier",
    "UPDATE hosts SET queued = (SELECT COUNT(*) FROM requests WHERE host = hosts.id)",
)
_WITHOUT_HOSTS = 2
"""Up to this version; version 3 had triggers that counted, up to version 4 all requests lay in one table, with their keys."""


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables; those of an earlier version are brought to this layout, which may take a minute for each million."""
    database.execute("BEGIN IMMEDIATE")
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        for trigger in ("inserted", "moved", "became_dead", "became_delayed", "done"):
            database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        earlier = version < VERSION and _has_table(database, "requests")
        if earlier:
            logger.info("%s is brought to the layout of this version", path)
            database.execute("ALTER TABLE requests RENAME TO earlier")
            for index in ("queue", "waiting", "due", "leased", "delayed", "dead"):
                database.execute(f"DROP INDEX IF EXISTS {index}")
        steps = (*(_WITH_HOSTS if version <= _WITHOUT_HOSTS else ()), *_FROM_EARLIER) if earlier else ()
        for statement in (*_TABLES, *REQUESTS, *steps):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _has_table(database: sqlite3.Connection, name: str) -> bool:
    return (
        database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone()
        is not None
    )
