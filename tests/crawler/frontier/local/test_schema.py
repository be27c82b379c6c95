"""The embedded frontier's cost: no statement reads a whole table, and a start reads hosts."""

import re
import sqlite3
from pathlib import Path

import pytest

from crawler.frontier.base import MAX_ATTEMPTS, Politeness, QueueEntry
from crawler.frontier.local import schema
from crawler.frontier.local.sqlite import SqliteFrontier

_SMALL = ("delayed", "dead")  # indexes of the few requests in that state alone
_ALLOWED = re.compile(
    rf"SCAN (?:\w+ USING (?:COVERING )?INDEX (?:{'|'.join(_SMALL)})|hosts|h|leases|l|c|CONSTANT ROW)\b"
)


def entries(first: int, count: int) -> list[QueueEntry]:
    return [QueueEntry(key, f"h{key % 7}", key % 3, str(key).encode()) for key in range(first, first + count)]


def exercise(frontier: SqliteFrontier) -> None:
    """Every call of the protocol."""
    frontier.begin()
    frontier.push(entries(0, 60))
    frontier.push(entries(0, 5))
    frontier.push([QueueEntry(1, "h1", 9, b"1", movable=True), QueueEntry(3, "h3", 0, b"3", again=True)])
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
    frontier.push([QueueEntry(key, "h", 0, bytes(2_000)) for key in range(2_000)])
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
