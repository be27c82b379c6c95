"""Renders pages whose text is created by scripts in a browser."""

import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from crawler.meta import ATTEMPT_KEY, FAILURE_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.page_answers import page_of
from crawler.rendering.options import RenderError, find_browser, render_options
from crawler.rendering.render_policy import RenderPolicy
from crawler.services import services_of
from extractors.links.urls import host_of
from extractors.scripted import missing_text, signs_of

if TYPE_CHECKING:
    from crawler.rendering.renderer import BrowserRenderer

logger = logging.getLogger(__name__)
RENDERED = "rendered"
"""Flag of a rendered answer."""
_MARK = b"\xef\xbb\xbf"
"""Byte order mark, which overrides a meta element with another charset than the one we write."""
_VALIDATORS = ("ETag", "Last-Modified")
"""They describe the served frame, which stays the same while scripts insert changing content."""
_MIN_ADDED_CHARS = 30
"""Visible characters that rendering must add to count as useful."""
_MAX_ATTEMPTS = 2
"""At rendering a page, which is then stored as served."""


class RenderMiddleware:
    """Placed next to the spider: answers have passed robots.txt, hours, bans and redirects, and are decompressed.

    A page that could not be rendered fails and is retried; after two attempts it is used as served.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = services_of(crawler).sites
        self._policy = RenderPolicy()
        self._pause = crawler.settings.getfloat("RETRY_DELAY")
        self._renderer: BrowserRenderer | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured if no site is rendered, NoBrowserError if there is no browser."""
        if all(site.render == "never" for site in services_of(crawler).sites.all()):
            raise NotConfigured
        find_browser(render_options(crawler.settings).browser)
        middleware = cls(crawler)
        crawler.signals.connect(middleware._close, signal=signals.engine_stopped)
        return middleware

    async def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        """The rendered page, if its site requires that or it lacks text; else the unchanged answer."""
        host = host_of(response.url)
        policy = self._sites.of(host).render
        if policy == "never" or not _is_page(request, response):
            return response
        if policy == "auto" and not self._lacks_text(host, response):
            return response
        shown = await self._shown(request, response)
        if shown is response:
            return response
        before, after = self._readable(response), self._readable(shown)
        if policy == "auto":
            self._policy.record_rendered(host, after >= before + _MIN_ADDED_CHARS)
        return shown if after >= before / 2 else response  # scripts may remove the text, or navigate away

    def _readable(self, response: Response) -> int:
        return signs_of(page_of(response, rules=self._sites.rules)).readable

    def _lacks_text(self, host: str, response: Response) -> bool:
        decision = self._policy.decide(host)
        if decision == "inspect":
            page = page_of(response, services_of(self._crawler).failed_steps, self._sites.rules)
            lacks = bool(page.attempt("rendering", lambda: missing_text(page), ""))
            self._policy.record_served(host, lacks)
            return lacks
        return decision == "render"

    async def _shown(self, request: Request, response: Response) -> Response:
        try:
            html = await self._renderer_of().render(request, response)
        except RenderError as error:
            return self._as_served(request, response, str(error))
        self._count("pages")
        headers = response.headers.copy()
        headers["Content-Type"] = "text/html; charset=utf-8"
        for name in _VALIDATORS:
            headers.pop(name, None)
        body = _MARK + html.encode("utf-8", "replace")
        return response.replace(body=body, headers=headers, flags=[*response.flags, RENDERED], encoding="utf-8")

    def _as_served(self, request: Request, response: Response, reason: str) -> Response:
        """The page as served. Raises NoAnswerError while a retry is allowed."""
        self._count("failures")
        attempt = request.meta.get(ATTEMPT_KEY, 1)
        logger.info("%s could not be rendered, attempt %d: %s", response.url, attempt, reason)
        if attempt < _MAX_ATTEMPTS:
            request.meta[FAILURE_KEY] = (f"not rendered: {reason}", self._pause)
            raise NoAnswerError(f"not rendered: {reason}")
        self._count("as_served")
        return response

    def _renderer_of(self) -> "BrowserRenderer":
        if self._renderer is None:
            from crawler.rendering.renderer import (
                BrowserRenderer,  # loads the extra package only on use
            )

            self._renderer = BrowserRenderer(render_options(self._crawler.settings))
        return self._renderer

    def _count(self, name: str) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"render/{name}")

    async def _close(self) -> None:
        if self._crawler.stats and (learned := self._policy.hosts_with_scripts()):
            self._crawler.stats.set_value("render/hosts_learned", len(learned))
        if self._renderer is not None:
            await self._renderer.close()


def _is_page(request: Request, response: Response) -> bool:
    if request.method != "GET" or request.meta.get("dont_obey_robotstxt"):
        return False
    return response.status == 200 and isinstance(response, HtmlResponse)
