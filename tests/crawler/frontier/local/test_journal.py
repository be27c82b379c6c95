"""A file that cannot be written for a while: nothing is forgotten, nothing is taken for done, and it goes on by itself."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.frontier.base import FrontierError, Politeness, QueueEntry
from crawler.frontier.local import journal
from crawler.frontier.local.sqlite import SqliteFrontier


@pytest.fixture
def frontier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteFrontier]:
    monkeypatch.setattr(journal, "RETRY_SECONDS", 0.0)
    opened = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 3))
    yield opened
    opened.close()


def entries(first: int, count: int, size: int = 10) -> list[QueueEntry]:
    return [QueueEntry(key, f"h{key % 3}", 0, str(key).encode().ljust(size)) for key in range(first, first + count)]


def limit_pages(frontier: SqliteFrontier, number: int) -> None:
    """As a full disk: SQLite raises the same error. None below the present size; a large number is no limit."""
    frontier._database.execute(f"PRAGMA max_page_count = {number}")


def test_what_came_while_the_disk_was_full_is_there_afterwards(frontier: SqliteFrontier) -> None:
    frontier.push(entries(0, 9))
    leases = frontier.pop(4)
    frontier.flush()
    frontier.push(entries(9, 3))  # in the transaction that fails
    late = frontier.pop(1)
    limit_pages(frontier, 1)
    frontier.push(entries(100, 200, 5_000))
    assert frontier.pop(5) == []
    assert frontier.pending()
    assert frontier.wait_seconds() is not None
    frontier.ack([leases[0].token, late[0].token])
    frontier.give_back([leases[1].token])
    assert frontier.fail(leases[2].token, "no", 0.0) is False
    assert frontier.push(entries(0, 1)) == [False], "it was seen before the disk was full"
    frontier.push(entries(1_000, 5))
    frontier.flush()
    assert frontier.pop(1) == []
    limit_pages(frontier, 1_000_000)
    frontier.flush()
    accounts = frontier.accounts()
    assert (accounts.enqueued, accounts.done, accounts.leased) == (9 + 3 + 200 + 5, 2, 1)
    assert frontier.ack([leases[3].token]) == 1
    done = []
    while found := frontier.pop(10):
        done += [int(lease.payload) for lease in found]
        assert frontier.ack([lease.token for lease in found]) == len(found)
    assert len(done) == len(set(done)) == 9 + 3 + 200 + 5 - 3
    assert frontier.accounts().queued == frontier.accounts().leased == 0


def test_an_engine_that_waits_is_woken(frontier: SqliteFrontier) -> None:
    woken: list[bool] = []
    frontier.notify(lambda: woken.append(True))
    limit_pages(frontier, 1)
    frontier.push(entries(0, 200, 5_000))
    assert not woken
    limit_pages(frontier, 1_000_000)
    frontier.flush()
    assert woken


def test_places_at_hosts_are_free_again(frontier: SqliteFrontier) -> None:
    frontier.push(entries(0, 12))
    leases = frontier.pop(9)
    assert len(leases) == 9
    frontier.flush()
    limit_pages(frontier, 1)
    frontier.push(entries(100, 200, 5_000))
    frontier.ack([lease.token for lease in leases])
    limit_pages(frontier, 1_000_000)
    frontier.flush()
    assert len(frontier.pop(20)) == 9, "three at each of three hosts"


def test_a_damaged_file_is_a_fault_with_a_remedy(frontier: SqliteFrontier) -> None:
    frontier.push(entries(0, 9))
    frontier.flush()
    frontier._database.execute("DROP TABLE requests")
    assert frontier.pending(), "nobody may take the crawl for finished"
    assert frontier.pop(1) == []
    assert (frontier.wait_seconds() or 0.0) <= 1.0
    frontier.accounts()
    frontier.flush()
    assert "frontier rebuild" in frontier.fault
    with pytest.raises(FrontierError, match="frontier rebuild"):
        list(frontier.hosts())


def test_an_error_that_may_pass_is_a_fault_only_after_some_time(
    frontier: SqliteFrontier, monkeypatch: pytest.MonkeyPatch
) -> None:
    frontier.push(entries(0, 3))
    frontier.flush()
    frontier._database.execute("PRAGMA query_only = 1")
    frontier.push(entries(10, 3))
    assert frontier.away
    assert not frontier.fault
    frontier._database.execute("PRAGMA query_only = 0")
    frontier.flush()
    assert not frontier.away
    assert frontier.accounts().queued == 6
    frontier._database.execute("PRAGMA query_only = 1")
    monkeypatch.setattr(journal, "GRACE_SECONDS", 0.0)
    frontier.push(entries(20, 3))
    assert "can be written" in frontier.fault


@pytest.mark.parametrize("seconds", [3_600, 30 * 86_400])
def test_a_clock_that_is_set_back_makes_nobody_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.2, 1))
    frontier.push(entries(0, 2))
    frontier.push([QueueEntry(9, "h0", 0, b"9")])
    lease = frontier.pop(1)[0]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - seconds)
    frontier.fail(lease.token, "no", 0.1)
    assert (frontier.wait_seconds() or 0.0) <= 0.2
    time.sleep(0.25)
    assert len(frontier.pop(3)) >= 1
    frontier.close()


def test_a_delay_of_an_earlier_run_is_no_longer_after_the_clock_was_set_back(tmp_path: Path) -> None:
    before = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 1), clock=lambda: 1_000_000.0)
    before.push(entries(0, 1))
    before.fail(before.pop(1)[0].token, "no", 60.0)
    before.close()
    after = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 1), clock=lambda: 500_000.0)
    assert after.wait_seconds() == pytest.approx(60.0, abs=1.0)
    after.close()
