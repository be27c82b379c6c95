"""A crawl in a Redis Cluster: nothing is lost while slots move and servers die, and hosts of living servers go on."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.spider import DefaultSpider

from crawler.frontier.base import FrontierError, QueueEntry
from crawler.frontier.shared.opening import check, known_crawls, open_for_operator, open_frontier
from crawler.frontier.shared.server import connect
from crawler.frontier.shared.sharded import ShardedFrontier
from testbed.servers import RedisClusterServers, ServerProcess, slot_of
from tests.crawler.frontier.direct import DirectFrontier

Scene = Callable[[ShardedFrontier], Awaitable[None]]
HOSTS, CAPACITY = 40, 8
pytestmark = pytest.mark.slow


def settings(cluster: RedisClusterServers, **more: Any) -> Settings:
    own = {"FRONTIER": "shared", "REDIS_URL": cluster.address, "REDIS_CLUSTER": "1", "CONCURRENT_REQUESTS": CAPACITY}
    own |= {"SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests", "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:seen"}
    own |= {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 2, "REDIS_PARAMS": {"socket_timeout": 1.0}}
    return Settings({**own, **more})


def page(key: int) -> QueueEntry:
    return QueueEntry(key, f"h{key * 7 % HOSTS}", 0, str(key).encode())


def links(key: int, count: int) -> list[QueueEntry]:
    """Every page links to two further ones, mostly on other hosts, and to its parent."""
    return [page(other) for other in (2 * key + 1, 2 * key + 2, (key - 1) // 2) if 0 <= other < count]


class Web:
    """Pages that link to each other, and how often each was fetched."""

    def __init__(self, count: int) -> None:
        self.count, self.limit = count, count + 100
        self.fetched = Counter[int]()

    async def crawl(self, frontier: ShardedFrontier) -> None:
        """Until every page was fetched, but no more than `limit` for now; some pages at a time, each a moment."""
        await asyncio.gather(*(self._fetch_some(frontier) for _ in range(CAPACITY)))

    async def _fetch_some(self, frontier: ShardedFrontier) -> None:
        while len(self.fetched) < self.count:
            for lease in frontier.pop(1) if len(self.fetched) < self.limit else ():
                await asyncio.sleep(0.003)
                self.fetched[int(lease.payload)] += 1
                frontier.push(links(int(lease.payload), self.count))
                frontier.ack([lease.token])
            await asyncio.sleep(0.001)

    def again(self) -> int:
        """Pages beyond the first fetch of each."""
        return sum(self.fetched.values()) - len(self.fetched)


async def reached(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not what():
            await asyncio.sleep(0.01)


def play(scene: Scene, values: Settings) -> None:
    async def whole() -> None:
        frontier = open_frontier(Crawler(DefaultSpider, values.copy()))
        assert isinstance(frontier, ShardedFrontier)
        frontier.begin()
        try:
            async with asyncio.timeout(90):
                await scene(frontier)
        finally:
            frontier.close()

    asyncio.run(whole())


def accounts(values: Settings) -> tuple[int, int, int]:
    frontier = open_for_operator(values, "default", to_change=False)
    found = frontier.accounts()
    frontier.close()
    return found.queued, found.leased, found.done


def slots() -> list[int]:
    """Of the shards."""
    return [slot_of(f"{{default|{shard}}}:requests") for shard in range(16)]


def hosts_on(cluster: RedisClusterServers, server: ServerProcess, frontier: ShardedFrontier) -> set[str]:
    owned = {shard for shard, slot in enumerate(slots()) if cluster.owner(slot) is server}
    return {host for host in (f"h{number}" for number in range(HOSTS)) if frontier._shard_of(host) in owned}


def test_slots_move_during_a_crawl(redis_cluster: RedisClusterServers, caplog: pytest.LogCaptureFixture) -> None:
    values, web = settings(redis_cluster), Web(2000)
    web.limit = 1800

    def reshard() -> None:
        masters = [redis_cluster.add(), *redis_cluster.masters()]
        for slot in [*slots(), *slots()[:4]]:
            target = masters[(masters.index(redis_cluster.owner(slot)) + 1) % len(masters)]
            redis_cluster.move(slot, target, pause=0.05)
        redis_cluster.remove(masters[0])

    async def scene(frontier: ShardedFrontier) -> None:
        frontier.push([page(0)])
        working = asyncio.create_task(web.crawl(frontier))
        await reached(lambda: len(web.fetched) > 50)
        await asyncio.to_thread(reshard)
        web.limit = web.count
        await working
        await reached(lambda: frontier.accounts().done == web.count)

    play(scene, values)
    assert set(web.fetched.values()) == {1}
    assert accounts(values) == (0, 0, web.count)
    assert "Traceback" not in caplog.text


def test_a_move_of_the_queue_is_noticed(redis_cluster: RedisClusterServers) -> None:
    frontier = DirectFrontier(connect(settings(redis_cluster)), "{default}:requests", "{default}:seen")
    frontier.push([page(1)])
    assert not frontier.has_moved()
    slot = slot_of("{default}")
    redis_cluster.move(slot, next(each for each in redis_cluster.masters() if each is not redis_cluster.owner(slot)), 0)
    frontier.push([page(2)])
    assert [frontier.has_moved(), frontier.server_restarted(), frontier.has_moved()] == [True, True, False]
    frontier.close()


def test_a_master_with_a_replica_dies(redis_cluster: RedisClusterServers) -> None:
    values, web = settings(redis_cluster), Web(3000)
    redis_cluster.fail_over_soon()
    lost = redis_cluster.masters()[0]

    async def scene(frontier: ShardedFrontier) -> None:
        frontier.push([page(0)])
        working = asyncio.create_task(web.crawl(frontier))
        await reached(lambda: len(web.fetched) > 300)
        lost.kill()
        await working
        await reached(lambda: frontier.accounts().queued + frontier.accounts().leased == 0)

    play(scene, values)
    assert len(web.fetched) == web.count
    assert web.again() <= 2 * CAPACITY
    assert accounts(values)[:2] == (0, 0)


def test_hosts_of_living_servers_go_on_while_a_master_without_replica_is_dead(
    redis_cluster: RedisClusterServers, caplog: pytest.LogCaptureFixture
) -> None:
    values, web = settings(redis_cluster), Web(3000)
    redis_cluster.fail_over_soon()
    lost = redis_cluster.owner(slots()[0])
    replica = redis_cluster.replica_of(lost)

    async def scene(frontier: ShardedFrontier) -> None:
        frontier.push([page(key) for key in range(web.count)])
        await frontier.delivered()
        dead = await asyncio.to_thread(hosts_on, redis_cluster, lost, frontier)
        living = {key for key in range(web.count) if page(key).host not in dead}
        assert 0 < len(living) < web.count
        frontier.push([page(key) for key in range(web.count, web.count + 40)])
        web.count += 40
        working = asyncio.create_task(web.crawl(frontier))
        await reached(lambda: len(web.fetched) > 200)
        replica.kill()
        lost.kill()  # the first copy of the number of shards is there
        for server in redis_cluster.masters():
            if server.is_running:
                await asyncio.to_thread(redis_cluster.ask, server, "SCRIPT", "FLUSH")
        await reached(lambda: living <= web.fetched.keys())
        assert not frontier.away
        assert known_crawls(values) == ["default"]
        assert accounts(values)[2] < len(living) + len(web.fetched)
        lost.start()
        replica.start()
        await working
        await reached(lambda: frontier.accounts().done == web.count)

    with caplog.at_level(logging.INFO):
        play(scene, values)
    assert caplog.text.count("Nothing is lost") == caplog.text.count("Redis is back") == 1
    assert "its hosts are left out" in caplog.text
    assert web.again() <= 2 * CAPACITY
    assert accounts(values) == (0, 0, web.count)


def test_only_pages_with_links_to_a_silent_server_wait(redis_cluster: RedisClusterServers) -> None:
    values = settings(redis_cluster)
    silent = redis_cluster.masters()[2]
    replica = redis_cluster.replica_of(silent)

    async def scene(frontier: ShardedFrontier) -> None:
        there = sorted(await asyncio.to_thread(hosts_on, redis_cluster, silent, frontier))
        host = next(name for name in (f"h{number}" for number in range(HOSTS)) if name not in there)
        frontier.push([QueueEntry(key, host, 0, b"%d" % key) for key in range(20)])
        await frontier.delivered()
        replica.pause()
        silent.pause()
        done = 0
        while done < 20:
            for lease in frontier.pop(1):
                if lease.payload in (b"3", b"4", b"5", b"6"):
                    frontier.push([QueueEntry(100 + int(lease.payload), there[0], 0, b"x")])
                frontier.ack([lease.token])
                done += 1
            await asyncio.sleep(0.01)
        await reached(lambda: frontier.accounts().done >= 16)
        assert frontier.accounts().done + frontier.accounts().leased == 20
        assert frontier.accounts().leased >= 4
        silent.resume()
        replica.resume()
        await reached(lambda: (frontier.accounts().done, frontier.accounts().enqueued) == (20, 24))

    play(scene, values)


def test_a_finished_crawl_begins_again_and_a_purged_one_forgets_its_shards(redis_cluster: RedisClusterServers) -> None:
    values, web = settings(redis_cluster, FRONTIER_PARTS=4), Web(60)

    async def once(frontier: ShardedFrontier) -> None:
        assert frontier.push([page(0)]) == [True]
        await web.crawl(frontier)
        await reached(lambda: frontier.accounts().done == web.count)
        assert not any(frontier.push([page(key) for key in range(5)]))

    async def half(frontier: ShardedFrontier) -> None:
        assert frontier.push([page(0)]) == [True]
        await frontier.delivered()

    play(once, values)
    web.fetched.clear()
    play(once, values)
    assert set(web.fetched.values()) == {1}
    play(half, values)
    assert accounts(settings(redis_cluster)) == (1, 0, 0)
    queue = open_for_operator(values, "default", to_change=True)
    assert queue.purge() == 1
    queue.close()
    assert known_crawls(values) == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"SCHEDULER_DUPEFILTER_KEY": "%(spider)s:seen"}, "hash tag"),
        ({"REDIS_SENTINELS": ["b:1"]}, "needs no Sentinels"),
        ({"REDIS_DB": 3}, "only database 0"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "cannot be connected"),
    ],
)
def test_settings_that_make_no_sense_get_a_sentence(
    redis_cluster: RedisClusterServers, wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(FrontierError, match=said):
        check(settings(redis_cluster, **wrong))
