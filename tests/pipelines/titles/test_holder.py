"""One process decides; when it is killed or hangs, another one goes on with the same decisions."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
import redis
from scrapy.settings import Settings

from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles import redis_requests
from pipelines.titles.holder import TitleHolder, titles_decided
from pipelines.titles.opening import JOB, generation_of
from pipelines.titles.redis_requests import open_asker, open_inbox
from pipelines.titles.title_requests import UNDECIDED, TitleRequest, undecided_row
from testbed.servers import ServerProcess, wait_until
from tests.pipelines.titles.rows import headline, request

LEASE = 1.0
COMPARED = ("page", "verdict", "rule", "matched", "story", "original", "reposts", "by_title", "by_body")


def hold(values: dict[str, Any]) -> None:
    """What a process of its own does until it is killed."""
    TitleHolder(Settings(values), open_store(values["STORE"]), lease_seconds=LEASE).start()
    time.sleep(600)


@contextmanager
def holding(values: dict[str, Any], store: Store) -> Iterator[TitleHolder]:
    holder = TitleHolder(Settings(values), store, lease_seconds=LEASE)
    holder.start()
    try:
        yield holder
    finally:
        holder.close()


@pytest.fixture
def values(tmp_path: Path) -> dict[str, Any]:
    return {"STORE": f"sqlite:///{tmp_path}/a.db", "DATA_DIR": str(tmp_path)}


@pytest.fixture
def store(values: dict[str, Any]) -> Iterator[Store]:
    opened = open_store(values["STORE"])
    yield opened
    opened.close()


def undecided(store: Store) -> int:
    return store.count(PROPAGATION, [Condition("verdict", "=", UNDECIDED)])


def news(count: int) -> list[TitleRequest]:
    """Every third title comes again, on another site."""
    return [request(headline(number - number % 3) + " - 河边网" * (number % 2)) for number in range(count)]


def rows_of(store: Store) -> list[Row]:
    return list(store.select(PROPAGATION, (), [Order("page")], columns=COMPARED))


def store_group(store: Store, group: list[TitleRequest], verdicts: dict[str, str]) -> None:
    """As a node does it: pages are written after their verdicts, or without one."""
    rows = [(PROPAGATION, undecided_row(store, each)) for each in group if each.page not in verdicts]
    store.write([*((PAGES, {"key": each.page, "body": each.text}) for each in group), *rows]).result()


def decided_alone(tmp_path: Path, requests: list[TitleRequest]) -> list[Row]:
    store = open_store(f"sqlite:///{tmp_path}/alone.db")
    with holding({"DATA_DIR": str(tmp_path / "alone")}, store) as holder:
        for start in range(0, len(requests), 5):
            assert len(holder.decide(requests[start : start + 5], 30)) == 5
    rows = rows_of(store)
    store.close()
    return rows


def test_a_second_crawl_on_one_machine_is_decided_by_the_first_and_takes_over(
    values: dict[str, Any], store: Store, tmp_path: Path
) -> None:
    requests, other = news(15), open_store(values["STORE"])
    with holding(values, other) as second:
        assert len(second.decide(requests[:5], 30)) == 5
        with holding(values | {"DATA_DIR": str(tmp_path / "b")}, store) as standby:
            assert standby.decide(requests[5:10], 0.5) == {}
            store_group(store, requests[5:10], {})
            wait_until(lambda: not undecided(store), "the verdicts of the process that decides")
            second.close()
            wait_until(lambda: len(standby.decide(requests[10:], 0.5)) == 5, "the standby to take over")
    other.close()
    assert rows_of(store) == decided_alone(tmp_path, requests)


@pytest.mark.slow
def test_killed_processes_change_no_decision(
    values: dict[str, Any], redis_url: str, store: Store, tmp_path: Path
) -> None:
    values |= {"FRONTIER": "shared", "REDIS_URL": redis_url}
    requests, asker = news(60), open_asker(Settings(values), store)
    assert asker is not None
    processes = [_started(values, tmp_path, number) for number in range(2)]
    wait_until(lambda: bool(generation_of(Lease(store, JOB))), "a process that decides")
    answered = 0
    for number, start in enumerate(range(0, len(requests), 5)):
        killer = threading.Thread(target=_kill_one, args=(processes, values, store, tmp_path))
        if number in (2, 5, 8):
            killer.start()
        group = requests[start : start + 5]
        verdicts = asker.ask(group, 3)
        answered += len(verdicts)
        store_group(store, group, verdicts)
        if killer.ident:
            killer.join()
    wait_until(lambda: not undecided(store), "verdicts on all pages")
    for process in processes:
        process.kill()
        process.join()
    asker.close()
    assert answered
    assert rows_of(store) == decided_alone(tmp_path, requests)


def _started(values: dict[str, Any], folder: Path, number: int) -> Any:
    own = values | {"DATA_DIR": str(folder / str(number))}
    process = get_context("spawn").Process(target=hold, args=(own,), daemon=True)
    process.start()
    return process


def _kill_one(processes: list[Any], values: dict[str, Any], store: Store, folder: Path) -> None:
    """The one that decides; another one becomes the standby."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        holder = Lease(store, JOB).holder().split()
        for number, process in enumerate(processes):
            if str(process.pid) in holder:
                process.kill()
                process.join()
                processes[number] = _started(values, folder, number)
                return
        time.sleep(0.02)


def test_a_process_that_hung_for_longer_than_its_lease_stores_nothing(values: dict[str, Any], store: Store) -> None:
    process = get_context("spawn").Process(target=hold, args=(values,), daemon=True)
    process.start()
    wait_until(lambda: bool(generation_of(Lease(store, JOB))), "a process that decides")
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    with holding(values, store) as holder:
        wait_until(lambda: len(holder.decide([request(headline(1))], 1)) == 1, "another process to decide")
        os.kill(process.pid, signal.SIGCONT)
        store_group(store, [request(headline(1))], {})
        wait_until(lambda: not undecided(store), "the verdict")
        time.sleep(2 * LEASE)
        assert str(os.getpid()) in Lease(store, JOB).holder()
        assert sorted(row["place"] for row in store.select(PROPAGATION)) == [1, 2]
    process.kill()
    process.join()


def test_the_analysis_decides_what_a_crawl_has_left_over(values: dict[str, Any], store: Store) -> None:
    store_group(store, [request(headline(1)), request(headline(1))], {})
    with titles_decided(Settings(values | {"TITLES_ENABLED": False}), store, follow=False):
        assert undecided(store) == 2
    with titles_decided(Settings(values), store, follow=True):
        wait_until(lambda: not undecided(store), "the verdicts")
        lease = Lease(store, JOB)
        wait_until(lease.gain, "the analysis to leave titles to crawls")
        lease.release()
    store_group(store, [request(headline(2))], {})
    with titles_decided(Settings(values), store, follow=False):
        assert not undecided(store)


def test_requests_are_bounded_and_nothing_is_asked_while_redis_is_unavailable(
    values: dict[str, Any], own_redis: ServerProcess, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    values |= {"FRONTIER": "shared", "REDIS_URL": own_redis.address}
    monkeypatch.setattr(redis_requests, "_MAX_REQUESTS", 4)
    settings = Settings(values)
    with holding(values, store) as holder:
        holder.decide([request(headline(1))], 30)
    asker, generation = open_asker(settings, store), generation_of(Lease(store, JOB))
    assert asker is not None
    assert asker.ask([request(headline(1), text="长" * 20_000)], 0.1) == {}, "what is too large is not sent"
    requests = news(6)
    assert asker.ask(requests, 0.1) == {}
    with redis.Redis.from_url(own_redis.address) as client:
        [key] = client.keys()
        assert client.llen(key) == 4
        assert 0 < client.ttl(key) <= 60
        client.rpush(key, b"\x01")
    with open_inbox(settings, generation) as inbox:
        waiting = inbox.take(256, 0.1, threading.Event())
        assert [asked.request for asked in waiting] == requests[2:]
        own_redis.kill()
        inbox.answer(waiting, {})
        assert inbox.take(256, 0.1, threading.Event()) == []
    assert asker.ask(requests, 0.1) == {}
    asker.close()
