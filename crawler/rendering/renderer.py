"""Renders fetched pages in a browser, within limits: loads the served page, waits until it is idle, expands it, reads its HTML."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from playwright._impl._api_structures import SetCookieParam
from playwright.async_api import CDPSession, Error, Route
from playwright.async_api import Request as BrowserRequest
from playwright.async_api import TimeoutError as PlaywrightTimeout
from scrapy import Request
from scrapy.http import Response

from crawler.meta import visitor_of
from crawler.rendering.browser import ContextPool, CrawlBrowser, PooledPage
from crawler.rendering.guard import Guard, Upstream
from crawler.rendering.options import RenderError, RenderOptions

_POLL_SECONDS = 0.05
_MAX_ROUND_SECONDS = 6.0
"""Maximum wait of one round, for a page that never becomes idle."""
_MAX_ROUNDS = 10
"""Rounds of scrolling and pressing "more" buttons."""
_IDLE_SECONDS = 0.4
"""A page is complete after this time without requests and changes of the text."""
_DROPPED_HEADERS = frozenset(
    ("content-encoding", "content-length", "transfer-encoding", "set-cookie", "refresh", "link")
)


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A page as the crawl fetched it."""

    url: str
    body: bytes
    headers: dict[str, str]


@cache
def _script() -> str:
    return (resources.files(__package__) / "page.js").read_text(encoding="utf-8")


class PageLoad:
    """Loads a page without requesting the main document again: all checks were made when it was fetched."""

    def __init__(self, document: ServedPage, options: RenderOptions) -> None:
        self._served_page = document
        self._options = options
        self._under_way: set[BrowserRequest] = set()
        self._is_served = False
        self._listeners: dict[str, Callable[[Any], Any]] = {
            "popup": lambda other: other.close(),
            "request": lambda request: self._under_way.add(request),
            "requestfinished": lambda request: self._under_way.discard(request),
            # requests of the previous page are not in the set
            "requestfailed": lambda request: self._under_way.discard(request),
        }

    async def read(self, pooled: PooledPage) -> str:
        """The HTML of the idle page. Raises RenderError or Playwright's Error.

        After an error the pooled page must be closed: it still has our listeners.
        """
        page, session = pooled.page, pooled.session
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]  # one overload per name
        await page.route("**/*", self._answer)
        await page.goto(self._served_page.url, wait_until="commit", timeout=0)
        with suppress(PlaywrightTimeout):  # continue with a slow page
            await page.wait_for_load_state("domcontentloaded", timeout=_MAX_ROUND_SECONDS * 1e3)
        reader = await self._reader(session)
        await self._expand(session, reader)
        html = await _call(session, reader, f"content({self._options.max_chars})")
        if html is None:
            raise RenderError(f"it has grown beyond {self._options.max_chars:,} characters")
        for event, listener in self._listeners.items():
            page.remove_listener(event, listener)
        return str(html)

    async def _answer(self, route: Route) -> None:
        request = route.request
        if self._is_main(request):
            if self._is_served:  # scripts must not leave or reload the page
                await route.fulfill(status=204)
                return
            self._is_served = True
            headers = {name: value for name, value in self._served_page.headers.items() if name not in _DROPPED_HEADERS}
            await route.fulfill(status=200, headers=headers, body=self._served_page.body)
        elif request.resource_type in self._options.blocked_types or request.resource_type == "document":
            await route.abort()
        else:
            await route.continue_()

    @staticmethod
    def _is_main(request: BrowserRequest) -> bool:
        return request.is_navigation_request() and request.frame.parent_frame is None

    @staticmethod
    async def _reader(session: CDPSession) -> str:
        """The object of our script, in an isolated world that the page's scripts cannot access."""
        tree = await session.send("Page.getFrameTree")
        world = await session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "reader"}
        )
        answer = await session.send(
            "Runtime.evaluate", {"expression": _script(), "contextId": world["executionContextId"]}
        )
        return str(_result(answer)["objectId"])

    async def _expand(self, session: CDPSession, reader: str) -> None:
        """Press "more" buttons, scroll and wait, until no text is added, at most ten rounds."""
        await self._wait_until_idle(session, reader)
        chars, vain = int(await _call(session, reader, "text()")), 0
        for _ in range(_MAX_ROUNDS):
            presses = int(await _call(session, reader, "step()"))
            await self._wait_until_idle(session, reader)
            now = int(await _call(session, reader, "text()"))
            vain = 0 if now > chars else vain + 1
            if vain > min(presses, 1):
                return
            chars = max(now, chars)

    async def _wait_until_idle(self, session: CDPSession, reader: str) -> None:
        """Wait until there are no requests and the text has not changed for some tenths of a second."""
        loop = asyncio.get_running_loop()
        end, since = loop.time() + _MAX_ROUND_SECONDS, loop.time()
        while loop.time() < end:
            await asyncio.sleep(_POLL_SECONDS)
            if self._under_way:
                since = loop.time()
            elif loop.time() - since >= _IDLE_SECONDS:
                still = float(await _call(session, reader, "still()")) / 1e3
                if still >= _IDLE_SECONDS:
                    return
                since = loop.time() - still


async def _call(session: CDPSession, reader: str, expression: str) -> Any:
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "objectId": reader,
            "functionDeclaration": f"function() {{ return this.{expression}; }}",
            "returnByValue": True,
            "awaitPromise": True,
        },
    )
    return _result(answer).get("value")


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    if "exceptionDetails" in answer:
        raise RenderError(f"the page cannot be read: {str(answer['exceptionDetails'].get('exception', ''))[:300]}")
    found: dict[str, Any] = answer["result"]
    return found


_CLIENT_HINTS = "sec-ch-ua"


class BrowserRenderer:
    """Renders at most RENDER_CONCURRENCY pages in parallel, each within RENDER_TIMEOUT seconds and through its own guard."""

    def __init__(self, options: RenderOptions) -> None:
        self._options = options
        self._browser = CrawlBrowser(options)
        self._contexts = ContextPool(self._browser, options)
        self._slots = asyncio.Semaphore(options.concurrency)

    async def render(self, request: Request, response: Response) -> str:
        """The HTML of the page after its scripts have run. Raises RenderError."""
        async with self._slots:
            try:
                async with asyncio.timeout(self._options.timeout):
                    return await self._load(request, response)
            except TimeoutError:
                raise RenderError(f"it is not complete after {self._options.timeout:g} s") from None
            except Error as error:
                lines = str(error).strip().splitlines() or [type(error).__name__]
                raise RenderError(lines[0][:300]) from None

    async def _load(self, request: Request, response: Response) -> str:
        upstream = Upstream(str(request.meta.get("proxy") or ""), request.headers.get("Proxy-Authorization") or b"")
        agent, headers = _header(request, "User-Agent"), _browser_headers(request)
        given = {
            "user_agent": agent or None,
            "extra_http_headers": headers,
            "ignore_https_errors": not self._options.verify_certificates,
        }
        key = (*visitor_of(request), upstream, agent, *headers.items())
        guard = Guard(self._options.allow_private, self._options.maxsize, upstream)
        async with self._contexts.page(key, guard, given) as pooled:
            parts = urlsplit(response.url)
            await pooled.begin(f"{parts.scheme}://{parts.netloc}")
            with suppress(Error):  # the browser may refuse a cookie
                await pooled.context.add_cookies(_cookies(request, response))
            html = await PageLoad(_served_page(response), self._options).read(pooled)
            if pooled.guard.is_spent:
                raise RenderError(f"it has loaded more than {self._options.maxsize:,} bytes")
            return html

    async def close(self) -> None:
        await self._contexts.close()
        await self._browser.close()


def _served_page(response: Response) -> ServedPage:
    headers = {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }
    return ServedPage(response.url, response.body, headers)


def _header(request: Request, name: str) -> str:
    return (request.headers.get(name) or b"").decode("latin-1")


def _browser_headers(request: Request) -> dict[str, str]:
    """The headers that describe the browser, except User-Agent."""
    names = [name.decode("latin-1") for name in request.headers]
    wanted = [name for name in names if name.lower() == "accept-language" or name.lower().startswith(_CLIENT_HINTS)]
    return {name: _header(request, name) for name in wanted}


def _cookies(request: Request, response: Response) -> list[SetCookieParam]:
    """The cookies of the request, and those set by its answer."""
    answered = [line.decode("latin-1").split(";", 1)[0] for line in response.headers.getlist("Set-Cookie")]
    pairs = [part.partition("=") for part in [*_header(request, "Cookie").split(";"), *answered]]
    parts = urlsplit(response.url)
    found = {name.strip(): value.strip() for name, mark, value in pairs if mark and name.strip()}
    return [{"name": name, "value": value, "url": f"{parts.scheme}://{parts.netloc}/"} for name, value in found.items()]
