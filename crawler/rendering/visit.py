"""One page in the browser: shown as it was served, let run until it is quiet, brought to show all it has, and read."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from playwright.async_api import CDPSession, Request, Route
from playwright.async_api import TimeoutError as PlaywrightTimeout

from crawler.rendering.errors import RenderError
from crawler.rendering.options import RenderOptions
from crawler.rendering.seats import Seat

_LOOK_SECONDS = 0.05
_LONGEST_WAIT = 6.0
"""Seconds for which one round waits for a page that is never quiet."""
_NOT_SERVED = frozenset(("content-encoding", "content-length", "transfer-encoding", "set-cookie", "refresh", "link"))


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the crawl has fetched it."""

    url: str
    body: bytes
    headers: dict[str, str]


@cache
def _script() -> str:
    return (resources.files(__package__) / "page.js").read_text(encoding="utf-8")


class Visit:
    """The main document is never asked for again: robots.txt, redirects, limits and bans have been seen to already."""

    def __init__(self, document: Document, options: RenderOptions) -> None:
        self._document = document
        self._options = options
        self._under_way: set[Request] = set()
        self._shown = False
        self._listeners: dict[str, Callable[[Any], Any]] = {
            "popup": lambda other: other.close(),
            "request": lambda request: self._under_way.add(request),
            "requestfinished": lambda request: self._under_way.discard(request),
            "requestfailed": lambda request: self._under_way.discard(
                request
            ),  # also of the page before, which is not ours
        }

    async def read(self, seat: Seat) -> str:
        """The page as HTML when it has come to rest; RenderError, or Playwright's own, if it cannot be had.

        Whoever gets an error gives the seat up: the page is still there, and still listened to.
        """
        page, session = seat.page, seat.session
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]  # one for each name
        await page.route("**/*", self._answer)
        await page.goto(self._document.url, wait_until="commit", timeout=0)
        with suppress(PlaywrightTimeout):  # what is slow is waited for no longer than anything else
            await page.wait_for_load_state("domcontentloaded", timeout=_LONGEST_WAIT * 1e3)
        reader = await self._reader(session)
        await self._bring_all(session, reader)
        html = await _call(session, reader, f"content({self._options.content})")
        if html is None:
            raise RenderError(f"it has grown beyond {self._options.content:,} characters")
        for event, listener in self._listeners.items():
            page.remove_listener(event, listener)
        return str(html)

    async def _answer(self, route: Route) -> None:
        request = route.request
        if self._is_main(request):
            if self._shown:  # scripts may not lead the reader away, nor load the page anew
                await route.fulfill(status=204)
                return
            self._shown = True
            headers = {name: value for name, value in self._document.headers.items() if name not in _NOT_SERVED}
            await route.fulfill(status=200, headers=headers, body=self._document.body)
        elif request.resource_type in self._options.blocked or request.resource_type == "document":
            await route.abort()
        else:
            await route.continue_()

    @staticmethod
    def _is_main(request: Request) -> bool:
        return request.is_navigation_request() and request.frame.parent_frame is None

    @staticmethod
    async def _reader(session: CDPSession) -> str:
        """Our script's object in the page, in a world that the page's own scripts do not reach."""
        tree = await session.send("Page.getFrameTree")
        world = await session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "reader"}
        )
        answer = await session.send(
            "Runtime.evaluate", {"expression": _script(), "contextId": world["executionContextId"]}
        )
        return str(_result(answer)["objectId"])

    async def _bring_all(self, session: CDPSession, reader: str) -> None:
        """Press what brings more, scroll, and wait, until that brings nothing or RENDER_ROUNDS are over."""
        await self._rest(session, reader)
        length, vain = int(await _call(session, reader, "text()")), 0
        for _ in range(self._options.rounds):
            presses = int(await _call(session, reader, "step()"))
            await self._rest(session, reader)
            now = int(await _call(session, reader, "text()"))
            vain = 0 if now > length else vain + 1
            if vain > min(presses, 1):
                return
            length = max(now, length)

    async def _rest(self, session: CDPSession, reader: str) -> None:
        """Until nothing is being fetched and the text has not changed for RENDER_IDLE_SECONDS seconds."""
        loop = asyncio.get_running_loop()
        end, since = loop.time() + _LONGEST_WAIT, loop.time()
        while loop.time() < end:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._under_way:
                since = loop.time()
            elif loop.time() - since >= self._options.quiet:
                still = float(await _call(session, reader, "still()")) / 1e3
                if still >= self._options.quiet:
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
