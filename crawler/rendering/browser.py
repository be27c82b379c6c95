"""One Chromium per crawl, started on first use, restarted when it has died, hangs, or uses too much memory; and a pool of
contexts, one per visitor of a host, since a new context costs nearly a second of CPU."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, Error, Page, Playwright, async_playwright

from crawler.rendering.guard import Guard
from crawler.rendering.options import RenderError, RenderOptions, find_browser

logger = logging.getLogger(__name__)
_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-remote-fonts",
    "--blink-settings=imagesEnabled=false",
    "--dns-prefetch-disable",
    "--no-pings",
    "--js-flags=--max-old-space-size=512",
    # block everything that bypasses the guard of a page
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_START_SECONDS = 30.0
_END_SECONDS = 5.0
_WATCH_SECONDS = 1.0
_RESTART_PAGES = 500
"""The browser is restarted after this many pages, since its memory grows."""


class CrawlBrowser:
    """Creates isolated browser contexts."""

    def __init__(self, options: RenderOptions) -> None:
        self._options = options
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._open = 0
        self._watching: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def context(self, **given: Any) -> AsyncIterator[BrowserContext]:
        """A context with these options (`Browser.new_context`), closed at the end; if that fails, the browser is ended.

        Raises RenderError if the browser does not start.
        """
        browser = await self._running()
        context = await browser.new_context(service_workers="block", accept_downloads=False, **given)
        self._open += 1
        try:
            yield context
        finally:
            self._open -= 1
            await self._close_context(browser, context)

    async def restart(self) -> None:
        """End the browser; the next page starts another one."""
        if self._browser is not None:
            await self._end(self._browser, "")

    async def version(self) -> str:
        """The version of the browser. Raises RenderError if it does not start."""
        return (await self._running()).version

    async def _close_context(self, browser: Browser, context: BrowserContext) -> None:
        try:
            async with asyncio.timeout(_END_SECONDS):
                await context.close()
        except (TimeoutError, Error):
            await self._end(browser, "it hangs")

    async def _running(self) -> Browser:
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                self._browser = await self._start()
            if self._watching is None:
                self._watching = asyncio.get_running_loop().create_task(self._watch())
            return self._browser

    async def _start(self) -> Browser:
        try:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            browser = await self._playwright.chromium.launch(
                executable_path=find_browser(self._options.browser) or None,
                args=list(_FLAGS),
                chromium_sandbox=self._options.sandbox and os.geteuid() != 0,
                handle_sigint=False,  # the crawl handles signals, and ends the browser
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_START_SECONDS * 1e3,
            )
        except (Error, OSError) as error:
            lines = str(error).strip().splitlines() or [""]
            raise RenderError(
                f"the browser does not start: {lines[0][:300]} (scrapy doctor tries it; in a container without user "
                "namespaces set RENDER_SANDBOX = False)"
            ) from None
        logger.info("Rendering with Chromium %s", browser.version)
        return browser

    async def _watch(self) -> None:
        """End the browser when it uses more than RENDER_MEMORY_MAX; pages being rendered fail and are retried."""
        ended: set[int] = set()  # processes take time to end
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            if not self._open or self._browser is None:
                continue
            running = [pid for pid in await asyncio.to_thread(descendants) if pid not in ended]
            used = memory_of(running)
            if used > self._options.memory_max:
                ended.update(running)
                await self._end(self._browser, f"it uses {used / 1e6:,.0f} MB")

    async def _end(self, browser: Browser, why: str) -> None:
        if self._browser is not browser:
            return
        self._browser = None
        if why:
            logger.warning("The browser is restarted: %s", why)
        try:
            async with asyncio.timeout(_END_SECONDS):
                await browser.close()
        except (TimeoutError, Error):
            await self._stop_driver()

    async def _stop_driver(self) -> None:
        """Stop Playwright's driver, which ends every browser that it started."""
        playwright, self._playwright = self._playwright, None
        if playwright is not None:
            with suppress(TimeoutError, Error):
                async with asyncio.timeout(_END_SECONDS):
                    await playwright.stop()

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        if self._browser is not None:
            await self._end(self._browser, "")
        await self._stop_driver()


def descendants(pid: int = 0) -> list[int]:
    """All descendants of this process (or `pid`); none without /proc."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.name)] = int(fields[1])
    children: dict[int, list[int]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    found, waiting = [], [pid or os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def memory_of(pids: list[int]) -> int:
    """Bytes of resident memory of these processes, without mapped files; 0 without /proc."""
    return sum(map(_anonymous_bytes, pids))


def _anonymous_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:")), 0)


_MAX_PAGES = 50
"""A context is closed after this many pages, since its memory grows."""
_IDLE_SECONDS = 20.0


@dataclass(slots=True)
class PooledPage:
    """A browser context with one page, and the guard that connects it to the network."""

    guard: Guard
    context: BrowserContext
    page: Page
    session: CDPSession
    resources: AsyncExitStack
    pages: int = 0

    async def begin(self, origin: str) -> None:
        """Delete the state of earlier pages: cookies, storage, counts."""
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
    """At most twice RENDER_CONCURRENCY idle contexts, the longest idle closed first. A context is discarded after an error."""

    def __init__(self, browser: CrawlBrowser, options: RenderOptions) -> None:
        self._browser = browser
        self._options = options
        self._idle: OrderedDict[Hashable, PooledPage] = OrderedDict()
        self._used = 0
        self._pages = 0

    @asynccontextmanager
    async def page(self, key: Hashable, guard: Guard, given: Mapping[str, Any]) -> AsyncIterator[PooledPage]:
        """The page for a key of host and visitor; a new one gets this guard and these options."""
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
        if self._pages >= _RESTART_PAGES and not self._used:
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
