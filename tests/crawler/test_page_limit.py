"""`max_pages` of one process, and of nodes that share a crawl."""

import asyncio

import pytest
from redis import Redis
from redis.exceptions import ConnectionError

from crawler.nodes_page_limit import NodesPageLimit, SharedPageCount
from crawler.page_limit import PageLimit


@pytest.mark.parametrize(("limit", "expected"), [(0, False), (3, True), (4, False)])
def test_a_process_counts_its_pages(limit: int, expected: bool) -> None:
    found = PageLimit(limit)
    for _ in range(3):
        found.count()
    assert found.is_reached is expected


async def read(limit: NodesPageLimit, pages: int) -> None:
    for _ in range(pages):
        limit.count()
    await limit.beat()
    while limit._task and not limit._task.done():
        await asyncio.sleep(0.01)
    await limit.beat()


def test_nodes_count_together_and_the_last_one_takes_the_count_with_it(redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    counts = [SharedPageCount(client, "{pages-x}") for _ in range(2)]
    told: list[str] = []
    first, second = (NodesPageLimit(10, each.add, lambda: told.append("reached")) for each in counts)
    asyncio.run(read(first, 6))
    assert not first.is_reached
    asyncio.run(read(second, 4))
    assert second.is_reached
    asyncio.run(first.beat())
    assert first.is_reached, "a node that reads nothing more notices it too"
    assert told
    counts[0].leave()
    assert counts[1].add(0) == 10
    counts[1].leave()
    assert counts[0].add(1) == 1, "the next run counts afresh"
    assert 0 < client.ttl("{pages-x}:read") <= 60, "a killed run is forgotten"


def test_without_redis_a_node_counts_its_own_pages() -> None:
    def away(pages: int) -> int:
        raise ConnectionError("away")

    limit = NodesPageLimit(5, away, lambda: None)
    asyncio.run(read(limit, 4))
    assert not limit.is_reached
    asyncio.run(read(limit, 1))
    assert limit.is_reached
