"""A crawl whose hosts are divided among several Redis servers: nothing is lost or done twice while servers come and go."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.spider import DefaultSpider

from crawler.frontier.base import Entry, Frontier, FrontierError
from crawler.frontier.shared import moving
from crawler.frontier.shared.divided import DividedFrontier
from crawler.frontier.shared.moving import wanted_moves
from crawler.frontier.shared.opening import homes, known_crawls, open_for_operator, open_frontier, rebalance
from crawler.frontier.shared.server import Scripts
from tests.servers import NoServerError, ServerProcess, redis_server

Scene = Callable[[Frontier], Awaitable[None]]
HOSTS = 40


@pytest.fixture(scope="module")
def module_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    try:
        folder = tmp_path_factory.mktemp("servers")
        made = [redis_server(folder / str(place), "--appendonly", "yes") for place in range(3)]
    except NoServerError as error:
        pytest.skip(str(error))
    try:
        yield [server.start() for server in made]
    finally:
        for server in made:
            server.stop()


@pytest.fixture
def servers(module_servers: list[ServerProcess]) -> list[ServerProcess]:
    for server in module_servers:
        with redis.Redis.from_url(server.address) as client:
            client.flushall()
    return module_servers


def settings(*servers: ServerProcess, **more: Any) -> Settings:
    own = {"FRONTIER": "shared", "FRONTIER_SERVERS": [server.address for server in servers], "CONCURRENT_REQUESTS": 8}
    own |= {"SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests", "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:seen"}
    own |= {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 100, "REDIS_PARAMS": {"socket_timeout": 1.0}}
    return Settings({**own, **more})


def entries(first: int, count: int) -> list[Entry]:
    return [Entry(key, f"h{key % HOSTS}", 0, str(key).encode()) for key in range(first, first + count)]


async def work(frontier: Frontier, until: int, fetched: "Counter[bytes]") -> None:
    """Fetch until so many different pages are done."""
    while len(fetched) < until:
        for lease in frontier.pop(4):
            fetched[lease.payload] += 1
            frontier.ack([lease.token])
        await asyncio.sleep(0.002)


async def reached(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not what():
            await asyncio.sleep(0.01)


def crawl(scene: Scene, values: Settings) -> None:
    async def play() -> None:
        frontier = open_frontier(Crawler(DefaultSpider, values.copy()))
        frontier.begin()
        async with asyncio.timeout(60):
            await scene(frontier)
        frontier.close()

    asyncio.run(play())


def accounts(values: Settings) -> tuple[int, int, int]:
    frontier = open_for_operator(values, "default", to_change=False)
    found = frontier.accounts()
    frontier.close()
    return found.queued, found.leased, found.done


def seen_at(server: ServerProcess) -> list[int]:
    with redis.Redis.from_url(server.address) as client:
        return [int(key) for name in client.scan_iter("*:seen:*") for key in client.smembers(name)]


def test_hosts_are_divided_and_everything_is_done_once(servers: list[ServerProcess]) -> None:
    values, fetched = settings(*servers), Counter[bytes]()

    async def scene(frontier: Frontier) -> None:
        assert isinstance(frontier, DividedFrontier)
        assert sum(frontier.push(entries(0, 300))) == 300
        await work(frontier, 300, fetched)
        assert not any(frontier.push(entries(0, 300)))
        await frontier.delivered()

    crawl(scene, values)
    assert set(fetched.values()) == {1}
    assert accounts(values) == (0, 0, 300)
    assert known_crawls(values) == ["default"]
    assert sorted(Counter(homes(values, "default")).values()) == [5, 5, 6]
    seen = [seen_at(server) for server in servers]
    assert all(seen)
    assert sorted(key for keys in seen for key in keys) == list(range(300))


def test_a_finished_crawl_begins_again_and_an_unfinished_one_goes_on(servers: list[ServerProcess]) -> None:
    values = settings(*servers[:2])

    async def half(frontier: Frontier) -> None:
        frontier.push(entries(0, 100))
        await work(frontier, 50, Counter())

    async def rest(frontier: Frontier) -> None:
        assert frontier.accounts().enqueued == 100
        await work(frontier, 100 - accounts(values)[2], Counter())

    async def again(frontier: Frontier) -> None:
        assert frontier.push(entries(0, 5)) == [True] * 5
        await frontier.delivered()
        assert frontier.accounts().enqueued == 5

    for scene in (half, rest, again):
        crawl(scene, values)


def test_the_others_go_on_while_a_server_is_away(
    servers: list[ServerProcess], caplog: pytest.LogCaptureFixture
) -> None:
    values, fetched = settings(*servers[:2]), Counter[bytes]()
    lost = servers[1]

    async def scene(frontier: Frontier) -> None:
        frontier.push(entries(0, 400))
        await frontier.delivered()
        await work(frontier, 40, fetched)
        lost.kill()
        table = homes(values, "default")
        there = [
            host for host in frontier.hosts() if table[part_of(frontier, host.host)].startswith(address(servers[0]))
        ]
        assert 0 < accounts(values)[0] < 400
        await work(frontier, max(len(fetched), sum(host.queued for host in there) // 2), fetched)
        assert not frontier.away
        frontier.push(entries(400, 80))
        await work(frontier, len(fetched) + 10, fetched)
        lost.start()
        await work(frontier, 480, fetched)
        await reached(lambda: frontier.accounts().done == 480)

    with caplog.at_level(logging.INFO):
        crawl(scene, values)
    assert caplog.text.count("Nothing is lost") == caplog.text.count("Redis is back") == 1
    assert "its hosts are left out" in caplog.text
    assert sum(fetched.values()) - 480 <= 16
    assert accounts(values) == (0, 0, 480)


def part_of(frontier: Frontier, host: str) -> int:
    assert isinstance(frontier, DividedFrontier)
    return frontier._part_of(host)


def address(server: ServerProcess) -> str:
    return f"127.0.0.1:{server.port}/"


def test_a_page_is_done_after_its_links_are_on_other_servers(servers: list[ServerProcess]) -> None:
    values = settings(*servers[:2])

    async def scene(frontier: Frontier) -> None:
        table = homes(values, "default")
        hosts: dict[str, str] = {table[part_of(frontier, f"h{number}")]: f"h{number}" for number in range(HOSTS)}
        first, second = (hosts[f"127.0.0.1:{server.port}/0"] for server in servers[:2])
        frontier.push([Entry(1, first, 0, b"parent")])
        leases = []
        await reached(lambda: bool(leases.extend(frontier.pop(1)) or leases))
        servers[1].pause()
        frontier.push([Entry(2, second, 0, b"child")])
        assert frontier.ack([leases[0].token]) == 1
        frontier.push([Entry(3, first, 0, b"other")])
        await reached(lambda: frontier.accounts().queued == 1)
        frontier.heartbeat()
        await asyncio.sleep(0.2)
        with redis.Redis.from_url(servers[0].address) as client:
            done = [client.hget(name, "done") for name in client.scan_iter("*:requests", _type="hash")]
        assert not any(map(int, filter(None, done)))
        servers[1].resume()
        await reached(lambda: frontier.accounts().done == 1)

    crawl(scene, values)
    assert accounts(values) == (2, 0, 1)


class BrokenOffError(Exception):
    """The machine of the command went away."""


def test_a_crawl_grows_over_servers_while_it_runs(
    servers: list[ServerProcess], monkeypatch: pytest.MonkeyPatch, short_heads: None
) -> None:
    monkeypatch.setattr(moving, "_MEMBERS", 5)
    monkeypatch.setattr(moving, "_FIELDS", 1)
    monkeypatch.setattr(moving, "_BYTES", 300)
    values, fetched = settings(servers[0], FRONTIER_PARTS=4), Counter[bytes]()
    more = settings(*servers)
    steps = Counter[str]()
    run = Scripts.run

    def broken(self: Scripts, name: str, keys: Any, arguments: Any) -> Any:
        if name == "move":
            steps[arguments[0]] += 1
            if arguments[0] == "leave" and steps["leave"] == 1:
                run(self, name, keys, arguments)
                raise BrokenOffError
            if steps["take"] == 3 or (arguments[0] == "clear" and steps["clear"] == 2):
                steps["take"] += 1
                raise BrokenOffError
        return run(self, name, keys, arguments)

    async def scene(frontier: Frontier) -> None:
        frontier.push(entries(0, 400))
        await frontier.delivered()
        working = asyncio.create_task(work(frontier, 600, fetched))
        await reached(lambda: len(fetched) > 40)
        monkeypatch.setattr(Scripts, "run", broken)
        for _ in range(3):
            with pytest.raises(BrokenOffError):
                await asyncio.to_thread(rebalance, more, "default", print)
            await asyncio.sleep(0.05)
        frontier.push(entries(400, 200))
        await asyncio.to_thread(rebalance, more, "default", print)
        await working
        await reached(lambda: frontier.accounts().done == 600)

    crawl(scene, values)
    assert set(fetched.values()) == {1}
    assert sorted(Counter(homes(more, "default")).values()) == [1, 1, 2]
    assert accounts(more) == (0, 0, 600)
    seen = [seen_at(server) for server in servers]
    assert all(seen)
    assert sorted(key for keys in seen for key in keys) == list(range(600))


def test_two_commands_do_not_move_the_same_part(servers: list[ServerProcess], monkeypatch: pytest.MonkeyPatch) -> None:
    values, more = settings(servers[0], FRONTIER_PARTS=2), settings(*servers[:2])

    async def scene(frontier: Frontier) -> None:
        frontier.push(entries(0, 100))
        await frontier.delivered()

    crawl(scene, values)
    run, entered = Scripts.run, [0]

    def meanwhile(self: Scripts, name: str, keys: Any, arguments: Any) -> Any:
        if name == "move" and arguments[0] == "take" and not entered[0]:
            entered[0] = 1
            rebalance(more, "default", print)
        return run(self, name, keys, arguments)

    monkeypatch.setattr(Scripts, "run", meanwhile)
    with pytest.raises(FrontierError, match="Another command"):
        rebalance(more, "default", print)
    assert accounts(more) == (100, 0, 0)
    assert len(set(homes(more, "default"))) == 2


def test_a_crawl_in_one_piece_stays_so_and_says_it(servers: list[ServerProcess]) -> None:
    async def scene(frontier: Frontier) -> None:
        assert not isinstance(frontier, DividedFrontier)
        frontier.push(entries(0, 10))

    async def later(frontier: Frontier) -> None:
        assert not isinstance(frontier, DividedFrontier)
        assert frontier.accounts().queued == 10

    crawl(scene, settings(servers[0]))
    crawl(later, settings(*servers))
    with pytest.raises(FrontierError, match="in one piece"):
        rebalance(settings(*servers), "default", print)
    open_for_operator(settings(*servers), "default", to_change=True).purge()
    crawl(lambda frontier: asyncio.sleep(0), settings(*servers))
    assert len(homes(settings(*servers), "default")) == 16


def test_a_server_that_waits_in_vain_for_a_part_is_freed(servers: list[ServerProcess]) -> None:
    values = settings(*servers[:2])

    async def scene(frontier: Frontier) -> None:
        frontier.push(entries(0, 50))
        await frontier.delivered()

    crawl(scene, values)
    with redis.Redis.from_url(servers[0].address) as client:
        name = next(iter(client.scan_iter("*|0*requests")))
        client.hset(name, "moved", "?left behind")
    with pytest.raises(FrontierError, match="being moved"):
        open_for_operator(values, "default", to_change=True).requeue()
    rebalance(values, "default", print)
    assert accounts(values) == (50, 0, 0)


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=20),
    st.lists(st.sampled_from("abcdef"), min_size=1, unique=True),
)
def test_moves_make_parts_even_and_are_few(homes_now: list[str], addresses: list[str]) -> None:
    moves = wanted_moves(homes_now, addresses)
    after = list(homes_now)
    for move in moves:
        assert after[move.part] == move.source != move.target
        after[move.part] = move.target
    shares = [after.count(address) for address in addresses]
    assert sum(shares) == len(after)
    assert max(shares) - min(shares) <= 1
    least, surplus = divmod(len(after), len(addresses))
    stay = sorted((homes_now.count(address) for address in addresses), reverse=True)
    assert len(moves) == len(after) - sum(min(count, least + (place < surplus)) for place, count in enumerate(stay))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"FRONTIER_SERVERS": ["redis://a:1/0", "redis://a:1/0"]}, "twice"),
        ({"FRONTIER_SERVERS": ["a:1"]}, "lists URLs"),
        ({"FRONTIER_SERVERS": ["redis://a:1/0"], "REDIS_SENTINELS": ["b:1"]}, "does not go with"),
    ],
)
def test_settings_that_make_no_sense_get_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(FrontierError, match=said):
        known_crawls(settings(**wrong))


def test_all_servers_away_is_said(tmp_path: Path) -> None:
    away = settings(FRONTIER_SERVERS=["redis://127.0.0.1:1/0", "redis://127.0.0.1:2/0"])
    before = time.monotonic()
    with pytest.raises(FrontierError, match="Redis is away"):
        known_crawls(away)
    assert time.monotonic() - before < 10
