"""The embedded frontier's cost: no statement reads a whole table, a start reads hosts, and old files are brought along."""

import re
import sqlite3
from pathlib import Path

import pytest

from crawler.frontier.base import MAX_ATTEMPTS, Entry, Politeness
from crawler.frontier.local import schema
from crawler.frontier.local.sqlite import SqliteFrontier

_SMALL = ("leased", "delayed", "dead")  # indexes of the few requests in that state alone
_ALLOWED = re.compile(rf"SCAN (?:\w+ USING (?:COVERING )?INDEX (?:{'|'.join(_SMALL)})|hosts|h|CONSTANT ROW)\b")


def entries(first: int, count: int) -> list[Entry]:
    return [Entry(key, f"h{key % 7}", key % 3, str(key).encode()) for key in range(first, first + count)]


def exercise(frontier: SqliteFrontier) -> None:
    """Every call of the protocol."""
    frontier.begin()
    frontier.push(entries(0, 60))
    frontier.push(entries(0, 5))
    frontier.push([Entry(1, "h1", 9, b"1", movable=True), Entry(3, "h3", 0, b"3", again=True)])
    frontier.promote(2, "h2", 12)
    leases = frontier.pop(12)
    frontier.ack([lease.token for lease in leases[:3]])
    frontier.give_back([lease.token for lease in leases[3:5]])
    frontier.fail(leases[5].token, "broken", 0.0)
    frontier.fail(leases[6].token, "broken", 1000.0)
    for _ in range(MAX_ATTEMPTS):
        for lease in frontier.pop(1):
            frontier.fail(lease.token, "broken", 0.0)
    frontier.heartbeat()
    frontier.wait_seconds()
    frontier.seconds_until_open()
    frontier.pending()
    frontier.accounts()
    for key in (0, 3, 20, 59, 1000):
        frontier.find(key, "h0")
    for view in (frontier.hosts, frontier.nodes, frontier.leased, frontier.dead):
        list(view())
    frontier.requeue("h1")
    frontier.requeue()


def plans(path: Path, statements: set[str]) -> dict[str, list[str]]:
    with sqlite3.connect(path) as database:
        found = {
            statement: [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement}")]
            for statement in statements
        }
    database.close()
    return found


def test_no_statement_reads_a_whole_table(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    frontier = SqliteFrontier(path, Politeness(0.0, 100))
    statements: set[str] = set()
    frontier._database.set_trace_callback(statements.add)
    exercise(frontier)
    frontier._reload()
    frontier._queue.release_all(0.0)
    frontier._queue.release()
    frontier.flush()
    frontier._database.set_trace_callback(None)
    frontier.close()
    asked = {text for text in statements if re.match(r"(SELECT|UPDATE|INSERT|DELETE)\b", text)}
    assert len(asked) > 30
    scans = {
        (text, step)
        for text, steps in plans(path, asked).items()
        for step in steps
        if "SCAN" in step and not _ALLOWED.search(step)
    }
    assert not scans


def test_a_scan_would_be_seen(tmp_path: Path) -> None:
    SqliteFrontier(tmp_path / "f.db").close()
    steps = plans(tmp_path / "f.db", {"SELECT COUNT(*) FROM requests WHERE state = 0 OR state = 1"})
    assert not any(_ALLOWED.search(step) for found in steps.values() for step in found)


def test_counts_that_are_kept_are_those_that_counting_gives(tmp_path: Path) -> None:
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 100))
    exercise(frontier)
    frontier.flush()
    states = dict(frontier._database.execute("SELECT state, COUNT(*) FROM requests GROUP BY state"))
    kept = (schema.QUEUED, schema.DEAD, schema.DELAYED)
    assert {state: frontier._counts.number_in(state) for state in kept} == {
        state: states.get(state, 0) for state in kept
    }
    assert frontier._table.number_leased() == states[schema.LEASED]
    counted = frontier._database.execute(
        "SELECT h.name, MAX(priority), COUNT(*) FROM requests r JOIN hosts h ON h.id = r.host WHERE state = 0 GROUP BY h.id"
    )
    assert sorted(frontier._table.queued_by_host()) == sorted(counted)
    before = frontier.accounts()
    assert before.done == 3
    frontier.close()
    reader = SqliteFrontier(tmp_path / "f.db", exclusive=False)
    after = reader.accounts()
    assert (after.queued, after.dead, after.done) == (before.queued + before.leased, before.dead, before.done)
    reader.close()


_EARLIER = """
CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL, host TEXT NOT NULL, priority INTEGER NOT NULL,
    payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', since REAL NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '');
CREATE INDEX queue ON requests (host, priority DESC, id) WHERE state = 0;
CREATE INDEX waiting ON requests (key) WHERE state = 0;
CREATE INDEX due ON requests (state, due) WHERE state IN (1, 3);
CREATE INDEX dead ON requests (host) WHERE state = 2;
CREATE TABLE seen (key INTEGER PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO seen VALUES (1), (2), (3), (4), (5);
INSERT INTO counters VALUES ('done', 1);
INSERT INTO requests (key, host, priority, payload, state, attempt, reason) VALUES
    (1, 'a', 5, CAST('one' AS BLOB), 0, 0, ''),
    (2, 'b', 7, CAST('two' AS BLOB), 0, 1, ''),
    (3, 'a', 9, CAST('three' AS BLOB), 2, 5, 'gone'),
    (4, 'a', 8, CAST('four' AS BLOB), 1, 1, '');
PRAGMA user_version = 2;
"""


def test_a_file_of_an_earlier_version_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    with sqlite3.connect(path) as database:
        database.executescript(_EARLIER)
    database.close()
    frontier = SqliteFrontier(path, Politeness(0.0, 100))
    accounts = frontier.accounts()
    assert (accounts.queued, accounts.leased, accounts.done, accounts.dead) == (3, 0, 1, 1)
    assert sorted(lease.payload for lease in frontier.pop(10)) == [b"four", b"one", b"two"]
    assert [(request.host, request.reason) for request in frontier.dead()] == [("a", "gone")]
    assert frontier.push([Entry(5, "a", 0, b"five"), Entry(6, "c", 0, b"six")]) == [False, True]
    frontier.close()
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


_TRIGGER = """
CREATE TRIGGER inserted AFTER INSERT ON requests WHEN NEW.state = 0 BEGIN
    UPDATE hosts SET queued = queued + 1 WHERE id = NEW.host; END;
CREATE TRIGGER done AFTER DELETE ON requests BEGIN UPDATE counters SET value = value + 1 WHERE name = 'done'; END;
PRAGMA user_version = 3;
"""


def test_triggers_of_an_earlier_version_count_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    before = SqliteFrontier(path, Politeness(0.0, 100))
    before.push(entries(0, 20))
    before.ack([lease.token for lease in before.pop(4)])
    before.close()
    with sqlite3.connect(path) as database:
        database.executescript(_TRIGGER)
    database.close()
    after = SqliteFrontier(path, Politeness(0.0, 100))
    after.push(entries(20, 5))
    after.ack([lease.token for lease in after.pop(3)])
    after.close()
    reader = SqliteFrontier(path, exclusive=False)
    accounts = reader.accounts()
    assert (accounts.queued, accounts.done) == (18, 7)
    assert sum(host.queued for host in reader.hosts()) == 18
    reader.close()


def test_room_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.frontier.local.table._MIN_FREE_PAGES", 10)
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 10_000))
    frontier.push([Entry(key, "h", 0, bytes(2_000)) for key in range(2_000)])
    frontier.flush()

    def pages() -> int:
        return int(frontier._database.execute("PRAGMA page_count").fetchone()[0])

    full = pages()
    while leases := frontier.pop(100):
        frontier.ack([lease.token for lease in leases])
    for _ in range(20):
        frontier.heartbeat()
    assert pages() < full / 4
    assert frontier.purge() == 0
    frontier.close()
