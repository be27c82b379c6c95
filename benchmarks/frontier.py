"""What a frontier costs, beside scrapy-redis: `python -m benchmarks.frontier [cpu embedded depth memory start politeness two]`.

cpu         processor time of node and Redis for each page, in one run of all schedulers
embedded    processor time of a request's way through the SQLite frontier
depth       what each step of the SQLite frontier costs with `--urls` queued, its bytes for each, and its start
memory      bytes in Redis for each seen URL and each queued request at a million of them
start       seconds for 320 start URLs of which one in sixteen takes two seconds
politeness  requests a second to one host with a delay of 0.1 s, from one, two and four nodes
two         pages a second of two processes against one
"""

import argparse
import hashlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import redis
from scrapy import Request, Spider

from benchmarks.nodes import Bench, bench, table
from benchmarks.web_of_pages import WebProcess
from crawler.config.hours import Politeness
from crawler.frontier.base import QueueEntry
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.requests import dump_request, pack, unpack
from crawler.frontier.shared.redis import RedisFrontier

PEERS = ("memory", "embedded", "ours", "fifo", "priority")
NAMES = {
    "memory": "Scrapy, in memory",
    "embedded": "ours, SQLite",
    "ours": "ours, Redis",
    "fifo": "scrapy-redis FIFO",
    "priority": "scrapy-redis priority",
}


def _run(place: Bench, web: WebProcess, scheduler: str, **options: Any) -> dict[str, Any]:
    before = place.redis_cpu()
    result = place.node(web, scheduler, **options).wait()
    return result | {"redis": place.redis_cpu() - before}


def cpu(pages: int, repeats: int) -> None:
    """Milliseconds a page; medians, schedulers in turn so that the machine's moods meet all of them."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in PEERS}
    for _ in range(repeats):
        for name in PEERS:
            with WebProcess(pages=pages) as web, bench() as place:
                found[name].append(_run(place, web, name))
    node, server, speed = (
        {name: statistics.median(pick(run) for run in found[name]) for name in PEERS}
        for pick in (
            lambda run: 1000 * run["cpu"] / run["pages"],
            lambda run: 1000 * run["redis"] / run["pages"],
            lambda run: run["pages"] / run["seconds"],
        )
    )
    print(f"{pages} pages, 20 links each, nothing stored; start-up included; medians of {repeats}\n")
    rows: list[list[object]] = []
    for name in PEERS:
        shared = name in ("ours", "fifo", "priority")
        against = f"{node['ours'] / node[name]:.2f} / {server['ours'] / server[name]:.2f}" if shared else "–"
        row = [f"{node[name]:.2f}", f"{server[name]:.3f}" if shared else "–", f"{speed[name]:.0f}", against]
        rows.append([NAMES[name], *row])
    table(["scheduler", "node ms/page", "Redis ms/page", "pages/s", "ours against it: node / Redis"], rows)


class _Site(Spider):
    name = "site"

    def parse(self, response: Any) -> None:
        """Named in the requests below."""


def _entry(number: int) -> QueueEntry:
    """A request as the site spider makes it, with URLs of usual length; `_check` says that it is what `dump_request` makes."""
    host = f"www.site{number % 2000}.com.cn"
    url = f"http://{host}/news/2026-11/{number % 30:02d}/content_{number}.shtml"
    meta = {"depth": 3, "referrer": f"http://{host}/news/index_{number % 17}.shtml"}
    values: dict[str, Any] = {"url": url, "callback": "parse", "meta": meta}
    if number % 997:
        values["priority"] = number % 997
    payload = pack(values, host)
    key = int.from_bytes(hashlib.sha1(url.encode()).digest()[:8], "big", signed=True)
    return QueueEntry(key, host, number % 997, payload)


def _check() -> None:
    """RuntimeError if made requests are not those that Scrapy's become; made ones cost a tenth."""
    entry, spider = _entry(5), _Site()
    values = unpack(entry.payload, entry.host)
    request = Request(values["url"], spider.parse, meta=values["meta"], priority=entry.priority)
    if dump_request(request, spider, entry.host) != entry.payload:
        raise RuntimeError("the frontier stores requests otherwise than this benchmark makes them")


def request_entries(first: int, last: int) -> Iterator[QueueEntry]:
    """Requests by number, on 2,000 hosts; the same ones in every run."""
    return (_entry(number) for number in range(first, last))


def _fill(frontier: RedisFrontier, count: int) -> tuple[float, int]:
    size = 0
    began = time.monotonic()
    for first in range(0, count, 2000):
        entries = [_entry(number) for number in range(first, min(first + 2000, count))]
        size += sum(len(entry.payload) for entry in entries)
        frontier.push(entries)
    return time.monotonic() - began, size


def _used(client: "redis.Redis") -> int:
    """Without what waits to be written to the append-only file, which depends on the disk."""
    information: Any = client.info("memory")
    return int(information["used_memory"]) - int(information.get("mem_aof_buffer", 0))


def memory(count: int) -> None:
    """Bytes by the server's own account."""
    with bench() as place, place.client() as client:
        frontier = RedisFrontier(client, "{site}:requests", "{site}:dupefilter")
        frontier.push([_entry(count)])  # what the scripts need does not grow with the addresses
        empty = _used(client)
        for first in range(0, count, 2000):
            made = (_entry(number) for number in range(first, min(first + 2000, count)))
            frontier.push([replace(entry, payload=b"") for entry in made])
        seen = (_used(client) - empty) / count
        client.flushall()
        empty = _used(client)
        frontier = RedisFrontier(client, "{site}:requests", "{site}:dupefilter")
        before = place.redis_cpu()
        seconds, size = _fill(frontier, count)
        spent = place.redis_cpu() - before
        queued = (_used(client) - empty) / count - seen
    print(f"{count:,} URLs on 2,000 hosts; a request is {size / count:.0f} bytes of msgpack\n")
    rows: list[list[object]] = [["seen URL", f"{seen:.1f}", "10"], ["queued request", f"{queued:.0f}", "300"]]
    table(["", "bytes", "target"], rows)
    print(f"pushed in {seconds:.0f} s, {1e6 * spent / count:.1f} µs of Redis each\n")


def embedded(count: int) -> None:
    """Milliseconds of a request's way through the SQLite frontier, one call each as the scheduler makes them."""
    entries = [_entry(number) for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        frontier = SqliteFrontier(Path(folder) / "f.db", Politeness(0.0, 100))
        steps = {}
        began = time.process_time()
        for entry in entries:
            frontier.push([entry])
        steps["push"] = time.process_time() - began
        began = time.process_time()
        for entry in entries:
            frontier.push([entry])
        steps["push of a seen one"] = time.process_time() - began
        began = time.process_time()
        for _ in entries:
            frontier.ack([frontier.pop(1)[0].token])
        steps["pop and ack"] = time.process_time() - began
        frontier.close()
    print(f"{count:,} requests on 2,000 hosts, SQLite\n")
    table(["step", "CPU ms"], [[name, f"{1000 * spent / count:.4f}"] for name, spent in steps.items()])


def depth(count: int) -> None:
    """The SQLite frontier with many queued requests: CPU of each step, bytes on disk, CPU of opening the file."""
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.db"
        frontier = SqliteFrontier(path, Politeness(0.0, 100))
        for first in range(0, count, 20_000):
            entries = [_entry(number) for number in range(first, min(first + 20_000, count))]
            spent += _cpu(lambda some: [frontier.push([entry]) for entry in some], entries)
        rows: list[list[object]] = [["push", f"{1e6 * spent / count:.1f} µs"]]
        for name, times, call in (
            ("accounts, once a second", 5_000, frontier.accounts),
            ("wait_seconds, after an empty pop", 5_000, frontier.wait_seconds),
            ("heartbeat", 5_000, frontier.heartbeat),
            ("pop and ack, the first 5,000", 5_000, lambda: frontier.ack([frontier.pop(1)[0].token])),
            ("pop and ack, the next ones", min(50_000, count // 4), lambda: frontier.ack([frontier.pop(1)[0].token])),
        ):
            each = _cpu(lambda call, times=times: [call() for _ in range(times)], call) / times
            rows.append([name, f"{1e6 * each:.1f} µs"])
        frontier.close()
        rows.append(["bytes on disk for each, queued and seen", f"{path.stat().st_size / count:.1f}"])
        began = time.process_time()
        SqliteFrontier(path, Politeness(0.0, 100)).close()
        rows.append(["start", f"{time.process_time() - began:.3f} s"])
    print(f"{count:,} requests on 2,000 hosts, SQLite\n")
    table(["step", "CPU"], rows)


def _cpu(work: Callable[[Any], object], argument: object) -> float:
    began = time.process_time()
    work(argument)
    return time.process_time() - began


def start(_: int) -> None:
    """Seconds from the first request to the last page."""
    rows: list[list[object]] = []
    for name, fed in (("memory", 0), ("ours", 0), ("ours", 1), ("fifo", 1)):
        with WebProcess(pages=320, slow_every=16, slow_seconds=2.0) as web, bench() as place:
            if fed:
                with place.client() as client:
                    client.rpush(
                        "tree:start_urls", *(f"http://h{number % 50}.example/p/{number}" for number in range(320))
                    )
            place.node(web, name, starts=0 if fed else 320, fed=fed, stop=320)
            place.nodes[-1].wait(180)
            times = web.ask("times")
            how = "from a list in Redis" if fed else "from the spider"
            rows.append([NAMES[name], how, len(times), f"{max(times) - min(times):.1f}"])
    table(["scheduler", "320 start URLs", "pages", "seconds until the last is asked"], rows)


def politeness(_: int) -> None:
    """Requests a second, by the web's own clock."""
    rows: list[list[object]] = []
    for name in ("ours", "fifo"):
        row: list[object] = [NAMES[name]]
        for count in (1, 2, 4):
            with WebProcess(pages=4000, hosts=1) as web, bench() as place:
                for _number in range(count):
                    place.node(web, name, delay=0.1, hosts=1, concurrency=8)
                while len(web.ask("times")) < 120:
                    time.sleep(0.2)
                times = web.ask("times")
            late = times[40:]
            row.append(f"{(len(late) - 1) / (late[-1] - late[0]):.2f}")
        rows.append(row)
    print("one host, a delay of 0.1 s: requests a second\n")
    table(["scheduler", "1 node", "2 nodes", "4 nodes"], rows)


def two(pages: int) -> None:
    """The same crawl with one process and with two."""
    rows: list[list[object]] = []
    for count in (1, 2):
        with WebProcess(pages=pages) as web, bench() as place:
            before = place.redis_cpu()
            nodes = [place.node(web, "ours") for _number in range(count)]
            results = [node.wait() for node in nodes]
            times = web.ask("times")
            spent = sum(result["cpu"] for result in results)
            took = max(times) - min(times)
            server = place.redis_cpu() - before
        rows.append([count, f"{pages / took:.0f}", f"{spent:.1f}", f"{server:.1f}", f"{took:.1f}"])
    table(["processes", "pages/s", "CPU s of the nodes", "CPU s of Redis", "seconds"], rows)


def main() -> None:
    """Print the tables that are named, all of them by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", default=["cpu", "embedded", "memory", "start", "politeness", "two"])
    parser.add_argument("--pages", type=int, default=3000, help="pages of a measured crawl")
    parser.add_argument("--urls", type=int, default=1_000_000, help="URLs for the memory table")
    parser.add_argument("--repeats", type=int, default=3, help="runs for the cpu table")
    options = parser.parse_args()
    _check()
    for name in options.tables:
        if name == "cpu":
            cpu(options.pages, options.repeats)
        elif name == "embedded":
            embedded(options.urls // 10)
        elif name == "depth":
            depth(options.urls)
        elif name == "memory":
            memory(options.urls)
        elif name in ("start", "politeness", "two"):
            {"start": start, "politeness": politeness, "two": two}[name](options.pages)
        else:
            parser.error(f"there is no table {name!r}")


if __name__ == "__main__":
    main()
