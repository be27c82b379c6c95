"""Requests of a host come out in the exact order, each once, whatever happens in between; a kill takes away a suffix at most."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from crawler.config.hours import Politeness
from crawler.frontier.base import QueueEntry
from crawler.frontier.local import journal
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.requests import pack, unpack


@pytest.fixture
def frontier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteFrontier]:
    monkeypatch.setattr(journal, "RETRY_SECONDS", 0.0)
    opened = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 10_000))
    yield opened
    opened.close()


def entry(key: int, priority: int = 0, host: str = "h") -> QueueEntry:
    return QueueEntry(key, host, priority, pack({"url": f"http://{host}/{key}"}), movable=True)


def key_of(payload: bytes) -> int:
    return int(unpack(payload)["url"].rpartition("/")[2])


def drained(frontier: SqliteFrontier) -> list[int]:
    found = []
    while leases := frontier.pop(1):
        found += [key_of(lease.payload) for lease in leases]
        assert frontier.ack([lease.token for lease in leases]) == len(leases)
    return found


def test_the_highest_priority_comes_first_then_what_was_pushed_first(frontier: SqliteFrontier) -> None:
    priorities = [(key * 37) % 11 for key in range(200)]
    frontier.push([entry(key, priority) for key, priority in enumerate(priorities)])
    assert drained(frontier) == sorted(range(200), key=lambda key: (-priorities[key], key))


def test_what_waits_is_found_with_its_place_and_promoted(frontier: SqliteFrontier) -> None:
    frontier.push([entry(key, -key // 5) for key in range(60)])
    known = frontier.find(57, "h")
    assert known is not None
    assert (known.state, known.before, key_of(known.payload)) == ("queued", 57, 57)
    assert frontier.promote(57, "h", 5)
    assert not frontier.promote(57, "h", 5)
    assert frontier.push([entry(58, 4)]) == [False]
    assert drained(frontier) == [57, 58, *range(57), 59]
    assert not frontier.promote(57, "h", 9), "it is done"


def test_a_disk_that_was_full_changes_no_order(frontier: SqliteFrontier) -> None:
    frontier.push([entry(key, key % 5) for key in range(40)])
    frontier.flush()
    frontier.push([entry(key, 9) for key in range(100, 130)])
    early = frontier.pop(35)
    frontier._database.execute("PRAGMA max_page_count = 1")
    frontier.push([QueueEntry(key, "h", -1, os.urandom(5_000)) for key in range(1_000, 1_040)])
    assert frontier.away
    frontier._database.execute("PRAGMA max_page_count = 1000000")
    frontier.flush()
    assert frontier.ack([lease.token for lease in early]) == 35
    accounts = frontier.accounts()
    assert (accounts.queued, accounts.leased, accounts.done) == (40 + 30 + 40 - 35, 0, 35)
    done = [key_of(lease.payload) for lease in early] + [key_of(lease.payload) for lease in frontier.pop(35)]
    assert done == [*range(100, 130), *sorted(range(40), key=lambda key: (-(key % 5), key))]


def test_a_lease_that_ran_out_while_the_disk_was_full_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "RETRY_SECONDS", 0.0)
    monkeypatch.setattr(journal, "COMMIT_SECONDS", 1000.0)
    times = [1000.0]
    frontier = SqliteFrontier(tmp_path / "f.db", Politeness(0.0, 100), clock=lambda: times[-1])
    frontier.push([entry(1), entry(2, -1)])
    frontier.flush()
    (late,) = frontier.pop(1)
    times.append(9000.0)
    (lease,) = frontier.pop(1)
    frontier._database.execute("PRAGMA max_page_count = 1")
    frontier.push([QueueEntry(key, "h", -5, os.urandom(5_000)) for key in range(1_000, 1_040)])
    assert frontier.away
    frontier._database.execute("PRAGMA max_page_count = 1000000")
    frontier.flush()
    assert (frontier.ack([late.token]), frontier.ack([lease.token])) == (0, 1)
    frontier.flush()
    assert [(host.queued, host.leased) for host in frontier.hosts()] == [(41, 0)]
    assert frontier.accounts().queued == 41
    frontier.close()


class _Model(RuleBasedStateMachine):
    """Against a plain list that is sorted."""

    path: Path
    counter = iter(range(1_000_000))

    def __init__(self) -> None:
        super().__init__()
        self.file = self.path / f"{next(self.counter)}.db"
        self.clock = 1000.0
        self.frontier = self.open()
        self.waiting: dict[int, tuple[int, int]] = {}  # key -> (-priority, order)
        self.tokens: dict[int, tuple[str, tuple[int, int]]] = {}
        self.pushed = 0

    def open(self) -> SqliteFrontier:
        return SqliteFrontier(self.file, Politeness(0.0, 10_000), clock=lambda: self.clock)

    @rule(priorities=st.lists(st.integers(-3, 3), min_size=1, max_size=12))
    def push(self, priorities: list[int]) -> None:
        for priority in priorities:
            self.frontier.push([entry(self.pushed, priority)])
            self.waiting[self.pushed] = (-priority, self.pushed)
            self.pushed += 1

    @rule(count=st.integers(1, 9))
    def pop(self, count: int) -> None:
        leases = self.frontier.pop(count)
        expected = sorted(self.waiting, key=lambda key: self.waiting[key])[:count]
        assert [key_of(lease.payload) for lease in leases] == expected
        for lease in leases:
            key = key_of(lease.payload)
            self.tokens[key] = (lease.token, self.waiting.pop(key))

    @rule(what=st.sampled_from(["ack", "give_back", "fail"]), place=st.integers(0, 100))
    def answer(self, what: str, place: int) -> None:
        if not self.tokens:
            return
        key = list(self.tokens)[place % len(self.tokens)]
        token, order = self.tokens.pop(key)
        if what == "ack":
            assert self.frontier.ack([token]) == 1
        elif what == "give_back":
            self.frontier.give_back([token])
            self.waiting[key] = order
        elif self.frontier.fail(token, "x") is False:
            self.waiting[key] = order

    @rule(place=st.integers(0, 1000), priority=st.integers(-3, 5))
    def promote(self, place: int, priority: int) -> None:
        if self.pushed:
            key = place % self.pushed
            old, order = self.waiting.get(key, (-100, 0))
            assert self.frontier.promote(key, "h", priority) == (-priority < old)
            if -priority < old:
                self.waiting[key] = (-priority, order)

    @rule(place=st.integers(0, 1000))
    def look(self, place: int) -> None:
        key = place % (self.pushed + 1)
        known = self.frontier.find(key, "h")
        assert (known is None) == (key >= self.pushed)
        assert (known is not None and known.state == "queued") == (key in self.waiting)
        if known and known.state == "queued":
            assert known.before == sum(order < self.waiting[key] for order in self.waiting.values())

    @rule()
    def restart(self) -> None:
        self.frontier.close()
        self.waiting |= {key: order for key, (_, order) in self.tokens.items()}
        self.tokens.clear()
        self.frontier = self.open()

    @invariant()
    def counted(self) -> None:
        accounts = self.frontier.accounts()
        assert (accounts.queued, accounts.leased) == (len(self.waiting), len(self.tokens))

    def teardown(self) -> None:
        assert drained(self.frontier) == sorted(self.waiting, key=lambda key: self.waiting[key])
        self.frontier.close()


def test_any_order_of_calls_is_that_of_a_sorted_list(tmp_path: Path) -> None:
    machine = type("Machine", (_Model,), {"path": tmp_path})
    run_state_machine_as_test(  # type: ignore[no-untyped-call]  # hypothesis leaves it untyped
        machine,
        settings=settings(
            max_examples=60, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


_KILLED = """
import itertools, sys
from crawler.frontier.base import QueueEntry, Politeness
from crawler.frontier.local import journal
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.requests import pack
journal.COMMIT_SECONDS = 0.002
frontier = SqliteFrontier(sys.argv[1], Politeness(0.0, 10_000))
for key in itertools.count(frontier.accounts().enqueued):
    frontier.push([QueueEntry(key, f"h{key % 3}", key * 37 % 11, pack({"url": f"http://h/{key}"}))])
    if key % 3 == 0:
        for lease in frontier.pop(2):
            frontier.ack([lease.token])
    if key % 50 == 0:
        frontier.flush()
        print(key, flush=True)
"""


def test_a_process_that_is_killed_loses_a_suffix_and_nothing_comes_twice(tmp_path: Path) -> None:
    path = tmp_path / "f.db"
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", _KILLED, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _, line in zip(range(4), process.stdout, strict=False):
            durable = int(line)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        frontier = SqliteFrontier(path, Politeness(0.0, 10_000))
        accounts = frontier.accounts()
        assert accounts.enqueued > durable
        assert accounts.leased == accounts.dead == 0
        states = [known.state for key in range(accounts.enqueued) if (known := frontier.find(key, f"h{key % 3}"))]
        assert (states.count("queued"), states.count("seen")) == (accounts.queued, accounts.done)
        frontier.close()
    frontier = SqliteFrontier(path, Politeness(0.0, 10_000))
    left = frontier.accounts()
    keys = drained(frontier)
    assert len(keys) == len(set(keys)) == left.queued
    frontier.close()
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
