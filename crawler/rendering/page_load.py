"""One page in the browser: load it as it was served, wait until it is idle, expand it, and read its HTML."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from playwright.async_api import CDPSession, Request, Route
from playwright.async_api import TimeoutError as PlaywrightTimeout

from crawler.rendering.context_pool import PooledPage
from crawler.rendering.options import RenderError, RenderOptions

_POLL_SECONDS = 0.05
_MAX_ROUND_SECONDS = 6.0
"""Wait of one round for a page that never becomes idle."""
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
    """The main document is not requested again: robots.txt, redirects, limits and bans were checked when it was fetched."""

    def __init__(self, document: ServedPage, options: RenderOptions) -> None:
        self._served_page = document
        self._options = options
        self._under_way: set[Request] = set()
        self._is_served = False
        self._listeners: dict[str, Callable[[Any], Any]] = {
            "popup": lambda other: other.close(),
            "request": lambda request: self._under_way.add(request),
            "requestfinished": lambda request: self._under_way.discard(request),
            "requestfailed": lambda request: self._under_way.discard(
                request
            ),  # also requests of the page before, which are not in the set
        }

    async def read(self, pooled: PooledPage) -> str:
        """The HTML of the idle page; RenderError or Playwright's Error if that fails.

        After an error the pooled page must be closed: it still has our listeners.
        """
        page, session = pooled.page, pooled.session
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]  # one for each name
        await page.route("**/*", self._answer)
        await page.goto(self._served_page.url, wait_until="commit", timeout=0)
        with suppress(PlaywrightTimeout):  # a slow page gets no more time
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
    def _is_main(request: Request) -> bool:
        return request.is_navigation_request() and request.frame.parent_frame is None

    @staticmethod
    async def _reader(session: CDPSession) -> str:
        """The object of our script, in an isolated world that scripts of the page cannot reach."""
        tree = await session.send("Page.getFrameTree")
        world = await session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "reader"}
        )
        answer = await session.send(
            "Runtime.evaluate", {"expression": _script(), "contextId": world["executionContextId"]}
        )
        return str(_result(answer)["objectId"])

    async def _expand(self, session: CDPSession, reader: str) -> None:
        """Press "more" buttons, scroll and wait, until that adds no text or RENDER_ROUNDS are over."""
        await self._wait_until_idle(session, reader)
        chars, vain = int(await _call(session, reader, "text()")), 0
        for _ in range(self._options.rounds):
            presses = int(await _call(session, reader, "step()"))
            await self._wait_until_idle(session, reader)
            now = int(await _call(session, reader, "text()"))
            vain = 0 if now > chars else vain + 1
            if vain > min(presses, 1):
                return
            chars = max(now, chars)

    async def _wait_until_idle(self, session: CDPSession, reader: str) -> None:
        """Until there is no request and the text has not changed for RENDER_IDLE_SECONDS."""
        loop = asyncio.get_running_loop()
        end, since = loop.time() + _MAX_ROUND_SECONDS, loop.time()
        while loop.time() < end:
            await asyncio.sleep(_POLL_SECONDS)
            if self._under_way:
                since = loop.time()
            elif loop.time() - since >= self._options.idle_seconds:
                still = float(await _call(session, reader, "still()")) / 1e3
                if still >= self._options.idle_seconds:
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
