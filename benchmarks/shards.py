"""A crawl in shards beside one in one piece, on one Redis: CPU of a node and of Redis for a request.

python -m benchmarks.shards --urls 20000
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
from crawler.frontier.shared.opening import open_for_operator, open_frontier
from testbed.servers import ServerProcess, redis_server

_NAME = "default"


def _settings(server: ServerProcess, parts: int) -> Settings:
    own = {"FRONTIER": "shared", "REDIS_URL": server.address, "FRONTIER_PARTS": parts}
    own |= {"SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests", "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:seen"}
    return Settings({**own, "FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 100, "CONCURRENT_REQUESTS": 32})


def _spent(server: ServerProcess) -> float:
    with redis.Redis.from_url(server.address) as client:
        information: dict[str, float] = client.info("cpu")  # type: ignore[assignment]
    return information["used_cpu_user"] + information["used_cpu_sys"]


async def _through(settings: Settings, count: int) -> float:
    """CPU seconds of a node through which this number of requests go."""
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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=20_000, help="addresses that go through each")
    count, rows = parser.parse_args().urls, []
    with tempfile.TemporaryDirectory() as folder:
        server = redis_server(Path(folder)).start()
        try:
            for parts in (1, 16):
                before = _spent(server)
                node = asyncio.run(_through(_settings(server, parts), count))
                rows.append([parts, f"{1e6 * node / count:.0f}", f"{1e6 * (_spent(server) - before) / count:.0f}"])
                open_for_operator(_settings(server, parts), _NAME, to_change=True).purge()
        finally:
            server.stop()
    table(["shards", "node, µs of CPU a request", "Redis, µs"], rows)


if __name__ == "__main__":
    main()
