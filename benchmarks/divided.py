"""A crawl divided among Redis servers beside one in one piece: CPU of a node and of Redis, and what growing costs.

python -m benchmarks.divided                      20,000 addresses through both; 200,000 moved to a second server
python -m benchmarks.divided --urls 1000000

The addresses of a move are queued and seen; half of the parts go to the other server.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import redis
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.spider import DefaultSpider

from benchmarks.frontier import request_entries
from benchmarks.nodes import table
from crawler.frontier.shared.opening import open_for_operator, open_frontier, rebalance
from tests.servers import ServerProcess, redis_server

_NAME = "default"


def _settings(servers: list[ServerProcess], parts: int) -> Settings:
    own = {"FRONTIER": "shared", "FRONTIER_SERVERS": [server.address for server in servers], "FRONTIER_PARTS": parts}
    own |= {"SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests", "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:seen"}
    return Settings({**own, "FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 100, "CONCURRENT_REQUESTS": 32})


def _spent(server: ServerProcess) -> float:
    with redis.Redis.from_url(server.address) as client:
        information: dict[str, float] = client.info("cpu")  # type: ignore[assignment]
    return information["used_cpu_user"] + information["used_cpu_sys"]


async def _through(settings: Settings, count: int) -> float:
    """CPU seconds of a node through which so many requests go."""
    frontier, done = open_frontier(Crawler(DefaultSpider, settings)), 0
    frontier.begin()
    entries = list(request_entries(0, count))
    before = time.process_time()
    for first in range(0, count, 20):
        frontier.push(entries[first : first + 20])
    while done < count:
        leases = frontier.pop(1)
        done += frontier.ack([lease.token for lease in leases])
        if not leases:
            await asyncio.sleep(0.002)
    frontier.close()
    return time.process_time() - before


def _beside(servers: list[ServerProcess], count: int) -> list[list[object]]:
    rows: list[list[object]] = []
    for parts in (1, 16):
        before = _spent(servers[0])
        node = asyncio.run(_through(_settings(servers[:1], parts), count))
        rows.append([parts, f"{1e6 * node / count:.0f}", f"{1e6 * (_spent(servers[0]) - before) / count:.0f}"])
        open_for_operator(_settings(servers[:1], parts), _NAME, to_change=True).purge()
    return rows


def _growth(servers: list[ServerProcess], count: int) -> list[object]:
    asyncio.run(_through(_settings(servers[:1], 16), 1))
    queue = open_for_operator(_settings(servers[:1], 16), _NAME, to_change=True)
    for first in range(0, count, 2000):
        queue.push(list(request_entries(first, min(first + 2000, count))))
    before, began, node = sum(map(_spent, servers)), time.monotonic(), time.process_time()
    rebalance(_settings(servers, 16), _NAME, lambda _: None)
    spent = time.process_time() - node + sum(map(_spent, servers)) - before
    queued = open_for_operator(_settings(servers, 16), _NAME, to_change=False).accounts().queued
    return [f"{count:,}", f"{queued:,}", f"{spent:.1f}", f"{time.monotonic() - began:.1f}"]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=200_000, help="addresses that are there when the crawl grows")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        servers = [redis_server(Path(folder) / str(place)).start() for place in range(2)]
        try:
            rows = _beside(servers, min(options.urls, 20_000))
            table(["parts on one server", "node, µs of CPU a request", "Redis, µs"], rows)
            print()
            head = ["addresses", "queued after the move", "CPU s of all three", "seconds"]
            table(head, [_growth(servers, options.urls)])
        finally:
            for server in servers:
                server.stop()


if __name__ == "__main__":
    main()
