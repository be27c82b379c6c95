"""A long crawl of made pages through `workers`: is any page lost, is any fetched twice, does memory stay as it is?

python -m benchmarks.hour --pages 1000000       the hour, on a machine that fetches 280 pages a second
python -m benchmarks.hour --pages 20000         the same, shorter

The server is a process of its own on loopback, and counts what it is asked for. Every page is found by one link of an earlier page,
and has links to some that are known already.
"""

import argparse
import asyncio
import json
import os
import random
import re
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Process
from pathlib import Path
from urllib.request import urlopen

from benchmarks.served_web import REPOSITORY, crawl_command, free_port

_ADDRESS = re.compile(r"http://h(\d+)\.example/(?:p/(\d+)\.html)?")
_CHILDREN, _KNOWN = 8, 6
"""Links of a page to pages that no other page leads to, and to pages that are known already."""
_WORDS = (
    *("今年", "雨水", "充足", "城市", "交通", "学校", "医院", "研究", "市场", "价格", "上涨", "下降", "居民"),
    *("表示", "记者", "了解", "部门", "发布", "消息", "工程", "建设", "完成", "技术", "产品", "服务", "质量"),
)
_SECONDS = 2.0
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class MadeWeb:
    """Pages 0 … `pages` − 1, page n on host n mod `hosts`; what was asked for."""

    pages: int
    hosts: int
    asked: bytearray = field(init=False)

    def __post_init__(self) -> None:
        self.asked = bytearray(self.pages)

    def url(self, number: int) -> str:
        return f"http://h{number % self.hosts}.example/p/{number}.html"

    def answer(self, url: str) -> bytes:
        """The page; nothing where there is none."""
        found = _ADDRESS.fullmatch(url)
        if found is None:
            return b""
        if found[2] is None:
            return f"<title>首页</title><a href='{self.url(int(found[1]))}'>第一页</a>".encode()
        number = int(found[2])
        if number >= self.pages:
            return b""
        self.asked[number] = min(255, self.asked[number] + 1)
        return self._page(number).encode()

    def _page(self, number: int) -> str:
        dice = random.Random(number)
        first = self.hosts + number * _CHILDREN
        linked = [
            *range(first, min(first + _CHILDREN, self.pages)),
            *(dice.randrange(number + 1) for _ in range(_KNOWN)),
        ]
        links = "".join(
            f"<li><a href='{self.url(each)}'>{''.join(dice.choices(_WORDS, k=5))}</a></li>" for each in linked
        )
        text = "".join(f"<p>{'，'.join(''.join(dice.choices(_WORDS, k=6)) for _ in range(6))}。</p>" for _ in range(8))
        title = "".join(dice.choices(_WORDS, k=9))
        return (
            f"<!doctype html><meta charset=utf-8><title>{title}{number}</title><h1>{title}{number}</h1>"
            f"<p>2026-11-{number % 28 + 1:02} 10:20</p><article>{text}</article><ul>{links}</ul>"
        )

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, as a proxy."""
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            while True:
                url = (await reader.readuntil(b"\r\n\r\n")).decode("latin1").split(" ", 2)[1]
                body = self._counts() if url.endswith("/__asked") else self.answer(url)
                status = "200 OK" if body else "404 Not Found"
                head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                await writer.drain()
        writer.close()

    def _counts(self) -> bytes:
        never = self.asked.count(0)
        return json.dumps({"never": never, "twice": self.pages - never - self.asked.count(1)}).encode()


async def _serve(web: MadeWeb, port: int) -> None:
    server = await asyncio.start_server(web.handle, "127.0.0.1", port, limit=1 << 16)
    await server.serve_forever()


def _run_server(web: MadeWeb, port: int) -> None:
    asyncio.run(_serve(web, port))


@dataclass(slots=True)
class Sample:
    """Seconds since the start; resident bytes of the crawl and of its readers."""

    when: float
    resident: int


def _resident(pid: int) -> int:
    """Of a process and of its children."""
    total = 0
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (str(pid), *children):
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * _PAGE_BYTES
    return total


def _crawl(command: list[str], proxy: str, log: Path) -> Iterator[Sample]:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, env=environment | {"http_proxy": proxy}, stdout=output, stderr=output
        )
        while process.poll() is None:
            yield Sample(time.monotonic() - began, _resident(process.pid))
            time.sleep(_SECONDS)
    if process.returncode:
        raise SystemExit(f"the crawl ended with {process.returncode}; see {log}")


def main() -> None:
    """Crawl, and print what became of the pages, and memory over time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2, help="processes that read pages")
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        _measure(options, options.work or Path(work))


def _measure(options: argparse.Namespace, work: Path) -> None:
    web, port = MadeWeb(options.pages, min(options.hosts, options.pages)), free_port()
    server = Process(target=_run_server, args=(web, port), daemon=True)
    server.start()
    command = crawl_command(work, [f"http://h{host}.example/" for host in range(web.hosts)])
    samples = list(
        _crawl([*command, "-a", f"workers={options.workers}"], f"http://127.0.0.1:{port}", work / "crawl.log")
    )
    with urlopen(f"http://127.0.0.1:{port}/__asked", timeout=60) as answer:
        counts = json.load(answer)
    server.terminate()
    database = sqlite3.connect(work / "crawl.db")
    stored = database.execute("SELECT COUNT(*) FROM pages WHERE url LIKE '%/p/%'").fetchone()[0]
    database.close()
    print(f"{options.pages:,} pages in {samples[-1].when:,.0f} s: {options.pages / samples[-1].when:.0f} a second")
    print(
        f"never fetched {counts['never']:,}, fetched twice {counts['twice']:,}, not stored {options.pages - stored:,}"
    )
    alive = [sample for sample in samples if sample.resident]
    for tenth in range(1, 11):
        sample = alive[int(tenth / 10 * (len(alive) - 1))]
        print(f"{tenth * 10:4} % of the time: {sample.resident / 1e6:6.0f} MB in all processes")


if __name__ == "__main__":
    main()
