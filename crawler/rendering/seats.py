"""Places in the browser that a visitor keeps from one page of a host to the next: a new one costs a core nearly a second."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from crawler.rendering.browser import CrawlBrowser
from crawler.rendering.guard import Guard
from crawler.rendering.options import RenderOptions

_TURNS = 50
"""Pages after which a place is given up: what a browser keeps of them grows."""
_IDLE_SECONDS = 20.0


@dataclass(slots=True)
class Seat:
    """A page that shows nothing, its context, and the door behind which the network lies."""

    guard: Guard
    context: BrowserContext
    page: Page
    session: CDPSession
    leaving: AsyncExitStack
    turns: int = 0

    async def begin(self, origin: str) -> None:
        """Forget what earlier pages have kept: cookies, storage, counts."""
        self.guard.received = 0
        self.guard.refused.clear()
        if self.turns:
            await self.context.clear_cookies()
            await self.session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    async def end(self) -> None:
        """Stop the page's scripts and requests."""
        await self.page.goto("about:blank")
        await self.page.unroute_all()
        self.turns += 1


class Seats:
    """At most twice RENDER_CONCURRENCY of them, the longest idle given up first; one on which a page has failed is not used again."""

    def __init__(self, browser: CrawlBrowser, options: RenderOptions) -> None:
        self._browser = browser
        self._options = options
        self._idle: OrderedDict[Hashable, Seat] = OrderedDict()
        self._taken = 0
        self._pages = 0

    @asynccontextmanager
    async def taken(self, key: Hashable, guard: Guard, given: Mapping[str, Any]) -> AsyncIterator[Seat]:
        """A seat for a key that stands for host and visitor; if there is none yet, with this guard and these options."""
        seat = self._idle.pop(key, None)
        if seat is not None and seat.page.is_closed():
            await seat.leaving.aclose()
            seat = None
        self._taken += 1
        try:
            seat = seat or await self._new(guard, given)
            try:
                yield seat
                await seat.end()
            except BaseException:
                await seat.leaving.aclose()
                raise
        finally:
            self._taken -= 1
        self._pages += 1
        await self._keep(key, seat)

    async def _new(self, guard: Guard, given: Mapping[str, Any]) -> Seat:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(guard)
            context = await stack.enter_async_context(self._browser.context(proxy={"server": guard.address}, **given))
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            return Seat(guard, context, page, session, stack.pop_all())

    async def _keep(self, key: Hashable, seat: Seat) -> None:
        if key in self._idle or seat.turns >= _TURNS:
            await seat.leaving.aclose()
        else:
            self._idle[key] = seat
            asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._expire, key, seat, seat.turns)
        while len(self._idle) > 2 * self._options.pages:
            await self._idle.popitem(last=False)[1].leaving.aclose()
        if self._pages >= self._options.restart and not self._taken:
            self._pages = 0
            await self.close()
            await self._browser.restart()

    def _expire(self, key: Hashable, seat: Seat, turns: int) -> None:
        if self._idle.get(key) is seat and seat.turns == turns:
            del self._idle[key]
            self._leaving = asyncio.get_running_loop().create_task(seat.leaving.aclose())

    async def close(self) -> None:
        """Give up those that are idle."""
        while self._idle:
            with suppress(Error):
                await self._idle.popitem()[1].leaving.aclose()
