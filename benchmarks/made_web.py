"""A web of any number of made pages, answered by a process of its own at a few microseconds a page.

Page n is on host n mod `hosts`. One earlier page leads to it, so that a crawl that loses a page loses what is below it; each page has
links to some that are known already.
"""

import asyncio
import json
import random
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Process
from typing import Any
from urllib.request import urlopen

CHILDREN, _KNOWN = 8, 6
"""Links of a page to pages that no other page leads to, and to pages that are known already."""
_ADDRESS = re.compile(rb"http://h(\d+)\.example/(?:p/(\d+)\.html)?")
_CHARACTERS, _STOCK, _TITLE = 20_000, 4_000, 12
"""Different characters, sentences and texts of links in stock, characters of a title."""
_FIRST_CHARACTER = 0x4E00
_NUMBERED = 0.2
"""The share of titles with a number of their own. With it they bring as many new terms as real Chinese ones."""
_PARAGRAPHS, _OF_PARAGRAPH = 8, 3
_NO_PAGE = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Links:
    """Which page leads to which, among `pages` pages on `hosts` hosts."""

    pages: int
    hosts: int

    def url(self, number: int) -> str:
        return f"http://h{number % self.hosts}.example/p/{number}.html"

    def homes(self) -> list[str]:
        """Of all hosts; each leads to the page with its number."""
        return [f"http://h{host}.example/" for host in range(self.hosts)]

    def children(self, number: int) -> range:
        """The pages that only this page leads to."""
        first = self.hosts + number * CHILDREN
        return range(min(first, self.pages), min(first + CHILDREN, self.pages))


class MadeWeb:
    """The pages, and how often each was asked for."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._asked = bytearray(links.pages)
        dice = random.Random(0)
        self._sentences = [f"{_characters(dice, 20)}，{_characters(dice, 15)}。".encode() for _ in range(_STOCK)]
        self._headlines = [_characters(dice, _TITLE) for _ in range(_STOCK)]

    def message(self, url: bytes) -> bytes:
        """The whole answer to a request."""
        found = _ADDRESS.fullmatch(url)
        if found is None or (found[2] and int(found[2]) >= self._links.pages):
            return _summary(self._asked) if url.endswith(b"/__asked") else _NO_PAGE
        return _message(self._page(int(found[2])) if found[2] else self._home(int(found[1])))

    def _home(self, host: int) -> bytes:
        return f"<!doctype html><meta charset=utf-8><title>首页</title><a href='{self._links.url(host)}'>第一页</a>".encode()

    def _page(self, number: int) -> bytes:
        self._asked[number] = min(255, self._asked[number] + 1)
        dice = random.Random(number)
        title = made_title(number)
        known = (int(dice.random() * (number + 1)) for _ in range(_KNOWN))
        linked = [*self._links.children(number), *known]
        links = "".join(
            f"<li><a href='{self._links.url(each)}'>{said}</a></li>"
            for each, said in zip(linked, dice.choices(self._headlines, k=len(linked)), strict=True)
        )
        said = dice.choices(self._sentences, k=_PARAGRAPHS * _OF_PARAGRAPH)
        text = b"".join(
            b"<p>%b</p>" % b"".join(said[at : at + _OF_PARAGRAPH]) for at in range(0, len(said), _OF_PARAGRAPH)
        )
        head = (
            f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1>"
            f"<p>2026-11-{number % 28 + 1:02} 10:20</p><article>"
        )
        return b"".join((head.encode(), text, b"</article><ul>", links.encode(), b"</ul>"))


def made_title(number: int) -> str:
    """Of the page with this number."""
    dice = random.Random(number)
    title = _characters(dice, _TITLE)
    return f"{title}{number}" if dice.random() < _NUMBERED else title


def _characters(dice: random.Random, number: int) -> str:
    """Some are frequent and many are rare, as in a language."""
    return "".join([chr(_FIRST_CHARACTER + int(_CHARACTERS * dice.random() ** 3)) for _ in range(number)])


def _message(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def _summary(asked: bytearray) -> bytes:
    never, once = asked.count(0), asked.count(1)
    return _message(json.dumps({"asked": len(asked) - never, "twice": len(asked) - never - once}).encode())


class _Proxy(asyncio.Protocol):
    """One connection, over which requests come one after the other."""

    def __init__(self, web: MadeWeb) -> None:
        self._web, self._rest = web, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        *requests, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for request in requests:
            self._transport.write(self._web.message(request.split(b" ", 2)[1]))


def _serve(links: Links, listening: socket.socket) -> None:
    async def serve() -> None:
        web = MadeWeb(links)
        server = await asyncio.get_running_loop().create_server(lambda: _Proxy(web), sock=listening)
        await server.serve_forever()

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that asks for the counts afterwards
    asyncio.run(serve())


@contextmanager
def served(links: Links) -> Iterator[tuple[int, int]]:
    """The process that answers as a proxy on loopback: its number and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Process(target=_serve, args=(links, listening), daemon=True)
        server.start()
        try:
            yield server.pid or 0, listening.getsockname()[1]
        finally:
            server.kill()
            server.join()


def asked_for(port: int) -> dict[str, int]:
    """How many pages were asked for, and how many of them twice."""
    with urlopen(f"http://127.0.0.1:{port}/__asked", timeout=60) as answer:
        return dict(json.load(answer))
