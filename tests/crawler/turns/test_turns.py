"""All processes that ask a host share its delay and its limit of requests in progress; a dead one holds it for one delay, and no
fault of the store stops a crawl."""

import asyncio
import logging
import sqlite3
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from crawler.config.hours import Politeness
from crawler.config.sites import Sites
from crawler.meta import ATTEMPT_KEY, GIVE_BACK_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.middlewares.turns import AddressOf, TurnMiddleware
from crawler.turns import HostTurn, HostTurns, open_turns
from crawler.turns.local_turns import LocalTurns
from testbed.servers import free_port

DELAY, CRAWLS, REQUESTS = 0.1, 4, 6


@pytest.fixture(params=["local", "shared"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Of crawls on one machine, and in a cluster with a real Redis."""
    shared = {"REDIS_URL": request.getfixturevalue("redis_url")} if request.param == "shared" else {}
    return Settings({"FRONTIER": request.param, "DATA_DIR": str(tmp_path), **shared})


def crawl(
    settings: Settings,
    slower: dict[str, float] | None = None,
    address_of: AddressOf | None = None,
    delay: float = DELAY,
    places: int = 100,
) -> tuple[TurnMiddleware, HostTurns]:
    turns = open_turns(settings)
    return TurnMiddleware(turns, Sites(), Politeness(delay, places), slower or {}, address_of), turns


def turn(host: str, delay: float, places: int = 100, token: str = "one") -> HostTurn:
    return HostTurn(host, delay, places, token)


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
            await one.take(turn("a.example", 0.2)),
            await other.take(turn("a.example", 0.2)),
            await other.take(turn("b.example", 0.2)),
        ]
        one.close()
        await asyncio.sleep(found[1] + 0.01)
        found.append(await other.take(turn("a.example", 0.2)))
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
        assert asyncio.run(turns.take(turn("a.example", 1.0))) == 0.0
        now[0] = 5.0
        assert asyncio.run(turns.take(turn("a.example", 1.0))) == 0.0
        assert asyncio.run(turns.take(turn("a.example", 1.0))) == 1.0


def test_a_file_that_another_process_holds_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "turns.db"
    with closing(LocalTurns(path)) as turns, closing(sqlite3.connect(path, isolation_level=None)) as stopped:
        asyncio.run(turns.take(turn("a.example", 1.0)))
        stopped.execute("BEGIN IMMEDIATE")
        assert 0.0 < asyncio.run(turns.take(turn("b.example", 1.0))) <= 0.1
        stopped.execute("ROLLBACK")
        assert asyncio.run(turns.take(turn("b.example", 1.0))) == 0.0


def test_without_a_store_the_crawl_goes_on_and_says_so_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "turns.db").write_bytes(b"no database" * 100)
    away = Settings({"FRONTIER": "shared", "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"})
    for settings in (Settings({"FRONTIER": "local", "DATA_DIR": str(tmp_path)}), away):
        caplog.clear()
        with caplog.at_level(logging.WARNING), closing(open_turns(settings)) as turns:
            assert [asyncio.run(turns.take(turn("a.example", 1.0))) for _ in range(3)] == [0.0, 0.0, 0.0]
        assert len(caplog.records) == 1


def test_all_crawls_share_the_limit_of_requests_in_progress(settings: Settings) -> None:
    async def run() -> list[float]:
        (_, one), (_, other) = crawl(settings), crawl(settings)
        first, second, third = (turn("a.example", 0.01, 2, token) for token in ("1", "2", "3"))
        found = [await one.take(first)]
        await asyncio.sleep(0.02)
        found.append(await other.take(second))
        await asyncio.sleep(0.02)
        found.append(await other.take(third))
        await one.end(first)
        found.append(await other.take(third))
        one.close()
        other.close()
        return found

    first, second, full, after = asyncio.run(run())
    assert (first, second, after) == (0.0, 0.0, 0.0)
    assert full > 0


def test_a_killed_process_gives_its_places_back_in_time(tmp_path: Path) -> None:
    now = [0.0]
    with closing(LocalTurns(tmp_path / "turns.db", lambda: now[0])) as turns:
        assert asyncio.run(turns.take(turn("a.example", 1.0, 1, "killed"))) == 0.0
        now[0] = 60.0
        assert asyncio.run(turns.take(turn("a.example", 1.0, 1, "next"))) > 0.0
        now[0] = 121.0
        assert asyncio.run(turns.take(turn("a.example", 1.0, 1, "next"))) == 0.0


def test_an_answer_and_a_failure_end_a_turn(settings: Settings) -> None:
    async def run() -> float:
        middleware, turns = crawl(settings, delay=0.001, places=1)
        for number in range(4):
            request = Request(f"http://a.example/{number}")
            await middleware.process_request(request)
            if number % 2:
                await middleware.process_response(request, Response(request.url))
            else:
                await middleware.process_exception(request, OSError())
        turns.close()
        return time.monotonic()

    begun = time.monotonic()
    assert asyncio.run(run()) - begun < 1.0


def test_one_request_waits_and_others_of_the_queue_go_back(settings: Settings) -> None:
    async def run() -> list[Request]:
        (middleware, turns), (_, other) = crawl(settings), crawl(settings)
        await other.take(turn("a.example", 0.3))
        queued = [Request(f"http://a.example/{number}", meta={ATTEMPT_KEY: 1}) for number in range(3)]
        free = Request("http://b.example/", meta={ATTEMPT_KEY: 1})
        answers = await asyncio.gather(
            *(middleware.process_request(each) for each in [*queued, free]), return_exceptions=True
        )
        assert [type(each) for each in answers] == [type(None), NoAnswerError, NoAnswerError, type(None)]
        turns.close()
        other.close()
        return queued

    assert [bool(each.meta.get(GIVE_BACK_KEY)) for each in asyncio.run(run())] == [False, True, True]


def test_hosts_at_one_address_wait_for_each_other_if_asked(settings: Settings) -> None:
    async def address_of(host: str) -> str:
        return "" if host == "unknown.example" else "192.0.2.1"

    async def run(address_of: AddressOf | None, *requests: Request) -> float:
        middleware, turns = crawl(settings, address_of=address_of)
        begun = time.monotonic()
        for request in requests:
            await middleware.process_request(request)
        turns.close()
        return time.monotonic() - begun

    hosts = [Request(f"http://{name}.example/") for name in ("c", "d")]
    through = Request("http://e.example/", meta={"proxy": "http://p.example:1"})
    assert asyncio.run(run(None, *hosts)) < DELAY
    assert asyncio.run(run(address_of, Request("http://f.example/"), Request("http://g.example/"))) >= DELAY * 0.99
    assert asyncio.run(run(address_of, Request("http://unknown.example/"), through)) < DELAY


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_setting_asks_for_it(is_asked: bool, tmp_path: Path) -> None:
    crawler = get_crawler(
        settings_dict={"FRONTIER_PER_ADDRESS": is_asked, "DATA_DIR": str(tmp_path), "FRONTIER_HOST_DELAY": 0.1}
    )
    assert (TurnMiddleware.from_crawler(crawler)._address_of is not None) == is_asked
