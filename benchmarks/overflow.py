"""Long queues in Redis, which are packed: `python -m benchmarks.overflow`.

python -m benchmarks.overflow --urls 2000000 --depth 50000      forty hosts with 50,000 addresses each
python -m benchmarks.overflow --urls 200000 --depth 1000 --of-hosts 100000      as if the crawl had 100,000 hosts
python -m benchmarks.overflow --links addresses.txt             real addresses, one a line: bytes of each in blocks alone

A fraction of a crawl that has the same number of addresses a host costs the same for each address.
"""

import argparse
import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import redis
from scrapy import Request, Spider

from benchmarks.nodes import bench, table
from crawler.config.hours import Politeness
from crawler.frontier.base import QueueEntry
from crawler.frontier.requests import dump_request, pack, request_key, unpack
from crawler.frontier.shared import server
from crawler.frontier.shared.overflow.request_blocks import MAX_REQUESTS, pack_rows, row_of
from crawler.frontier.shared.redis import RedisFrontier
from crawler.frontier.shared.round_trip import ExchangeBatch
from crawler.frontier.shared.server import Scripts

_BATCH, _POPPED = 2000, 20_000


class _Site(Spider):
    name = "site"

    def parse(self, response: Any) -> None:
        """Named in the requests below."""


def _entry(url: str, referrer: str, priority: int, spider: Spider) -> QueueEntry:
    request = Request(url, spider.parse, meta={"depth": 3, "referrer": referrer}, priority=priority)
    return QueueEntry(
        request_key(request), urlsplit(url).netloc, priority, dump_request(request, spider, urlsplit(url).netloc)
    )


def _made(number: int, hosts: int) -> QueueEntry:
    """Addresses whose numbers nobody can guess, as those of articles are. Made without Scrapy's `Request`, ten times as fast."""
    host, chance = f"www.site{number % hosts}.com.cn", crc32(b"%d" % number)
    url = f"http://{host}/news/2026-11/{chance % 30:02d}/content_{chance % 10**8}.shtml"
    meta = {"depth": 3, "referrer": f"http://{host}/news/index_{chance % 199}.shtml"}
    priority = 200 + chance % 307
    body = f'{{"body": "", "headers": {{}}, "method": "GET", "url": "{url}"}}'.encode()
    key = int.from_bytes(sha1(body).digest()[:8], "big", signed=True)
    values = {"url": url, "callback": "parse", "meta": meta, "priority": priority}
    return QueueEntry(key, host, priority, pack(values, host))


def _check_keys() -> None:
    """RuntimeError if made addresses have not the keys that Scrapy gives them."""
    entry = _made(7, 1)
    values = unpack(entry.payload, entry.host)
    if _entry(values["url"], values["meta"]["referrer"], entry.priority, _Site()) != entry:
        raise RuntimeError("the frontier makes other keys or payloads than this benchmark")


def _used(client: "redis.Redis") -> int:
    information: Any = client.info("memory")
    return int(information["used_memory"]) - int(information.get("mem_aof_buffer", 0))


def _pack_all(frontier: RedisFrontier, client: "redis.Redis") -> None:
    """Until nothing is left to pack."""
    while client.exists("{site}:requests:to_pack"):
        frontier.work_on_overflow()


def _as_if(hosts: int, all_hosts: int) -> None:
    """Heads as long as in a crawl of `all_hosts` hosts."""
    whole, text = "IN_HEADS, SHORTEST_HEAD, LONGEST_HEAD = 2400000", server.script_text
    if whole not in text("overflow"):
        raise RuntimeError("lua/common.lua says otherwise how long heads are")
    fraction = whole.replace("2400000", str(2_400_000 * hosts // all_hosts))
    server.script_text = lambda name: text(name).replace(whole, fraction)  # type: ignore[assignment]


def queues(count: int, depth: int) -> None:
    """Bytes in Redis for an address, and CPU of a node and of Redis on its way in and out."""
    _check_keys()
    hosts = max(1, count // depth)
    with bench() as place, place.client() as client:
        Scripts(client)
        empty = _used(client)
        frontier = RedisFrontier(client, "{site}:requests", "{site}:dupefilter", Politeness(0.0, 100))
        making = pushing = 0.0
        for first in range(0, count, _BATCH):
            began = time.process_time()
            entries = [_made(number, hosts) for number in range(first, min(first + _BATCH, count))]
            made = time.process_time()
            frontier.push(entries)
            making, pushing = making + made - began, pushing + time.process_time() - made
        began = time.process_time()
        _pack_all(frontier, client)
        pushing += time.process_time() - began
        filled = place.redis_cpu()
        used = _used(client) - empty
        packed = sum(map(int, client.hvals("{site}:requests:packed")))  # type: ignore[arg-type]  # the client is synchronous
        queued = frontier.accounts().queued
        rows: list[list[object]] = [["in", f"{1e6 * pushing / count:.0f}", f"{1e6 * filled / count:.0f}"]]
        began, popped = time.process_time(), 0
        for _ in range(_POPPED // 20):
            popped += _through(frontier)
        rows.append(
            [
                "out",
                *(f"{1e6 * spent / popped:.0f}" for spent in (time.process_time() - began, place.redis_cpu() - filled)),
            ]
        )
        frontier.close()
    print(f"{queued:,} addresses on {hosts:,} hosts, {packed:,} of them packed (making them took {making:.0f} s)\n")
    print(f"{used / queued:.1f} B of Redis an address, queued and seen; {used / hosts / 1000:.1f} kB a host\n")
    table(["", "µs of CPU in the node", "µs in Redis"], rows)


def _through(frontier: RedisFrontier) -> int:
    """Twenty requests out and done."""
    frontier._number += 1
    outcome = frontier.exchange(ExchangeBatch(number=frontier._number, wanted=20))
    frontier._number += 1
    frontier.exchange(ExchangeBatch(number=frontier._number, acks=[lease.token for lease in outcome.leases]))
    if outcome.overflow_waits:
        frontier.work_on_overflow()
    return len(outcome.leases)


def links(path: Path) -> None:
    """Bytes of real addresses in full blocks."""
    spider = _Site()
    hosts: dict[str, list[QueueEntry]] = defaultdict(list)
    for number, url in enumerate(dict.fromkeys(path.read_text(errors="replace").split())):
        with contextlib.suppress(ValueError):  # no address
            entry = _entry(url, "http://a.site/", 200 + Random(number).randrange(100), spider)
            hosts[entry.host].append(entry)
    rows: list[list[object]] = []
    for size in (64, 128, 256, MAX_REQUESTS):
        blocks = [block for entries in hosts.values() for block in _blocks(entries, size)]
        if blocks:
            count = size * len(blocks)
            rows.append([size, len(blocks), f"{sum(map(len, blocks)) / count:.1f}"])
    table(["addresses a block", "blocks", "B an address"], rows)


def _blocks(entries: list[QueueEntry], size: int) -> Iterator[bytes]:
    members = [
        (bytes(6) + b"\0" + entry.key.to_bytes(8, "big", signed=True) + entry.payload, entry.priority, entry.host)
        for entry in entries
    ]
    for first in range(0, len(entries) - size + 1, size):
        yield pack_rows([row_of(*member, movable=False) for member in members[first : first + size]])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=200_000, help="addresses in all")
    parser.add_argument("--depth", type=int, default=50_000, help="addresses of a host")
    parser.add_argument("--of-hosts", type=int, default=0, help="hosts of the crawl of which this is a part")
    parser.add_argument("--links", type=Path, help="a file of addresses, one a line")
    options = parser.parse_args()
    if options.links:
        links(options.links)
    else:
        if options.of_hosts:
            _as_if(max(1, options.urls // options.depth), options.of_hosts)
        queues(options.urls, options.depth)


if __name__ == "__main__":
    main()
