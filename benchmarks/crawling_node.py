"""One node of a measured crawl, in a process of its own: `python -m benchmarks.crawling_node --help`.

The spider reads each page with selectors, stores one row and follows twenty links. The last line of output is a JSON
object: pages, processor seconds of this process, seconds, and why it ended.
"""

import argparse
import asyncio
import json
import sqlite3
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response
from scrapy_redis.spiders import RedisMixin

from crawler.frontier.shared import lease_owner

SCHEDULERS = ("memory", "ours", "embedded", "fifo", "priority")


class TreeSpider(Spider):
    """Follows every link."""

    name = "tree"
    starts = 1
    poison = 0
    fed = 0

    async def start(self) -> AsyncIterator[Request]:
        """The first pages."""
        for number in range(int(self.starts)):
            yield Request(f"http://h{number % int(self.hosts)}.example/p/{number}", self.parse)

    hosts: int | str = 1

    def parse(self, response: Response) -> Iterator[Any]:
        """One row, and the links."""
        number = int(response.url.rpartition("/")[2])
        if int(self.poison) and number and number % int(self.poison) == 0:
            raise ValueError(f"page {number} is poison")
        yield {"url": response.url, "title": response.css("h1::text").get(), "text": response.css("p::text").get()}
        for address in response.css("li a::attr(href)").getall() if not int(self.fed) else ():
            yield Request(address, self.parse)


class FedSpider(RedisMixin, TreeSpider):  # type: ignore[misc]  # scrapy-redis is untyped
    """The same, fed from a list as scrapy-redis does it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> "FedSpider":
        """Scrapy's way of making it."""
        spider: FedSpider = super().from_crawler(crawler, *args, **given)
        spider.setup_redis(crawler)
        return spider


class RowsPipeline:
    """Stores rows by URL; an item is through when its row is committed, many in one transaction."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rows: list[tuple[str, str, asyncio.Future[None]]] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "RowsPipeline":
        """Reads ROWS."""
        return cls(crawler.settings["ROWS"])

    async def process_item(self, item: dict[str, str]) -> dict[str, str]:
        """Awaits the commit."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._rows.append((item["url"], item["title"], written))
        if len(self._rows) == 1:
            loop.call_later(0.05, lambda: asyncio.ensure_future(self._write(loop)))
        await written
        return item

    async def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        rows, self._rows = self._rows, []
        await loop.run_in_executor(None, self._commit, [row[:2] for row in rows])
        for *_, written in rows:
            if not written.done():
                written.set_result(None)

    def _commit(self, rows: list[tuple[str, str]]) -> None:
        with sqlite3.connect(self._path, timeout=60) as database:
            database.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?)", rows)
        database.close()


def make_rows(path: str) -> None:
    """The file that nodes store into."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE IF NOT EXISTS rows (url TEXT PRIMARY KEY, title TEXT)")
    database.close()


def stored_pages(path: str) -> int:
    """How many rows there are."""
    with sqlite3.connect(path) as database:
        found = int(database.execute("SELECT COUNT(*) FROM rows").fetchone()[0])
    database.close()
    return found


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    base: dict[str, Any] = {
        "LOG_LEVEL": options.log,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "CONCURRENT_REQUESTS": options.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "CONCURRENT_ITEMS": 8,
        "RETRY_ENABLED": False,
        "LOGSTATS_INTERVAL": 0,
        "DOWNLOAD_DELAY": options.delay if options.scheduler not in ("ours", "embedded") else 0,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "REDIS_URL": options.redis,
        "FRONTIER_HOST_DELAY": options.delay,
        "FRONTIER_HOST_CONCURRENCY": options.concurrency,
        "DATA_DIR": options.data,
        "FRONTIER_LEASE_SECONDS": options.lease,
        "SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests" if options.scheduler == "ours" else "%(spider)s:requests",
        "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:seen" if options.scheduler == "ours" else "%(spider)s:dupefilter",
        "SCHEDULER_PERSIST": True,
        "CLOSESPIDER_PAGECOUNT": options.stop,
    }
    if options.fed and options.scheduler == "ours":
        base["EXTENSIONS"] = {"crawler.frontier.shared.start_urls.StartUrls": 1}
    if options.rows:
        base |= {"ROWS": options.rows, "ITEM_PIPELINES": {RowsPipeline: 1}}
    return base | _scheduler(options.scheduler)


def _scheduler(name: str) -> dict[str, Any]:
    if name == "memory":
        return {}
    if name in ("ours", "embedded"):
        return {
            "SCHEDULER": "crawler.frontier.scheduler.FrontierScheduler",
            "FRONTIER": "shared" if name == "ours" else "local",
        }
    queue = "FifoQueue" if name == "fifo" else "PriorityQueue"
    return {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_QUEUE_CLASS": f"scrapy_redis.queue.{queue}",
    }


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", choices=SCHEDULERS, default="ours")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    parser.add_argument("--data", default="data", help="folder of the embedded frontier")
    parser.add_argument("--rows", default="", help="SQLite file to store into; none: nothing is stored")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds between requests to a host")
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--starts", type=int, default=1, help="start pages")
    parser.add_argument("--fed", type=int, default=0, help="1: start URLs come from a list in Redis")
    parser.add_argument("--stop", type=int, default=0, help="end after N pages")
    parser.add_argument("--poison", type=int, default=0, help="each so-many-th page makes the callback raise")
    parser.add_argument("--log", default="ERROR")
    parser.add_argument("--lease", type=float, default=180.0, help="seconds of a lease")
    parser.add_argument("--elsewhere", type=int, default=0, help="1: look as if on a machine of its own")
    options = parser.parse_args()
    if options.elsewhere:
        lease_owner.process_namespace = lambda: uuid.uuid4().hex[:12]
    process = CrawlerProcess(_settings(options))
    spider = FedSpider if options.fed and options.scheduler != "ours" else TreeSpider
    crawler = process.create_crawler(spider)
    ended: dict[str, Any] = {}
    crawler.signals.connect(lambda reason: ended.update(reason=reason), signals.spider_closed, weak=False)
    began, cpu = time.monotonic(), time.process_time()
    process.crawl(crawler, hosts=options.hosts, starts=options.starts, poison=options.poison, fed=options.fed)
    process.start()
    pages = crawler.stats.get_value("response_received_count", 0) if crawler.stats else 0
    spent = {"cpu": time.process_time() - cpu, "seconds": time.monotonic() - began}
    print(json.dumps({"pages": pages, **spent, **ended}), flush=True)


if __name__ == "__main__":
    main()
