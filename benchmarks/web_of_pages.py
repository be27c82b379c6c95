"""A made-up web for measuring frontiers: any host, numbered pages that link to others, asked as an HTTP proxy.

`python -m benchmarks.web_of_pages` serves it in a process of its own, so that its processor time is nobody else's.
Page i links to 2i+1, 2i+2 and to pages spread by a fixed rule, so that all are reached and most links are seen before.
`/_fetched` tells how often each page was served, `/_times` when.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

_TEXT = "她说今年的雨水比往年都多，田里的稻子却长得很好。" * 40


@dataclass
class Web:
    """The pages and what was asked of them."""

    pages: int
    hosts: int
    links: int = 20
    size: int = 12_000
    slow_every: int = 0
    slow_seconds: float = 2.0
    fetched: Counter[int] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)

    def url(self, number: int) -> str:
        """Where page `number` is."""
        return f"http://h{number % self.hosts}.example/p/{number}"

    def page(self, number: int) -> bytes:
        """Its HTML."""
        near = [child for child in (2 * number + 1, 2 * number + 2) if child < self.pages]
        far = [(number * 31 + step * 977) % self.pages for step in range(self.links - len(near))]
        links = "".join(f'<li><a href="{self.url(target)}">第{target}页</a></li>' for target in (*near, *far))
        text = (_TEXT * (self.size // len(_TEXT.encode()) + 1))[: self.size // 3]
        title = f"<title>第{number}页</title>"
        return f"<!doctype html><meta charset=utf-8>{title}<h1>第{number}页</h1><p>{text}</p><ul>{links}</ul>".encode()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while line := await reader.readline():
                while (await reader.readline()).strip():
                    pass
                await self._send(line.split()[1].decode(), writer)
        except (ConnectionError, asyncio.IncompleteReadError, IndexError):
            pass
        finally:
            writer.close()

    async def _send(self, target: str, writer: asyncio.StreamWriter) -> None:
        path = "/" + target.split("://", 1)[-1].partition("/")[2]
        kind, status = b"text/html; charset=utf-8", b"200 OK"
        if path == "/_fetched":
            body = json.dumps(self.fetched).encode()
        elif path == "/_times":
            body = json.dumps(self.times).encode()
        elif path.startswith("/p/") and path[3:].isdigit():
            number = int(path[3:])
            self.fetched[number] += 1
            self.times.append(time.time())
            if self.slow_every and number % self.slow_every == 0:
                await asyncio.sleep(self.slow_seconds)
            body = self.page(number)
        else:
            body, status = b"", b"404 Not Found"
        writer.write(
            b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (status, kind, len(body)) + body
        )
        await writer.drain()


class WebProcess:
    """The web in a process of its own."""

    def __init__(self, **options: Any) -> None:
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.web_of_pages", *words], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def __enter__(self) -> "WebProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def ask(self, what: str) -> Any:
        """`fetched` or `times`."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.address}/_{what}") as answer:
            return json.load(answer)


async def _serve(web: Web) -> None:
    server = await asyncio.start_server(web.answer, "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


def main() -> None:
    """Serve until killed; the address is the first line of output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--links", type=int, default=20)
    parser.add_argument("--size", type=int, default=12_000, help="bytes of text a page")
    parser.add_argument("--slow-every", type=int, default=0, help="each so-many-th page is slow")
    parser.add_argument("--slow-seconds", type=float, default=2.0)
    asyncio.run(_serve(Web(**vars(parser.parse_args()))))


if __name__ == "__main__":
    main()
