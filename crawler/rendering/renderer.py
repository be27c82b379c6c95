"""From a fetched page to the page as a browser shows it, within bounds."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from playwright._impl._api_structures import SetCookieParam
from playwright.async_api import Error
from scrapy import Request
from scrapy.http import Response

from crawler.meta import visitor_of
from crawler.rendering.browser import CrawlBrowser
from crawler.rendering.errors import RenderError
from crawler.rendering.guard import Guard, Upstream
from crawler.rendering.options import RenderOptions
from crawler.rendering.seats import Seats
from crawler.rendering.visit import Document, Visit

_HINTS = "sec-ch-ua"


class Renderer:
    """At most RENDER_CONCURRENCY pages at once, each for at most RENDER_TIMEOUT, its requests through a guard of its own."""

    def __init__(self, options: RenderOptions) -> None:
        self._options = options
        self._browser = CrawlBrowser(options)
        self._seats = Seats(self._browser, options)
        self._turns = asyncio.Semaphore(options.pages)

    async def render(self, request: Request, response: Response) -> str:
        """The page's HTML after its scripts have run; RenderError if that cannot be had."""
        async with self._turns:
            try:
                async with asyncio.timeout(self._options.seconds):
                    return await self._visit(request, response)
            except TimeoutError:
                raise RenderError(f"it is not done after {self._options.seconds:g} s") from None
            except Error as error:
                said = str(error).strip().splitlines() or [type(error).__name__]
                raise RenderError(said[0][:300]) from None

    async def _visit(self, request: Request, response: Response) -> str:
        upstream = Upstream(str(request.meta.get("proxy") or ""), request.headers.get("Proxy-Authorization") or b"")
        agent, told = _header(request, "User-Agent"), _told(request)
        given = {
            "user_agent": agent or None,
            "extra_http_headers": told,
            "ignore_https_errors": not self._options.verify_certificates,
        }
        key = (*visitor_of(request), upstream, agent, *told.items())
        guard = Guard(self._options.allow_private, self._options.bytes, upstream)
        async with self._seats.taken(key, guard, given) as seat:
            parts = urlsplit(response.url)
            await seat.begin(f"{parts.scheme}://{parts.netloc}")
            with suppress(Error):  # one that the browser does not take
                await seat.context.add_cookies(_cookies(request, response))
            html = await Visit(_document(response), self._options).read(seat)
            if seat.guard.is_spent:
                raise RenderError(f"it has loaded more than {self._options.bytes:,} bytes")
            return html

    async def close(self) -> None:
        """End the browser."""
        await self._seats.close()
        await self._browser.close()


def _document(response: Response) -> Document:
    headers = {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }
    return Document(response.url, response.body, headers)


def _header(request: Request, name: str) -> str:
    return (request.headers.get(name) or b"").decode("latin-1")


def _told(request: Request) -> dict[str, str]:
    """What the visitor says of himself beside his name."""
    names = [name.decode("latin-1") for name in request.headers]
    wanted = [name for name in names if name.lower() == "accept-language" or name.lower().startswith(_HINTS)]
    return {name: _header(request, name) for name in wanted}


def _cookies(request: Request, response: Response) -> list[SetCookieParam]:
    """Those that the request went out with, and those that its answer has set."""
    answered = [line.decode("latin-1").split(";", 1)[0] for line in response.headers.getlist("Set-Cookie")]
    pairs = [part.partition("=") for part in [*_header(request, "Cookie").split(";"), *answered]]
    parts = urlsplit(response.url)
    found = {name.strip(): value.strip() for name, mark, value in pairs if mark and name.strip()}
    return [{"name": name, "value": value, "url": f"{parts.scheme}://{parts.netloc}/"} for name, value in found.items()]
