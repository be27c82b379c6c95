"""Scrapy's middlewares with the changes that crawls of hostile sites need."""

from collections import defaultdict
from contextlib import suppress
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response, TextResponse

from crawler.frontier.acknowledging import given_up
from crawler.identities.cookies import BoundedCookieJar
from crawler.links.public_suffixes import is_public_suffix
from crawler.links.scope import Scope
from crawler.meta import FOUND_BY_KEY, LOGIN_KEY, READS_REFUSALS_KEY, REFERRER_KEY
from crawler.page_answers import url_row
from crawler.scrapy_internals import QuietRedirectMiddleware, use_public_suffixes
from crawler.services import services_of
from extractors.links.urls import canonical_url, url_key
from pipelines.stores.base import StoreError
from pipelines.stores.tables import URLS

use_public_suffixes(is_public_suffix)
_NO_PAGES = frozenset({"dont_obey_robotstxt", LOGIN_KEY, READS_REFUSALS_KEY})


class CompressionMiddleware(HttpCompressionMiddleware):
    """Removes the text class of a compressed answer before Scrapy copies it, which would detect its encoding.

    A request whose decompressed answer exceeds DOWNLOAD_MAXSIZE is given up.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self._signals = crawler.signals

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:
        if isinstance(response, TextResponse) and "Content-Encoding" in response.headers:
            response = Response(**{name: getattr(response, name) for name in Response.attributes})
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            if not request.meta.get("dont_obey_robotstxt"):
                self._signals.send_catch_log(given_up, request=request, reason=f"too large when decompressed: {error}")
            raise


class ScopedRedirectMiddleware(QuietRedirectMiddleware):
    """Scrapy's middleware without a Referer header, and limited to `spider.scope` if the spider has one."""

    def handle_referer(self, request: Request, response: Response) -> None:
        request.headers.pop("Referer", None)

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:
        answer = super().process_response(request, response)
        if isinstance(answer, Request):
            self._note(request, answer.url)
            self._check_scope(request, answer.url)
        return answer

    def _check_scope(self, request: Request, target: str) -> None:
        """Raises IgnoreRequest for a redirect out of scope; that of a start page widens the scope."""
        scope: Scope | None = getattr(self.crawler.spider, "scope", None)
        if scope is None or scope.holds(target) or request.meta.get("dont_obey_robotstxt"):
            return
        found_by = request.meta.get(FOUND_BY_KEY)
        if found_by == "start":
            scope.widen(target)
        elif found_by != "search":
            raise IgnoreRequest(f"{request.url} leads out of scope, to {target}")

    def _note(self, request: Request, target: str) -> None:
        """Add the redirect to the URL table with the next write; not for spelling variants of the target, log-ins and queries."""
        store, address = services_of(self.crawler).store, canonical_url(request.url)
        if store is None or not address or request.meta.keys() & _NO_PAGES:
            return
        row = url_row(address, "redirected", target)
        if row["key"] != url_key(canonical_url(target) or target):
            with suppress(StoreError):  # the writer of pages will report it
                store.write([(URLS, row | {"referrer": request.meta.get(REFERRER_KEY, "")})])


class JarsMiddleware(CookiesMiddleware):
    """Scrapy's middleware without COOKIES_DEBUG, which would log sessions."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = super().from_crawler(crawler)
        made.debug = False
        made.jars = defaultdict(BoundedCookieJar)
        services_of(crawler).jars = made.jars
        return made

    def process_request(self, request: Request, spider: Any = None) -> Request | Response | None:
        """Skip requests if neither jar nor request has a cookie, as on most sites."""
        jar = self.jars.get(request.meta.get("cookiejar"))
        if request.cookies or (jar is not None and any(True for _ in jar)):
            return super().process_request(request)
        if not request.meta.get("dont_merge_cookies", False):
            request.headers.pop("Cookie", None)
        return None

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Request | Response:
        return super().process_response(request, response) if _sets_cookies(response) else response


def _sets_cookies(response: Response) -> bool:
    return "Set-Cookie" in response.headers or "Set-Cookie2" in response.headers
