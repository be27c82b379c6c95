"""All processes that ask a host share its delay; a dead one holds it for one delay, and no fault of the store stops a crawl."""

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings

from crawler.config.sites import Sites
from crawler.middlewares.turns import TurnMiddleware
from crawler.turns import HostTurns, open_turns
from crawler.turns.local_turns import LocalTurns
from testbed.servers import free_port

DELAY, CRAWLS, REQUESTS = 0.1, 4, 6


@pytest.fixture(params=["local", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Of crawls on one machine, and in a cluster with a real Redis."""
    shared = {"REDIS_URL": request.getfixturevalue("redis_url")} if request.param == "shared" else {}
    return Settings({"FRONTIER": request.param, "DATA_DIR": str(tmp_path), **shared})


def crawl(settings: Settings, slower: dict[str, float] | None = None) -> tuple[TurnMiddleware, HostTurns]:
    turns = open_turns(settings)
    return TurnMiddleware(turns, Sites(), DELAY, slower or {}), turns


def test_several_crawls_share_the_delay_of_a_host(settings: Settings) -> None:
    sent: list[float] = []

    async def ask(middleware: TurnMiddleware) -> None:
        await middleware.process_request(Request("http://a.example/"))
        sent.append(time.monotonic())

    async def ask_all() -> None:
        await asyncio.gather(*(ask(middleware) for middleware, _ in crawls for _ in range(REQUESTS)))

    crawls = [crawl(settings) for _ in range(CRAWLS)]
    begun = time.monotonic()
    asyncio.run(ask_all())
    gaps = [after - before for before, after in pairwise(sent)]
    for _, turns in crawls:
        turns.close()
    assert len(sent) == CRAWLS * REQUESTS
    assert sorted(gaps)[1] > 0.8 * DELAY  # a busy machine may be late with one
    assert sent[-1] - begun >= (CRAWLS * REQUESTS - 1) * DELAY * 0.99
    assert sent[-1] - begun < 3 * CRAWLS * REQUESTS * DELAY


def test_hosts_do_not_wait_for_each_other_and_a_dead_process_holds_one_delay(settings: Settings) -> None:
    async def take() -> list[float]:
        (_, one), (_, other) = crawl(settings), crawl(settings)
        found = [
            await one.take("a.example", 0.2),
            await other.take("a.example", 0.2),
            await other.take("b.example", 0.2),
        ]
        one.close()
        await asyncio.sleep(found[1] + 0.01)
        found.append(await other.take("a.example", 0.2))
        other.close()
        return found

    first, second, of_other_host, later = asyncio.run(take())
    assert (first, of_other_host, later) == (0.0, 0.0, 0.0)
    assert 0.0 < second <= 0.2


def test_robots_may_ask_for_more(settings: Settings) -> None:
    middleware, turns = crawl(settings, {"a.example": 0.3})

    async def ask() -> float:
        for _ in range(2):
            await middleware.process_request(Request("http://a.example/"))
        return time.monotonic()

    begun = time.monotonic()
    assert asyncio.run(ask()) - begun >= 0.29
    turns.close()


def test_a_moment_from_before_the_machine_started_again_holds_nobody(tmp_path: Path) -> None:
    path, now = tmp_path / "turns.db", [1e6]
    with closing(LocalTurns(path, lambda: now[0])) as turns:
        assert asyncio.run(turns.take("a.example", 1.0)) == 0.0
        now[0] = 5.0
        assert asyncio.run(turns.take("a.example", 1.0)) == 0.0
        assert asyncio.run(turns.take("a.example", 1.0)) == 1.0


def test_a_file_that_another_process_holds_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "turns.db"
    with closing(LocalTurns(path)) as turns, closing(sqlite3.connect(path, isolation_level=None)) as stopped:
        asyncio.run(turns.take("a.example", 1.0))
        stopped.execute("BEGIN IMMEDIATE")
        assert 0.0 < asyncio.run(turns.take("b.example", 1.0)) <= 0.1
        stopped.execute("ROLLBACK")
        assert asyncio.run(turns.take("b.example", 1.0)) == 0.0


def test_without_a_store_the_crawl_goes_on_and_says_so_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "turns.db").write_bytes(b"no database" * 100)
    away = Settings({"FRONTIER": "shared", "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"})
    for settings in (Settings({"FRONTIER": "local", "DATA_DIR": str(tmp_path)}), away):
        caplog.clear()
        with caplog.at_level(logging.WARNING), closing(open_turns(settings)) as turns:
            assert [asyncio.run(turns.take("a.example", 1.0)) for _ in range(3)] == [0.0, 0.0, 0.0]
        assert len(caplog.records) == 1
