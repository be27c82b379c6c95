"""A pool of browser contexts, one for each visitor of a host: a new context costs nearly a second of a core."""

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

_MAX_PAGES = 50
"""Pages after which a context is closed, since its memory grows."""
_IDLE_SECONDS = 20.0


@dataclass(slots=True)
class PooledPage:
    """A browser context with one page, and the guard through which it reaches the network."""

    guard: Guard
    context: BrowserContext
    page: Page
    session: CDPSession
    resources: AsyncExitStack
    pages: int = 0

    async def begin(self, origin: str) -> None:
        """Delete what earlier pages have stored: cookies, storage, counts."""
        self.guard.received = 0
        self.guard.refused.clear()
        if self.pages:
            await self.context.clear_cookies()
            await self.session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    async def end(self) -> None:
        """Stop the page's scripts and requests."""
        await self.page.goto("about:blank")
        await self.page.unroute_all()
        self.pages += 1


class ContextPool:
    """At most twice RENDER_CONCURRENCY idle contexts, the longest idle closed first. After an error a context is not used again."""

    def __init__(self, browser: CrawlBrowser, options: RenderOptions) -> None:
        self._browser = browser
        self._options = options
        self._idle: OrderedDict[Hashable, PooledPage] = OrderedDict()
        self._used = 0
        self._pages = 0

    @asynccontextmanager
    async def page(self, key: Hashable, guard: Guard, given: Mapping[str, Any]) -> AsyncIterator[PooledPage]:
        """The page for a key, which names host and visitor; a new one gets this guard and these options."""
        pooled = self._idle.pop(key, None)
        if pooled is not None and pooled.page.is_closed():
            await pooled.resources.aclose()
            pooled = None
        self._used += 1
        try:
            pooled = pooled or await self._new(guard, given)
            try:
                yield pooled
                await pooled.end()
            except BaseException:
                await pooled.resources.aclose()
                raise
        finally:
            self._used -= 1
        self._pages += 1
        await self._keep(key, pooled)

    async def _new(self, guard: Guard, given: Mapping[str, Any]) -> PooledPage:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(guard)
            context = await stack.enter_async_context(self._browser.context(proxy={"server": guard.address}, **given))
            page = await context.new_page()
            session = await context.new_cdp_session(page)
            return PooledPage(guard, context, page, session, stack.pop_all())

    async def _keep(self, key: Hashable, pooled: PooledPage) -> None:
        if key in self._idle or pooled.pages >= _MAX_PAGES:
            await pooled.resources.aclose()
        else:
            self._idle[key] = pooled
            asyncio.get_running_loop().call_later(_IDLE_SECONDS, self._expire, key, pooled, pooled.pages)
        while len(self._idle) > 2 * self._options.concurrency:
            await self._idle.popitem(last=False)[1].resources.aclose()
        if self._pages >= self._options.restart_pages and not self._used:
            self._pages = 0
            await self.close()
            await self._browser.restart()

    def _expire(self, key: Hashable, pooled: PooledPage, pages: int) -> None:
        if self._idle.get(key) is pooled and pooled.pages == pages:
            del self._idle[key]
            self._closing = asyncio.get_running_loop().create_task(pooled.resources.aclose())

    async def close(self) -> None:
        while self._idle:
            with suppress(Error):
                await self._idle.popitem()[1].resources.aclose()
