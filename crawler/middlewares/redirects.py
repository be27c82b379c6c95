"""Redirects stay in the crawl's scope; that of a start page may widen it (some.site → www.some-other-name.site)."""

from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.links.scope import Scope
from crawler.meta import FOUND_BY_KEY


class ScopedRedirectMiddleware(RedirectMiddleware):
    """Scrapy's own, without a Referer header, and held to `spider.scope` where the spider has one."""

    def handle_referer(self, request: Request, response: Response) -> None:
        """None is sent."""
        request.headers.pop("Referer", None)

    def _engine_started(self) -> None:
        """Scrapy would warn here that none is sent."""

    def _redirect(self, redirected: Request, request: Request, reason: Any) -> Request:
        scope: Scope | None = getattr(self.crawler.spider, "scope", None)
        if scope is not None and not scope.holds(redirected.url) and not request.meta.get("dont_obey_robotstxt"):
            if request.meta.get(FOUND_BY_KEY) == "search":
                return super()._redirect(redirected, request, reason)
            if request.meta.get(FOUND_BY_KEY) != "start":
                raise IgnoreRequest(f"{request.url} leads out of scope, to {redirected.url}")
            scope.widen(redirected.url)
        return super()._redirect(redirected, request, reason)
