"""A real browser: pages that scripts make are read as if a server had made them, within bounds, and nothing is left over."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from crawler.rendering.options import NoBrowserError, RenderError, find_browser, render_options
from settings import base
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.scripted_site import KINDS, SCRIPTED, SERVED

try:
    find_browser("")
except NoBrowserError as error:
    pytest.skip(str(error), allow_module_level=True)

from crawler.rendering.browser import descendants
from crawler.rendering.renderer import BrowserRenderer
from testbed.rendered_crawl import rendered_crawl, stored_pages

_URL = "http://some.example/page"
Show = Callable[..., str]


def _renderer(**own: Any) -> BrowserRenderer:
    values = {name: value for name, value in vars(base).items() if name.isupper() and name != "ADDONS"}
    return BrowserRenderer(render_options(Settings(values | own)))


async def _shown(renderer: BrowserRenderer, body: str, proxy: str = "", **headers: str) -> str:
    """The page as the browser shows it, or why it does not; `headers` of the request, but for the answer's Set_Cookie."""
    cookie = headers.pop("Set_Cookie", "")
    answered = {"Content-Type": "text/html; charset=utf-8", **({"Set-Cookie": cookie} if cookie else {})}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(_URL, headers=named, meta={"proxy": proxy} if proxy else {})
    try:
        return await renderer.render(request, HtmlResponse(_URL, body=body.encode(), headers=answered))
    except RenderError as error:
        return f"not rendered: {error}"


@pytest.fixture(scope="module")
def show() -> Iterator[Show]:
    """One browser for several tests; nothing of it is left when they are done."""
    renderer = _renderer(RENDER_TIMEOUT=120, DOWNLOAD_MAXSIZE=1_000_000, RENDER_MAXSIZE=100_000)
    usual = renderer._options
    others = set(descendants())  # servers that other tests have started

    async def shown(body: str, seconds: float = usual.timeout, **given: str) -> str:
        renderer._options = replace(usual, timeout=seconds)
        return await _shown(renderer, body, **given)

    with asyncio.Runner() as runner:
        runner.run(_shown(renderer, "<p>started</p>"))
        yield lambda body, **given: runner.run(shown(body, **given))
        runner.run(renderer.close())
    assert set(descendants()) <= others


def test_pages_made_by_scripts_are_stored_like_those_that_a_server_made(tmp_path: Path) -> None:
    made = rendered_crawl(tmp_path, (SERVED, SCRIPTED), "auto", range(7, 8), STATS_DUMP=True)
    pages = stored_pages(made)
    assert pages[SCRIPTED] == pages[SERVED]
    assert len(pages[SERVED]) == len(KINDS)
    assert all(len(records) >= 15 for _, _, records in pages[SERVED].values())
    assert f"'render/pages': {len(KINDS)}" in made.log  # the served ones were not
    assert not made.errors


_PRIVATE = """<p>text</p><iframe src="http://127.0.0.1:PORT/frame"></iframe><img src="http://127.0.0.1:PORT/image">
<script src="http://localhost:PORT/script"></script><script>
for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::1]"]) fetch(`http://${host}:PORT/fetch`, {mode: "no-cors"});
new WebSocket("ws://127.0.0.1:PORT/socket"); navigator.sendBeacon("http://127.0.0.1:PORT/beacon", "x");
window.open("http://127.0.0.1:PORT/window");</script><p>after</p>"""


def test_a_page_reaches_nothing_inside(show: Show) -> None:
    with HostileWeb({}) as web:
        assert "<p>after</p>" in show(_PRIVATE.replace("PORT", str(web.port)))
        away = f"<script>location.href = 'http://127.0.0.1:{web.port}/away'</script>"
        assert "not rendered" not in show(away)
        assert not web.seen


def test_a_page_that_hangs_or_grows_ends_and_leaves_the_browser_to_the_next(show: Show) -> None:
    assert show("<script>for (;;) {}</script>", seconds=4) == "not rendered: it is not complete after 4 s"
    growing = "<body><script>setInterval(() => document.body.append('x'.repeat(1e6)), 1)</script>"
    assert show(growing, seconds=5).startswith("not rendered")
    lying = "<script>Document.prototype.createTreeWalker = () => { throw 1 }; JSON.stringify = 1</script><p>here</p>"
    assert "<p>here</p>" in show(lying)


def test_scripts_ask_as_the_visitor_through_its_proxy_with_its_cookies(show: Show) -> None:
    page = "<p id=p></p><script>fetch('/d').then(a => a.text()).then(t => p.textContent = t + document.cookie)</script>"
    with HostileWeb({"some.example": lambda asked: asked.answer(f"{asked.headers}", Content_Type="text/plain")}) as web:
        said = {
            "User_Agent": "a name",
            "Cookie": "visit=1",
            "Accept_Language": "zh-CN",
            "Set_Cookie": "fresh=2; Path=/",
        }
        html = show(page, proxy=web.address, **said)
        assert [seen.path for seen in web.seen] == ["/d"]  # the page itself is not asked for again
    assert "'User-Agent': 'a name'" in html
    assert "'Accept-Language': 'zh-CN'" in html
    assert "visit=1; fresh=2" in html


def test_a_page_may_not_load_without_end(show: Show) -> None:
    page = "<p>text</p><script>for (let n = 0; n < 9; n++) fetch('/large/' + n).catch(() => 0)</script>"
    with HostileWeb({"some.example": lambda asked: asked.answer("x" * 30_000)}) as web:
        assert show(page, proxy=web.address) == "not rendered: it has loaded more than 100,000 bytes"


def test_a_page_that_fills_the_memory_ends_with_the_browser() -> None:
    fill = "all.push(new Uint8Array(2e7).fill(7)); document.body.append('x')"  # never quiet meanwhile
    filling = f"<body><script>const all = []; setInterval(() => {{ {fill} }}, 5)</script>"

    async def both() -> list[str]:
        renderer = _renderer(RENDER_MEMORY_MAX=500_000_000, RENDER_TIMEOUT=120)
        try:
            return [await _shown(renderer, body) for body in (filling, "<p>next</p>")]
        finally:
            await renderer.close()

    first, second = asyncio.run(both())
    assert first.startswith("not rendered")
    assert "<p>next</p>" in second


def test_a_render_that_hangs_gives_its_lease_back_and_holds_up_nobody(tmp_path: Path) -> None:
    def answer(asked: Connection) -> None:
        if asked.path == "/hangs":
            asked.answer("<title>Hangs</title><div id=app></div><script>for (;;) {}</script>")
        else:
            asked.answer("<title>Whole</title><p>" + "The text of the page, and some more of it. " * 20)

    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "default.yaml").write_text("render: auto")
    own = {"RENDER_TIMEOUT": 2, "RETRY_DELAY": 0.1, "FRONTIER_HOST_DELAY": 0, "TOPICRAWL_SETTINGS_DIR": tmp_path}
    own["STATS_DUMP"] = True
    with HostileWeb({"some.example": answer}) as web:
        urls = ["http://some.example/hangs", *(f"http://some.example/{n}" for n in range(5))]
        made = Crawl(tmp_path / "data", urls, {}, own, {"http_proxy": web.address}).run()
        assert len(web.asked("some.example", "/hangs")) == 2
    assert len(made.pages()) == 6
    assert "attempt 2: it is not complete after 2 s" in made.log
    assert "'frontier/failed_attempts': 1" in made.log
    assert "'render/as_served': 1" in made.log
    assert not made.errors
