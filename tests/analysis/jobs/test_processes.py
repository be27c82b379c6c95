"""Several processes on one store, one of which is killed at its work: no page is counted twice or missed."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analysis import running
from pipelines.stores.analysis_tables import (
    ANALYSIS_JOBS,
    ANALYSIS_QUEUE,
    COUNTED_PAGES,
    COUNTS,
    EVENTS,
    MEMBERS,
    READINGS,
)
from pipelines.stores.base import Row, Store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

ROOT = Path(__file__).resolve().parents[3]
PAGE_COUNT = 24
FOLLOW = """
import os, signal, sys
from threading import Event
from analysis import running
from analysis.counts.step import CountStep
from analysis.events.store.change import EventWriter
from pipelines.stores.opening import open_store

address, kind, method = sys.argv[1:]
step = {"events": EventWriter, "counts": CountStep}[kind]
done = getattr(step, method)

def die(*given, **named):
    if given[1:] and given[1]:  # it has something to do
        os.kill(os.getpid(), signal.SIGKILL)
    return done(*given, **named)

setattr(step, method, die)
running._LEASE_RETRY_SECONDS = running._PAUSE_SECONDS = 0.2
running.follow(open_store(address), Event())
"""
TEXT = (
    "5月{day}日，{place}发生火灾，消防部门出动{day}辆消防车，记者李晓梅从现场获悉，两小时后明火被扑灭，原因正在调查。"
)
PLACES = ("浙江温州", "辽宁海城", "云南瑞丽", "广东深圳", "吉林永吉", "四川绵阳")


def put(store: Store, numbers: range) -> None:
    rows = []
    for number in numbers:
        place, day = PLACES[number % 6], 1 + number // 6
        text = TEXT.format(day=day, place=place)
        page = {
            "key": f"p{number}", "url": f"https://{number % 4}.example/{number}", "host": f"{number % 4}.example", "kind": "article",
            "title": f"{place}发生火灾{number}", "body": text * (1 + number % 3), "language": "zh", "topic": "安全",
            "published": f"2026-05-{day:02}", "published_at": f"2026-05-{day:02}T0{number % 6}:00:00+00:00",
            "fetched_at": "2026-10-01T00:00:00+00:00",
        }  # fmt: skip
        rows.append((PAGES, page))
    store.write([*rows, *waiting_rows([f"p{number}" for number in numbers])]).result()


def computed(store: Store) -> dict[str, list[str]]:
    """All results of the pages, without the numbers that a rebuild changes."""
    return {
        table.name: sorted(str(_fixed(row)) for row in store.select(table))
        for table in (EVENTS, MEMBERS, READINGS, COUNTS)
    }


def _fixed(row: Row) -> dict[str, object]:
    return {name: row[name] for name in sorted(row) if name != "changed_at"}


@pytest.fixture
def dying(address: str) -> Iterator[Callable[[str, str], subprocess.Popen[bytes]]]:
    """Starts a process that follows the store, and that is killed when a method of a step has something to do."""
    begun: list[subprocess.Popen[bytes]] = []

    def start(kind: str, method: str) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen([sys.executable, "-c", FOLLOW, address, kind, method], cwd=ROOT))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.wait()


@pytest.fixture
def other(opened: Callable[[], Store], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Callable[[], None]]]:
    """Starts following the store in this process, and gives what ends it."""
    monkeypatch.setattr(running, "_LEASE_RETRY_SECONDS", 0.2)
    monkeypatch.setattr(running, "_PAUSE_SECONDS", 0.2)
    ended = threading.Event()
    thread = threading.Thread(target=running.follow, args=(opened(), ended))

    def end() -> None:
        ended.set()
        thread.join()

    def start() -> Callable[[], None]:
        thread.start()
        return end

    yield start
    ended.set()


def until(ready: Callable[[], object]) -> None:
    end = time.monotonic() + 90
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.1)


def free(store: Store) -> None:
    """As when the leases of a dead process have ended."""
    for job in (running.JOB, *running.STEPS):
        store.upsert(ANALYSIS_JOBS, [{"name": job, "until": 0.0}]).result()


def holder(store: Store) -> str:
    """The number of the process that does the work."""
    return str((store.get(ANALYSIS_JOBS, running.JOB) or {}).get("holder") or "- -").split()[1]


CASES = [("sqlite", "events", "sum_up"), ("mongodb", "counts", "_apply")]


@pytest.mark.parametrize(("address", "kind", "method"), CASES, indirect=["address"])
def test_of_two_followers_one_is_killed_and_the_other_goes_on(
    store: Store,
    dying: Callable[[str, str], subprocess.Popen[bytes]],
    other: Callable[[], Callable[[], None]],
    kind: str,
    method: str,
) -> None:
    put(store, range(PAGE_COUNT // 2))
    running.run(store)
    process = dying(kind, method)
    until(lambda: holder(store) == str(process.pid))
    end = other()
    put(store, range(PAGE_COUNT // 2 - 6, PAGE_COUNT))
    assert process.wait(60) == -signal.SIGKILL
    assert store.count(ANALYSIS_QUEUE), "the kill came while pages waited"  # it may have taken some before
    free(store)
    until(lambda: store.count(ANALYSIS_QUEUE) == 0)
    end()
    running.run(store)
    after = computed(store)
    for table in (MEMBERS, READINGS, COUNTED_PAGES):
        assert store.count(table) == PAGE_COUNT
    assert sum(row["pages_total"] for row in store.select(COUNTS) if row["dimension"] == "all") == 2 * PAGE_COUNT
    running.rebuild(store)
    assert computed(store) == after
