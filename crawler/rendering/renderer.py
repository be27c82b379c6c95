"""Renders fetched pages in a browser, within limits."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from playwright._impl._api_structures import SetCookieParam
from playwright.async_api import Error
from scrapy import Request
from scrapy.http import Response

from crawler.meta import visitor_of
from crawler.rendering.browser import CrawlBrowser
from crawler.rendering.context_pool import ContextPool
from crawler.rendering.guard import Guard, Upstream
from crawler.rendering.options import RenderError, RenderOptions
from crawler.rendering.page_load import PageLoad, ServedPage

_CLIENT_HINTS = "sec-ch-ua"


class Renderer:
    """At most RENDER_CONCURRENCY pages at once, each for at most RENDER_TIMEOUT seconds, its requests through its own guard."""

    def __init__(self, options: RenderOptions) -> None:
        self._options = options
        self._browser = CrawlBrowser(options)
        self._contexts = ContextPool(self._browser, options)
        self._slots = asyncio.Semaphore(options.concurrency)

    async def render(self, request: Request, response: Response) -> str:
        """The HTML of the page after its scripts have run; RenderError if that fails."""
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
            with suppress(Error):  # a cookie that the browser refuses
                await pooled.context.add_cookies(_cookies(request, response))
            html = await PageLoad(_served_page(response), self._options).read(pooled)
            if pooled.guard.is_spent:
                raise RenderError(f"it has loaded more than {self._options.maxsize:,} bytes")
            return html

    async def close(self) -> None:
        """End the browser."""
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
    """The headers beside User-Agent that describe the browser."""
    names = [name.decode("latin-1") for name in request.headers]
    wanted = [name for name in names if name.lower() == "accept-language" or name.lower().startswith(_CLIENT_HINTS)]
    return {name: _header(request, name) for name in wanted}


def _cookies(request: Request, response: Response) -> list[SetCookieParam]:
    """The cookies of the request, and those that its answer sets."""
    answered = [line.decode("latin-1").split(";", 1)[0] for line in response.headers.getlist("Set-Cookie")]
    pairs = [part.partition("=") for part in [*_header(request, "Cookie").split(";"), *answered]]
    parts = urlsplit(response.url)
    found = {name.strip(): value.strip() for name, mark, value in pairs if mark and name.strip()}
    return [{"name": name, "value": value, "url": f"{parts.scheme}://{parts.netloc}/"} for name, value in found.items()]
