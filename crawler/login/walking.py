"""The way over several hosts that a browser would go by itself: redirects, refreshes, and forms that scripts send."""

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import Response

from crawler.links.sitemaps import refresh_of_page
from crawler.login.forms import self_sent
from crawler.login.signs import moved_by_script
from extractors.page import Page

Fetch = Callable[[Request], Awaitable[Response]]
_MOST_STEPS = 30
_SMALL_PAGE = 100_000


class WalkError(Exception):
    """The way does not end, or leads where it must not; the message says so."""


class Walk:
    """Asks for pages one after the other, at most thirty in all.

    Args:
        fetch: answers a request without following redirects.
        pause: seconds between two requests.
    """

    def __init__(self, fetch: Fetch, pause: float = 0.0) -> None:
        self._fetch, self._pause = fetch, pause
        self._steps = 0

    async def to(self, request: Request, until: Callable[[Response], bool] = lambda response: False) -> Response:
        """The page at which the way from this request ends, or the first answer for which `until` holds.

        Raises WalkError; FormError for a form on the way that must not be sent.
        """
        while True:
            response = await self._ask(request)
            if until(response) or (further := onward(request, response)) is None:
                return response
            request = further

    async def _ask(self, request: Request) -> Response:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise WalkError(f"more than {_MOST_STEPS} redirects, the last to {urlsplit(request.url).netloc}")
        if self._steps > 1 and self._pause:
            await asyncio.sleep(self._pause)
        return await self._fetch(request)


def onward(request: Request, response: Response) -> Request | None:
    """The request that a browser would send next by itself; None where the way ends."""
    if 300 <= response.status < 400 and (location := response.headers.get("Location")):
        return _redirected(request, response.status, urljoin(request.url, location.decode("latin-1").strip()))
    if response.status != 200 or len(response.body) > _SMALL_PAGE:
        return None
    if (sent := self_sent(response)) is not None:
        return sent
    target = refresh_of_page(Page(response.body, response.url)) or moved_by_script(response.body)
    return _asked(urljoin(response.url, target)) if target else None


def _redirected(request: Request, status: int, url: str) -> Request:
    if status not in (307, 308) or request.method == "GET":
        return _asked(url)
    if urlsplit(url)[:2] != urlsplit(request.url)[:2]:
        raise WalkError(f"what was filled in would be sent on to {urlsplit(url).netloc}")
    return request.replace(url=url)


def _asked(url: str) -> Request:
    if urlsplit(url).scheme not in ("http", "https"):
        raise WalkError(f"a redirect to {urlsplit(url).scheme}: is not followed")
    try:
        return Request(url)
    except ValueError:
        raise WalkError("a redirect to no address") from None
