"""Whole crawls in processes of their own, killed and fed, on both frontiers: nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from crawler.frontier.local.sqlite import SqliteFrontier
from testbed.local_server import AnsweringHandler, serving
from testbed.servers import ServerProcess, wait_until

PAGES = 160
CONCURRENCY = 16


class NumbersSite:
    """Page n links to 2n + 1 and 2n + 2; every page takes some time, so that kills hit pages under way."""

    def __init__(self) -> None:
        self.served: Counter[str] = Counter()
        self.times: list[float] = []
        self.answers = threading.Event()
        """Until it is set, every page waits."""
        self.answers.set()
        self.last = 0
        """The request from which on every page waits; 0 for none."""
        site = self

        class Handler(AnsweringHandler):
            def do_GET(self) -> None:
                site.served[self.path] += 1
                site.times.append(time.monotonic())
                if 0 < site.last <= sum(site.served.values()):
                    site.last = 0
                    site.answers.clear()
                site.answers.wait(60)
                time.sleep(0.05)
                number = int(self.path.rpartition("/")[2])
                links = [child for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
                self.answer("".join(f"<a href='/{child}'>{child}</a>" for child in links))

        self.handler = Handler
        self.root = ""


@pytest.fixture
def site() -> Iterator[NumbersSite]:
    site = NumbersSite()
    with serving(site.handler) as server:
        site.root = f"http://127.0.0.1:{server.server_port}"
        yield site


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def pages_file(tmp_path: Path) -> Path:
    return tmp_path / "pages"


@pytest.fixture
def start(tmp_path: Path, site: NumbersSite, pages_file: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(**settings: Any) -> subprocess.Popen[bytes]:
        own = {
            "START": f"{site.root}/0",
            "PAGES_FILE": str(pages_file),
            "DATA_DIR": str(tmp_path),
            "CONCURRENT_REQUESTS": CONCURRENCY,
            "LOG_FILE": str(tmp_path / f"log{len(started)}"),
            "FRONTIER": "local",
        }
        command = [sys.executable, "-m", "tests.crawler.frontier.crawl_script", json.dumps(own | settings)]
        started.append(subprocess.Popen(command))
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def shared(url: str) -> dict[str, str]:
    return {"FRONTIER": "shared", "REDIS_URL": url}


def stored(path: Path) -> set[str]:
    return {line.rpartition("/")[2] for line in path.read_text().split()}


EVERYTHING = {str(number) for number in range(PAGES)}


def served_at_least(site: NumbersSite, count: int) -> Callable[[], bool]:
    return lambda: sum(site.served.values()) >= count


def test_a_killed_crawl_started_again_loses_nothing(start: Start, site: NumbersSite, pages_file: Path) -> None:
    for share in (0.2, 0.6):
        process = start()
        wait_until(served_at_least(site, int(PAGES * share)), "the crawl")
        process.kill()
        process.wait()
    assert start().wait(120) == 0
    assert stored(pages_file) == EVERYTHING


def test_a_kill_costs_the_pages_under_way_alone(
    start: Start, site: NumbersSite, pages_file: Path, tmp_path: Path
) -> None:
    site.last = PAGES // 3
    process = start()
    wait_until(lambda: not site.answers.is_set(), "the crawl")
    wait_until(all_committed(tmp_path, pages_file), "the commit of what is done", 60)
    process.kill()
    process.wait()
    site.answers.set()
    assert start().wait(120) == 0
    assert stored(pages_file) == EVERYTHING
    assert sum(site.served.values()) - PAGES <= CONCURRENCY


def all_committed(data_dir: Path, pages_file: Path) -> Callable[[], bool]:
    """Whether every page that was stored is done in the frontier's file, and as many as possible are under way."""
    (file,) = (data_dir / "frontier").glob("*.db")

    def holds() -> bool:
        accounts = SqliteFrontier(file, exclusive=False).accounts()
        return accounts.leased == CONCURRENCY and accounts.done == len(pages_file.read_text().split())

    return holds


def test_one_of_two_nodes_is_killed(start: Start, site: NumbersSite, pages_file: Path, redis_url: str) -> None:
    survivor, victim = start(**shared(redis_url)), start(**shared(redis_url))
    wait_until(served_at_least(site, PAGES // 3), "the crawl")
    victim.kill()
    victim.wait()
    assert survivor.wait(120) == 0
    assert stored(pages_file) == EVERYTHING
    assert sum(site.served.values()) - PAGES <= CONCURRENCY
    with redis.Redis.from_url(redis_url) as client:
        assert client.hmget("{numbers}:requests", "queued", "leased", "done", "dead")[:3] == [
            b"0",
            b"0",
            str(PAGES).encode(),
        ]


def test_redis_is_killed_and_comes_back(
    start: Start, site: NumbersSite, pages_file: Path, own_redis: ServerProcess, tmp_path: Path
) -> None:
    site.answers.clear()
    nodes = [start(**shared(own_redis.address)), start(**shared(own_redis.address))]
    logs = [tmp_path / "log0", tmp_path / "log1"]
    wait_until(lambda: all(log.exists() and "Spider opened" in log.read_text() for log in logs), "both nodes", 60)
    site.answers.set()
    wait_until(served_at_least(site, PAGES // 3), "the crawl")
    own_redis.kill()
    time.sleep(1.5)
    own_redis.start()
    assert [node.wait(120) for node in nodes] == [0, 0]
    assert stored(pages_file) == EVERYTHING
    log = logs[0].read_text()
    assert log.count("Redis is unavailable") == 1
    assert log.count("Redis is back") == 1
    assert "Traceback" not in log


def test_start_urls_feed_idle_nodes_at_once(
    start: Start, site: NumbersSite, pages_file: Path, redis_url: str, tmp_path: Path
) -> None:
    node = start(**shared(redis_url), START="")
    with redis.Redis.from_url(redis_url) as client:
        wait_until(lambda: bool(client.exists("{numbers}:requests")), "the node's start")
        time.sleep(1.0)
        fed = time.monotonic()
        client.lpush("numbers:start_urls", f"{site.root}/{PAGES - 2}", json.dumps({"url": f"{site.root}/{PAGES - 1}"}))
        wait_until(served_at_least(site, 2), "the start URLs")
        assert site.times[0] - fed < 2.0
        wait_until(lambda: not client.exists("numbers:start_urls:taken"), "the confirmation")
    os.kill(node.pid, signal.SIGTERM)
    assert node.wait(120) == 0
    assert stored(pages_file) == {str(PAGES - 2), str(PAGES - 1)}


def test_a_start_url_that_cannot_be_read_is_skipped_with_a_sentence(
    start: Start, site: NumbersSite, pages_file: Path, redis_url: str, tmp_path: Path
) -> None:
    node = start(**shared(redis_url), START="")
    poison = ['{"a":' * 100_000, '{"url": 5}', "[" * 50_000, "\x00", '{"url": "http://x/", "meta": 7}', "é" * 9]
    with redis.Redis.from_url(redis_url) as client:
        wait_until(lambda: bool(client.exists("{numbers}:requests")), "the node's start")
        client.lpush("numbers:start_urls", *poison, b"\xff\xfe", f"{site.root}/{PAGES - 1}")
        wait_until(served_at_least(site, 1), "the start URL behind")
        wait_until(lambda: not client.exists("numbers:start_urls", "numbers:start_urls:taken"), "the confirmation")
    os.kill(node.pid, signal.SIGTERM)
    assert node.wait(120) == 0
    log = (tmp_path / "log0").read_text()
    assert log.count("A start URL was skipped") == len(poison) + 1
    assert "Traceback" not in log


def test_poison_ends_in_the_dead_list_and_the_crawl_ends(
    start: Start, site: NumbersSite, pages_file: Path, redis_url: str
) -> None:
    node = start(**shared(redis_url), START=f"{site.root}/poison/{PAGES - 1}")
    assert node.wait(120) == 0
    assert site.served[f"/poison/{PAGES - 1}"] == 5
    with redis.Redis.from_url(redis_url) as client:
        assert client.hget("{numbers}:requests", "dead") == b"1"


def test_politeness_holds_over_two_nodes(start: Start, site: NumbersSite, pages_file: Path, redis_url: str) -> None:
    settings = shared(redis_url) | {"FRONTIER_HOST_DELAY": 0.1}
    nodes = [start(**settings), start(**settings)]
    wait_until(served_at_least(site, 30), "thirty pages")
    for node in nodes:
        node.kill()
    times = site.times[5:30]
    assert len(times) / (times[-1] - times[0]) < 10.6
