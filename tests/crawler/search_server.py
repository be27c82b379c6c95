"""A small search engine in three layouts, with paging, redirects and blocks, and the pages that it finds."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from testbed.local_server import AnsweringHandler, serving

SIZE = 10
LAYOUTS = {
    "bing": '<li class="b_algo"><h2><a href="{url}">{title}</a></h2><p>{snippet}</p></li>',
    "sogou": '<div class="vrwrap"><h3><a href="/link?url={quoted}">{title}</a></h3><div>{snippet}</div></div>',
    "duckduckgo": '<div class="result"><a class="result__a" href="//d.example/l/?uddg={quoted}">{title}</a><i>{snippet}</i></div>',
    "opaque": '<div class="vrwrap"><h3><a href="http://www.sogou.com/link?url={token}">{title}</a></h3><i>{snippet}</i></div>',
}
RULES = {
    "bing": "html: li.b_algo\nfields:\n  url: h2 a\n  summary: p",
    "sogou": "html: div.vrwrap\nfields:\n  url: h3 a\n  summary: div",
    "duckduckgo": "html: div.result\nfields:\n  url: a.result__a\n  summary: i",
    "opaque": "html: div.vrwrap\nfields:\n  url: h3 a\n  summary: i",
}


@dataclass
class SearchServer:
    """What it was asked: (layout, words, first) with times; it blocks for `ban` seconds after `most` queries.

    The first `dead` results of each query are gone. With `needs_cookie` it answers nothing to who was not at its home
    page. `snippets` and `texts` are those of its results and pages, in turn.
    """

    hits: int = 25
    most: int = 0
    ban: float = 1.0
    delay: float = 0.0
    dead: int = 0
    needs_cookie: bool = False
    snippets: tuple[str, ...] = ("some words",)
    texts: tuple[str, ...] = ("About finance and what follows from it, in a sentence that is long enough to be one. ",)
    port: int = 0
    asked: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    fetched: Counter[str] = field(default_factory=Counter)
    resolved: Counter[str] = field(default_factory=Counter)
    homes: int = 0
    refused: int = 0
    hammered: int = 0
    _left: int = 0
    _until: float = 0.0

    def answer(self, path: str, cookie: str) -> tuple[int, str, dict[str, str]]:
        parts = urlsplit(path)
        if parts.path == "/home":
            self.homes += 1
            return 200, "<title>home</title>", {"Set-Cookie": "visitor=7; path=/"}
        if parts.path.startswith("/search/"):
            time.sleep(self.delay)
            given = parse_qs(parts.query)
            if self.needs_cookie and "visitor=7" not in cookie:
                return 200, "", {}
            return *self._search(parts.path.split("/")[2], given["q"][0], int(given["first"][0])), {}
        if parts.path == "/link":
            target = bytes.fromhex(parse_qs(parts.query)["url"][0]).decode()
            self.resolved[target] += 1
            return 302, "", {"Location": target}
        return *self._page(parts.path), {}

    def _page(self, path: str) -> tuple[int, str]:
        if not path.startswith("/page/"):
            return 404, "nothing"
        self.fetched[path] += 1
        number = int(path.rsplit("-", 1)[1])
        if number <= self.dead:
            return 404, "gone"
        text = self.texts[number % len(self.texts)]
        title = f"{text[6:24]} {number} {blake2b(path.encode(), digest_size=4).hexdigest()}"
        paragraphs = "".join(f"<p>Paragraph {n}: {text} And {n * 7} more words by {n} men.</p>" for n in range(8))
        return (
            200,
            f"<title>{title}</title><div id=content><h1>{title}</h1>{paragraphs}<a href=/page/deep-99>more of finance</a></div>",
        )

    def _search(self, layout: str, words: str, first: int) -> tuple[int, str]:
        now = time.monotonic()
        if now < self._until:
            self.hammered += 1
            return 429, "slow down"
        self._left += 1
        if self.most and self._left > self.most:
            self.refused += 1
            self._left, self._until = 0, now + self.ban
            return 200, f"<title>百度安全验证</title><div id='captcha'>{'.' * 300}</div>"
        self.asked[layout, words, first] += 1
        return (
            200,
            f"<title>{words}</title>{''.join(self._blocks(layout, words, first)) or 'There are no results for it'}",
        )

    def _blocks(self, layout: str, words: str, first: int) -> Iterator[str]:
        for number in range(first, min(first + SIZE, self.hits + 1)):
            url = f"http://127.0.0.1:{self.port}/page/{quote(words, safe='')}-{number}"
            values = {
                "url": url,
                "quoted": quote(url, safe=""),
                "token": url.encode().hex(),
                "title": f"{words} {number}",
            }
            yield LAYOUTS[layout].format(**values, snippet=self.snippets[number % len(self.snippets)])

    def declaration(self, layout: str, rest: float) -> str:
        """An engine file for it."""
        url = f"http://127.0.0.1:{self.port}/search/{layout}?q={{query}}&first={{first}}"
        return f"url: {url}\ndelay: 0\nbackoff: {rest}\n{RULES[layout]}\n"


@contextmanager
def search_server(**options: Any) -> Iterator[SearchServer]:
    """Serves on a free port of this machine."""
    state = SearchServer(**options)

    class Handler(AnsweringHandler):
        def do_GET(self) -> None:
            status, text, headers = state.answer(self.path, self.headers.get("Cookie", ""))
            body = f"<!doctype html><meta charset=utf-8>{text}".encode() if text else b""
            self.answer(body, status, **headers)

    with serving(Handler) as server:
        state.port = server.server_port
        yield state
