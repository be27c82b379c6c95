"""One Chromium for a crawl: started when it is first needed, anew when it has died, hangs, or has grown too large."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from crawler.rendering.errors import RenderError
from crawler.rendering.options import RenderOptions, find_browser
from crawler.rendering.processes import descendants, memory_of

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
    # whatever does not go through the page's own proxy goes nowhere
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_START_SECONDS = 30.0
_END_SECONDS = 5.0
_WATCH_SECONDS = 1.0


class CrawlBrowser:
    """Gives contexts that know nothing of each other."""

    def __init__(self, options: RenderOptions) -> None:
        self._options = options
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._open = 0
        self._watching: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def context(self, **given: Any) -> AsyncIterator[BrowserContext]:
        """A context with these options (`Browser.new_context`); gone at the end, with the browser if it cannot be else.

        Raises RenderError if the browser cannot be started.
        """
        browser = await self._running()
        context = await browser.new_context(service_workers="block", accept_downloads=False, **given)
        self._open += 1
        try:
            yield context
        finally:
            self._open -= 1
            await self._leave(browser, context)

    async def restart(self) -> None:
        """End the browser; the next page starts a new one."""
        if self._browser is not None:
            await self._end(self._browser, "")

    async def version(self) -> str:
        """The browser's; RenderError if it cannot be started."""
        return (await self._running()).version

    async def _leave(self, browser: Browser, context: BrowserContext) -> None:
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
                handle_sigint=False,  # the crawl ends in order, and the browser with it
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_START_SECONDS * 1e3,
            )
        except (Error, OSError) as error:
            said = str(error).strip().splitlines() or [""]
            raise RenderError(
                f"the browser does not start: {said[0][:300]} (scrapy doctor tries it; in a container without user "
                "namespaces set RENDER_SANDBOX = False)"
            ) from None
        logger.info("Rendering with Chromium %s", browser.version)
        return browser

    async def _watch(self) -> None:
        """Ends a browser that takes more than RENDER_MEMORY_MAX: what is being rendered fails, and is tried again."""
        ended: set[int] = set()  # may take a while to be gone
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            if not self._open or self._browser is None:
                continue
            running = [pid for pid in await asyncio.to_thread(descendants) if pid not in ended]
            taken = memory_of(running)
            if taken > self._options.memory:
                ended.update(running)
                await self._end(self._browser, f"it takes {taken / 1e6:,.0f} MB")

    async def _end(self, browser: Browser, why: str) -> None:
        if self._browser is not browser:
            return
        self._browser = None
        if why:
            logger.warning("The browser is ended and started anew: %s", why)
        try:
            async with asyncio.timeout(_END_SECONDS):
                await browser.close()
        except (TimeoutError, Error):
            await self._stop_driver()

    async def _stop_driver(self) -> None:
        """The program between us and the browser ends whatever it has started."""
        playwright, self._playwright = self._playwright, None
        if playwright is not None:
            with suppress(TimeoutError, Error):
                async with asyncio.timeout(_END_SECONDS):
                    await playwright.stop()

    async def close(self) -> None:
        """End everything that was started."""
        if self._watching is not None:
            self._watching.cancel()
        if self._browser is not None:
            await self._end(self._browser, "")
        await self._stop_driver()
