"""Page loads as a browser does them, over several hosts: redirects, refreshes, and forms that scripts send."""

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import Response

from crawler.links.page_head import refresh_of_page
from crawler.login.forms import self_sent
from crawler.login.login_wall import script_redirect
from extractors.page import Page

Fetch = Callable[[Request], Awaitable[Response]]
_MAX_REQUESTS = 30
_MAX_REDIRECT_PAGE_BYTES = 100_000


class NavigationError(Exception):
    """The redirects do not end, or lead where they must not; the message says which."""


class Navigator:
    """Opens pages one after the other, with at most 30 requests in all.

    Args:
        fetch: returns the answer to a request and follows no redirect.
        pause: seconds between two requests.
    """

    def __init__(self, fetch: Fetch, pause: float = 0.0) -> None:
        self._fetch, self._pause = fetch, pause
        self._requests = 0

    async def open(self, request: Request, until: Callable[[Response], bool] = lambda response: False) -> Response:
        """The page after all redirects, or the first answer for which `until` is true.

        Raises NavigationError; FormError for a form in between that must not be sent.
        """
        while True:
            response = await self._request(request)
            if until(response) or (following := next_request(request, response)) is None:
                return response
            request = following

    async def _request(self, request: Request) -> Response:
        self._requests += 1
        if self._requests > _MAX_REQUESTS:
            raise NavigationError(f"more than {_MAX_REQUESTS} redirects, the last to {urlsplit(request.url).netloc}")
        if self._requests > 1 and self._pause:
            await asyncio.sleep(self._pause)
        return await self._fetch(request)


def next_request(request: Request, response: Response) -> Request | None:
    """The request that a browser sends next without its user; None if there is none."""
    if 300 <= response.status < 400 and (location := response.headers.get("Location")):
        return _redirected(request, response.status, urljoin(request.url, location.decode("latin-1").strip()))
    if response.status != 200 or len(response.body) > _MAX_REDIRECT_PAGE_BYTES:
        return None
    if (sent := self_sent(response)) is not None:
        return sent
    target = refresh_of_page(Page(response.body, response.url)) or script_redirect(response.body)
    return _get(urljoin(response.url, target)) if target else None


def _redirected(request: Request, status: int, url: str) -> Request:
    if status not in (307, 308) or request.method == "GET":
        return _get(url)
    if urlsplit(url)[:2] != urlsplit(request.url)[:2]:
        raise NavigationError(f"a filled-in form would be sent on to {urlsplit(url).netloc}")
    return request.replace(url=url)


def _get(url: str) -> Request:
    if urlsplit(url).scheme not in ("http", "https"):
        raise NavigationError(f"a redirect to {urlsplit(url).scheme}: is not followed")
    try:
        return Request(url)
    except ValueError:
        raise NavigationError("a redirect to no address") from None
