"""The embedded frontier's tables: every statement finds its rows by an index, and counts are kept instead of counted.

A table of hosts has the number of queued requests of each, so that a start costs as much as there are hosts, not requests.
Counts are written in the transaction of what they count: they hold after a kill and after one that was rolled back. A seen
key names the latest request with it, which may be done since, and after a start its number in use again: an index of requests
by key would take 19 bytes each.
"""

import logging
import sqlite3
from pathlib import Path

logger = logging.getLogger(__name__)
VERSION = 4
QUEUED, LEASED, DEAD, DELAYED, DONE = range(5)
"""States of a request; a delayed one has failed and waits for its next attempt, one that is done has no row."""
REQUESTS = (
    """CREATE TABLE IF NOT EXISTS requests (
        id INTEGER PRIMARY KEY, key INTEGER NOT NULL, host INTEGER NOT NULL, priority INTEGER NOT NULL,
        payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0,
        owner TEXT NOT NULL DEFAULT '', since REAL NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
        reason TEXT NOT NULL DEFAULT '')""",
    f"CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC) WHERE state = {QUEUED}",
    f"CREATE INDEX IF NOT EXISTS leased ON requests (due) WHERE state = {LEASED}",
    f"CREATE INDEX IF NOT EXISTS delayed ON requests (due) WHERE state = {DELAYED}",
    f"CREATE INDEX IF NOT EXISTS dead ON requests (host) WHERE state = {DEAD}",
)
"""Requests with what belongs to them; dropped and made anew where all requests are forgotten."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS seen (key INTEGER PRIMARY KEY, request INTEGER) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "INSERT OR IGNORE INTO counters VALUES ('done', 0), ('dead', 0), ('delayed', 0)",
)
_FROM_EARLIER = (
    "INSERT OR IGNORE INTO hosts (name) SELECT DISTINCT host FROM earlier",
    "INSERT INTO requests SELECT e.id, e.key, h.id, e.priority, e.payload, e.state, e.attempt, e.owner, e.since, e.due, "
    "e.reason FROM earlier e JOIN hosts h ON h.name = e.host",
    "DROP TABLE earlier",
    "ALTER TABLE seen ADD COLUMN request INTEGER",
    "INSERT OR REPLACE INTO seen SELECT key, id FROM requests",
    *(
        f"UPDATE counters SET value = (SELECT COUNT(*) FROM requests WHERE state = {state}) WHERE name = '{name}'"
        for name, state in (("dead", DEAD), ("delayed", DELAYED))
    ),
    f"UPDATE hosts SET queued = (SELECT COUNT(*) FROM requests WHERE host = hosts.id AND state = {QUEUED})",
)
_WITHOUT_HOSTS = 2
"""Up to this version requests were laid out otherwise; later ones had triggers that counted."""


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables; those of an earlier version are brought to this layout, which may take a minute for each million."""
    database.execute("BEGIN IMMEDIATE")
    try:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        earlier = version <= _WITHOUT_HOSTS and _has_table(database, "requests")
        if earlier:
            logger.info("%s is brought to the layout of this version", path)
            database.execute("ALTER TABLE requests RENAME TO earlier")
            for index in ("queue", "waiting", "due", "dead"):
                database.execute(f"DROP INDEX IF EXISTS {index}")
        for trigger in ("inserted", "moved", "became_dead", "became_delayed", "done"):
            database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement in (*_TABLES, *REQUESTS, *(_FROM_EARLIER if earlier else ())):
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
