"""A node's side of the shared frontier: what it promises while round trips fail, repeat and come late."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest
import redis

from crawler.config.hours import Politeness
from crawler.frontier.base import QueueEntry, RequestLease
from crawler.frontier.shared.buffered import BufferedFrontier
from crawler.frontier.shared.round_trip import MAX_PUSHES, BatchReply, ExchangeBatch
from crawler.frontier.shared.server import RedisUnavailableError
from testbed.servers import ServerProcess
from tests.crawler.frontier.direct import DirectFrontier


@pytest.fixture
def open_remote(redis_url: str) -> Callable[[], DirectFrontier]:
    return lambda: DirectFrontier(redis.Redis.from_url(redis_url), "{q}:requests", "{q}:seen", Politeness(0.0, 100))


def entries(first: int, count: int) -> list[QueueEntry]:
    return [QueueEntry(key, f"h{key % 7}", 0, str(key).encode()) for key in range(first, first + count)]


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not reached():
            await asyncio.sleep(0.01)


def crawl(scene: Callable[[BufferedFrontier], Awaitable[None]], remote: DirectFrontier) -> BufferedFrontier:
    async def play() -> BufferedFrontier:
        frontier = BufferedFrontier(remote, 16)
        frontier.begin()
        async with asyncio.timeout(120):
            await scene(frontier)
        frontier.close()
        return frontier

    return asyncio.run(play())


def test_a_batch_that_is_sent_twice_is_carried_out_once(open_remote: Callable[[], DirectFrontier]) -> None:
    remote = open_remote()
    remote.begin()
    batch = ExchangeBatch(pushes=[*entries(0, 5), QueueEntry(1, "h", 0, b"again", again=True)], wanted=3, number=1)
    first, second = remote.exchange(batch), remote.exchange(batch)
    assert [lease.token for lease in first.leases] == [lease.token for lease in second.leases]
    assert first.leases == second.leases
    assert second.accounts == first.accounts
    assert (second.accounts.queued, second.accounts.leased) == (3, 3)
    done = ExchangeBatch(acks=[first.leases[0].token], number=2)
    assert remote.exchange(done).held == 1
    assert remote.exchange(done).accounts.done == 1
    remote.close()


def test_a_batch_that_arrives_late_reclaims_no_lease(open_remote: Callable[[], DirectFrontier]) -> None:
    """A stalled server executes the batch that was sent again before the one that was sent first."""
    remote = open_remote()
    remote.push([QueueEntry(1, "a", 0, b"x")])
    batch = ExchangeBatch(number=2, wanted=1, known=[])
    (lease,) = remote.exchange(batch).leases
    remote.exchange(batch)
    assert remote.exchange(ExchangeBatch(number=3, acks=[lease.token])).held == 1


class LosesAnswers(DirectFrontier):
    """Every third answer is lost on its way back."""

    asked = 0

    def exchange(self, batch: ExchangeBatch) -> BatchReply:
        outcome = super().exchange(batch)
        self.asked += 1
        if self.asked % 3 == 0:
            raise RedisUnavailableError("the answer was lost")
        return outcome


def test_lost_answers_cost_nothing(redis_url: str, caplog: pytest.LogCaptureFixture) -> None:
    fetched: list[bytes] = []

    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push(entries(0, 200))
        while frontier.pending():
            for lease in frontier.pop(4):
                fetched.append(lease.payload)
                frontier.ack([lease.token])
            await asyncio.sleep(0.002)
        assert frontier.accounts().done == 200

    crawl(scene, LosesAnswers(redis.Redis.from_url(redis_url), "{q}:requests", "{q}:seen", Politeness(0.0, 100)))
    assert sorted(fetched) == sorted(str(key).encode() for key in range(200))


def test_a_parent_is_done_only_after_the_last_of_its_children_is_queued(
    open_remote: Callable[[], DirectFrontier],
) -> None:
    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push([QueueEntry(-1, "h", 0, b"parent")])
        leases = []
        await until(lambda: bool(leases.extend(frontier.pop(1)) or leases))
        frontier.push(entries(0, 3 * MAX_PUSHES))
        frontier.ack([leases[0].token])
        seen: list[tuple[int, int]] = []
        while not seen or seen[-1][1] == 0:
            accounts = frontier.accounts()
            seen.append((accounts.queued, accounts.done))
            await asyncio.sleep(0.001)
        assert all(done == 0 or queued == 3 * MAX_PUSHES for queued, done in seen)

    crawl(scene, open_remote())


def test_a_crawl_that_redis_has_lost_is_said_and_goes_on_with_what_is_known(
    open_remote: Callable[[], DirectFrontier], redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push(entries(0, 30))
        await frontier.delivered()
        with redis.Redis.from_url(redis_url) as client:
            client.flushdb()
        await until(lambda: bool(frontier.push(entries(100, 1))) and frontier.accounts().queued > 30)

    with caplog.at_level(logging.INFO):
        crawl(scene, open_remote())
    assert [record.levelname for record in caplog.records].count("ERROR") == 1
    assert "scrapy frontier rebuild" in caplog.text


def test_a_purge_by_an_operator_reaches_nodes_at_work(
    open_remote: Callable[[], DirectFrontier], caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push(entries(0, 30))
        await frontier.delivered()
        assert open_remote().purge() == 30
        frontier.pop(1)
        await until(lambda: "purged or started again" in caplog.text)
        frontier.push(entries(0, 5))
        await frontier.delivered()
        await until(lambda: frontier.accounts().enqueued == 5)

    crawl(scene, open_remote())


def test_what_is_not_done_at_the_end_is_given_back(open_remote: Callable[[], DirectFrontier]) -> None:
    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push(entries(0, 40))
        await until(lambda: bool(frontier.pop(3)))
        frontier.push(entries(40, 10))

    crawl(scene, open_remote())
    accounts = open_remote().accounts()
    assert (accounts.queued, accounts.leased) == (50, 0)


def test_a_redis_that_hangs_is_waited_for(own_redis: ServerProcess, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push(entries(0, 20))
        await frontier.delivered()
        leases: list[RequestLease] = []
        await until(lambda: bool(leases.extend(frontier.pop(16)) or leases))
        own_redis.pause()
        frontier.ack([lease.token for lease in leases])
        frontier.push(entries(20, 20))
        await until(lambda: "Redis is unavailable" in caplog.text)
        assert frontier.pending()
        own_redis.resume()
        await until(lambda: "Redis is back" in caplog.text)
        await frontier.delivered()
        await until(lambda: frontier.accounts().done == len(leases))
        assert frontier.accounts().enqueued == 40

    client = redis.Redis.from_url(own_redis.address, socket_timeout=1.0, retry=None)
    with caplog.at_level(logging.INFO):
        crawl(scene, DirectFrontier(client, "{q}:requests", "{q}:seen", Politeness(0.0, 100)))
    assert caplog.text.count("Redis is unavailable") == caplog.text.count("Redis is back") == 1


def test_a_promotion_follows_the_push_that_it_is_for(open_remote: Callable[[], DirectFrontier]) -> None:
    last = MAX_PUSHES + 40

    async def scene(frontier: BufferedFrontier) -> None:
        frontier.push([QueueEntry(key, "a", 10, str(key).encode(), movable=True) for key in range(last + 10)])
        assert frontier.promote(last, "a", 5_000)
        await until(lambda: not frontier._unsent)

    crawl(scene, open_remote())
    later = open_remote()
    later.begin()
    assert [lease.payload for lease in later.pop(1)] == [str(last).encode()]
    later.close()
