"""The embedded frontier's tables: every statement finds its rows by an index, and counts are kept instead of counted.

A request lies in one of three tables: queued, under way (`leases`), or failed. So the queue's row and its place in the
index, which are cold pages of a large file, change twice in a request's life: when it comes, and when it is given out.
Its key is not there: a seen key names the number of the latest request with it, and numbers are never used again.

A table of hosts has the number of queued requests of each, so that a start costs as much as there are hosts, not requests.
Counts are written in the transaction of what they count: they hold after a kill and after one that was rolled back.
"""

import sqlite3

VERSION = 1
QUEUED, LEASED, DEAD, DELAYED, DONE = range(5)
"""States of a request; a delayed one has failed and waits for its next attempt, one that is done has no row."""
_REQUEST = """id INTEGER PRIMARY KEY, host INTEGER NOT NULL, priority INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', payload BLOB NOT NULL"""
REQUESTS = (
    f"CREATE TABLE IF NOT EXISTS requests ({_REQUEST})",
    "CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC)",
)
"""Queued requests; dropped and made again where all requests are forgotten."""
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


def prepare(database: sqlite3.Connection) -> None:
    """Make the tables and mark the file with their version."""
    database.execute("BEGIN IMMEDIATE")
    try:
        for statement in (*_TABLES, *REQUESTS):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
