"""One scheduler in Scrapy's engine, in a process of its own, as `benchmarks.schedulers` starts it.

The engine is paused, so that it asks for nothing: requests go to the scheduler and come back as the engine hands them over. The last
line of output is a JSON object. With `--fill` the process ends as by `kill -9`, with some requests under way.
"""

import argparse
import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

from scrapy import Request, Spider
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response
from scrapy.utils.misc import load_object

from benchmarks.processes import use_of

PEERS: dict[str, dict[str, Any]] = {
    "Scrapy, in memory": {},
    "Scrapy, JOBDIR": {"JOBDIR": "{data}/job"},
    "scrapy-redis": {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "SCHEDULER_QUEUE_KEY": "%(spider)s:requests",
        "SCHEDULER_DUPEFILTER_KEY": "%(spider)s:dupefilter",
        "SCHEDULER_PERSIST": True,
    },
    "topicrawl, SQLite": {"SCHEDULER": "crawler.frontier.scheduler.FrontierScheduler", "FRONTIER": "local"},
    "topicrawl, Redis": {
        "SCHEDULER": "crawler.frontier.scheduler.FrontierScheduler",
        "FRONTIER": "shared",
        "SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests",
        "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:dupefilter",
    },
}
"""What is measured, by name, with its settings; {data} stands for a folder."""
UNDER_WAY = 16
_HOSTS, _PRIORITIES, _TURN, _SETTLE_SECONDS = 2_000, 5, 500, 2.0


class FillingSpider(Spider):
    """Gives the scheduler requests, or takes some out of it."""

    name = "filling"
    fill = take = 0

    def parse(self, response: Response) -> None:
        """Named in the requests."""

    async def start(self) -> AsyncIterator[Request]:
        """Nothing is asked for."""
        engine: Any = self.crawler.engine
        engine.pause()
        found: dict[str, Any] = {"open": Timed.seconds}
        if self.fill:
            found |= await self._filled(engine._slot)
        else:
            found |= {"left": _left(engine._slot.scheduler)} | await self._taken(engine._slot)
        print(json.dumps(found), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        yield Request("data:,")

    async def _filled(self, slot: Any) -> dict[str, Any]:
        before, began = _resident(), time.process_time()
        for number in range(self.fill):
            slot.scheduler.enqueue_request(_request(number, self))
            if not number % _TURN:
                await asyncio.sleep(0)
        await asyncio.sleep(_SETTLE_SECONDS)
        spent = time.process_time() - began - _cpu_of_requests(self.fill, self)
        await self._each(slot, UNDER_WAY, lambda request: None)
        await asyncio.sleep(_SETTLE_SECONDS)
        return {"push": spent / self.fill, "resident": (_resident() - before) / self.fill}

    async def _taken(self, slot: Any) -> dict[str, Any]:
        began = time.process_time()
        taken = await self._each(slot, self.take, slot.remove_request)
        await asyncio.sleep(_SETTLE_SECONDS)
        return {"taken": taken, "pop": (time.process_time() - began) / max(1, taken)}

    async def _each(self, slot: Any, count: int, done: Callable[[Request], object]) -> int:
        """Take requests as the engine does; returns how many came within two seconds of the one before."""
        taken, last = 0, time.monotonic()
        while taken < count and time.monotonic() - last < _SETTLE_SECONDS:
            request = slot.scheduler.next_request()
            if request is None:
                await asyncio.sleep(0.001)
                continue
            taken, last = taken + 1, time.monotonic()
            slot.add_request(request)
            done(request)
            if not taken % UNDER_WAY:
                await asyncio.sleep(0)
        return taken


class Timed:
    """CPU seconds that making and opening a scheduler have taken."""

    seconds = 0.0

    @classmethod
    def of(cls, path: str) -> type[Any]:
        """The scheduler with this path, timed."""
        base: Any = load_object(path)

        class TimedScheduler(base):  # type: ignore[misc]
            @classmethod
            def from_crawler(cls, crawler: Crawler) -> Self:
                began = time.process_time()
                made: Self = super().from_crawler(crawler)
                Timed.seconds += time.process_time() - began
                return made

            def open(self, spider: Spider) -> Any:
                began = time.process_time()
                opened = super().open(spider)
                Timed.seconds += time.process_time() - began
                return opened

        return TimedScheduler


def _request(number: int, spider: FillingSpider) -> Request:
    host = f"www.site{number % _HOSTS}.com.cn"
    url = f"http://{host}/news/2026-11/{number % 30:02d}/content_{number}.shtml"
    meta = {"depth": 3, "referrer": f"http://{host}/news/index_{number % 17}.shtml"}
    return Request(url, spider.parse, priority=number // _HOSTS % _PRIORITIES, meta=meta)


def _cpu_of_requests(count: int, spider: FillingSpider) -> float:
    """The cost of making `count` of them, estimated from a sample."""
    some = min(count, 20_000)
    began = time.process_time()
    for number in range(some):
        _request(number, spider)
    return (time.process_time() - began) * count / some


def _left(scheduler: Any) -> int:
    frontier = getattr(scheduler, "frontier", None)
    if frontier is None:
        return len(scheduler)
    accounts = frontier.accounts()
    return int(accounts.queued + accounts.leased)


def _resident() -> int:
    use = use_of(os.getpid())
    return use.resident if use else 0


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    own = {
        name: value.replace("{data}", options.data) if isinstance(value, str) else value
        for name, value in PEERS[options.scheduler].items()
    }
    scheduler = own.pop("SCHEDULER", "scrapy.core.scheduler.Scheduler")
    return own | {
        "SCHEDULER": Timed.of(scheduler),
        "REDIS_URL": options.redis,
        "DATA_DIR": options.data,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "FRONTIER_HOST_DELAY": 0,
        "FRONTIER_HOST_CONCURRENCY": 100,
        "CONCURRENT_REQUESTS": 2 * UNDER_WAY,
    }


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", choices=PEERS, required=True)
    parser.add_argument("--data", required=True, help="folder of its files")
    parser.add_argument("--redis", default="redis://127.0.0.1:6379/0")
    parser.add_argument("--fill", type=int, default=0, help="queue N requests, and be killed")
    parser.add_argument("--take", type=int, default=0, help="continue with what is left, and take N out")
    options = parser.parse_args()
    process = CrawlerProcess(_settings(options))
    process.crawl(FillingSpider, fill=options.fill, take=options.take)
    process.start()


if __name__ == "__main__":
    main()
