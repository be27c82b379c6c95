"""The embedded frontier's tables: every statement uses an index, and counts are stored instead of computed.

A request is in one of three tables: queued, under way (`leases`), or failed. So the queue's row and its index entry, which are
on cold pages of a large file, change only twice: when the request is queued, and when it is leased. The key is stored only in
`seen`, with the number of the latest request; numbers are never reused.

A table of hosts has the number of queued requests of each, so that the start takes time by hosts, not by requests. Counts are
written in the same transaction as the rows, so they stay correct after a kill or a rollback.
"""

import sqlite3

VERSION = 1
QUEUED, LEASED, DEAD, DELAYED, DONE = range(5)
"""States of a request; a delayed one has failed and waits for its next attempt, a done one has no row."""
_REQUEST = """id INTEGER PRIMARY KEY, host INTEGER NOT NULL, priority INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', payload BLOB NOT NULL"""
REQUESTS = (
    f"CREATE TABLE IF NOT EXISTS requests ({_REQUEST})",
    "CREATE INDEX IF NOT EXISTS queue ON requests (host, priority DESC)",
)
"""Queued requests; dropped and recreated to delete all requests."""
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
    """Create the tables and set the version of the file."""
    database.execute("BEGIN IMMEDIATE")
    try:
        for statement in (*_TABLES, *REQUESTS):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.Error:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
