"""The embedded frontier's cost: no statement reads a whole table, a start reads hosts, and old files are brought along."""

import re
import sqlite3
from pathlib import Path

import pytest

from crawler.frontier.base import MAX_ATTEMPTS, Entry, Politeness
from crawler.frontier.local import schema
from crawler.frontier.local.sqlite import SqliteFrontier

_SMALL = ("delayed", "dead")  # indexes of the few requests in that state alone
_ALLOWED = re.compile(
    rf"SCAN (?:\w+ USING (?:COVERING )?INDEX (?:{'|'.join(_SMALL)})|hosts|h|leases|l|c|CONSTANT ROW)\b"
)


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
    steps = plans(tmp_path / "f.db", {"SELECT COUNT(*) FROM requests WHERE attempt = 0"})
    assert not any(_ALLOWED.search(step) for found in steps.values() for step in found)


def test_counts_that_are_kept_are_those_that_counting_gives(tmp_path: Path) -> None:
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 100))
    exercise(frontier)
    frontier.flush()
    states = dict(frontier._database.execute("SELECT state, COUNT(*) FROM failed GROUP BY state"))
    (states[schema.QUEUED],) = frontier._database.execute("SELECT COUNT(*) FROM requests").fetchone()
    kept = (schema.QUEUED, schema.DEAD, schema.DELAYED)
    assert {state: frontier._counts.number_in(state) for state in kept} == {
        state: states.get(state, 0) for state in kept
    }
    assert frontier._views.number_leased() == len(frontier._leases) > 0
    counted = frontier._database.execute(
        "SELECT h.name, MAX(priority), COUNT(*) FROM requests r JOIN hosts h ON h.id = r.host GROUP BY h.id"
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


_ONE_TABLE = """
CREATE TABLE requests (
    id INTEGER PRIMARY KEY, key INTEGER NOT NULL, host INTEGER NOT NULL, priority INTEGER NOT NULL,
    payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0, attempt INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT '', since REAL NOT NULL DEFAULT 0, due REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '');
CREATE INDEX queue ON requests (host, priority DESC) WHERE state = 0;
CREATE INDEX leased ON requests (due) WHERE state = 1;
CREATE INDEX delayed ON requests (due) WHERE state = 3;
CREATE INDEX dead ON requests (host) WHERE state = 2;
CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, queued INTEGER NOT NULL DEFAULT 0);
CREATE TABLE seen (key INTEGER PRIMARY KEY, request INTEGER) WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO hosts VALUES (1, 'a', 3), (2, 'b', 0);
INSERT INTO seen VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, NULL), (8, 2), (9, 9);
INSERT INTO counters VALUES ('done', 2), ('dead', 1), ('delayed', 1);
INSERT INTO requests (id, key, host, priority, payload, state, attempt, owner, since, due, reason) VALUES
    (1, 1, 1, 5, CAST('1' AS BLOB), 0, 0, '', 0, 0, ''),
    (2, 2, 1, 7, CAST('2' AS BLOB), 0, 3, '', 0, 0, 'slow'),
    (3, 3, 1, 7, CAST('3' AS BLOB), 0, 0, '', 0, 0, ''),
    (4, 4, 2, 9, CAST('4' AS BLOB), 1, 2, 'x:7', 900, 1000, ''),
    (5, 5, 2, 8, CAST('5' AS BLOB), 1, 20, 'x:8', 900, 1000, ''),
    (6, 6, 2, 1, CAST('6' AS BLOB), 3, 1, '', 900, 1060, 'busy'),
    (9, 9, 2, 1, CAST('9' AS BLOB), 2, 5, '', 900, 900, 'gone');
PRAGMA user_version = 4;
"""
_TRIGGERS = """
CREATE TRIGGER inserted AFTER INSERT ON requests WHEN NEW.state = 0 BEGIN
    UPDATE hosts SET queued = queued + 1 WHERE id = NEW.host; END;
CREATE TRIGGER done AFTER DELETE ON requests BEGIN UPDATE counters SET value = value + 1 WHERE name = 'done'; END;
PRAGMA user_version = 3;
"""


@pytest.mark.parametrize("more", ["", _TRIGGERS])
def test_a_file_with_all_requests_in_one_table_is_gone_on_with(tmp_path: Path, more: str) -> None:
    path = tmp_path / "f.db"
    with sqlite3.connect(path) as database:
        database.executescript(_ONE_TABLE + more)
    database.close()
    frontier = SqliteFrontier(path, Politeness(0.0, 100), clock=lambda: 1000.0)
    accounts = frontier.accounts()
    assert (accounts.queued, accounts.leased, accounts.done, accounts.dead) == (5, 0, 2, 2)
    slow = frontier.find(2, "a")
    assert slow is not None
    assert (slow.state, slow.attempts, slow.reason, slow.before) == ("queued", 3, "slow", 0)
    states = {key: known.state for key in range(1, 10) if (known := frontier.find(key, ""))}
    assert [states[key] for key in (4, 5, 6, 7, 8, 9)] == ["queued", "dead", "delayed", "seen", "seen", "dead"]
    assert frontier.promote(3, "a", 8)
    assert not frontier.promote(8, "a", 99), "its request was done long ago, and another has its number"
    popped = [(lease.payload, lease.attempt) for lease in frontier.pop(9)]
    assert sorted(popped) == [(b"1", 1), (b"2", 4), (b"3", 1), (b"4", 3)]
    assert [(dead.host, dead.payload, dead.attempts) for dead in frontier.dead()] == [("b", b"5", 20), ("b", b"9", 5)]
    assert frontier.push([Entry(7, "a", 0, b"7"), Entry(10, "c", 0, b"10")]) == [False, True]
    frontier.close()
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_number_never_comes_twice(tmp_path: Path) -> None:
    """Else the key of a page that is done would name the request of another one."""
    for first in (0, 3):
        frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 100))
        frontier.push(entries(first, 3))
        frontier.ack([lease.token for lease in frontier.pop(9)])
        frontier.push(entries(100 + first, 1))
        assert [known.state for key in range(first + 3) if (known := frontier.find(key, ""))] == ["seen"] * (first + 3)
        frontier.ack([lease.token for lease in frontier.pop(9)])
        frontier.close()


def test_others_see_what_is_under_way_and_a_kill_counts_as_an_attempt(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    frontier = SqliteFrontier(path, Politeness(0.0, 100), owner="me")
    frontier.push(entries(0, 4))
    leases = frontier.pop(3)
    frontier.flush()
    frontier.ack([leases[0].token])
    frontier.fail(leases[1].token, "busy", 60.0)
    frontier.flush()
    reader = SqliteFrontier(path, exclusive=False)
    assert [(lease.host, lease.payload, lease.owner) for lease in reader.leased()] == [("h2", b"2", "me:3")]
    assert [(node.owner, node.leased) for node in reader.nodes()] == [("me", 1)]
    assert [known.state for key in range(4) if (known := reader.find(key, ""))] == [
        "seen",
        "delayed",
        "leased",
        "queued",
    ]
    accounts = reader.accounts()
    assert (accounts.queued, accounts.leased, accounts.done) == (2, 1, 1)
    reader.close()
    frontier._database.close()  # as a kill: nothing is given back
    frontier._unlock()
    again = SqliteFrontier(path, Politeness(0.0, 100))
    assert sorted((lease.payload, lease.attempt) for lease in again.pop(9)) == [(b"2", 2), (b"3", 1)]
    again.close()


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
