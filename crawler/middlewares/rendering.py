"""Pages whose text scripts make are shown to a browser, and read from there."""

import logging
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from crawler.answers import page_of
from crawler.meta import ATTEMPT_KEY, FAILURE_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.rendering.options import RenderError, find_browser, render_options
from crawler.rendering.render_policy import RenderPolicy
from crawler.services import services_of
from extractors.links.urls import host_of
from extractors.scripted import missing_text, signs_of

if TYPE_CHECKING:
    from crawler.rendering.renderer import BrowserRenderer

logger = logging.getLogger(__name__)
RENDERED = "rendered"
"""Flag of an answer that is what a browser shows."""
_MARK = b"\xef\xbb\xbf"
"""The page's own meta element may name another charset than the one in which we write it; this mark comes first."""
_VALIDATORS = ("ETag", "Last-Modified")
"""They stand for the frame, which stays the same while what scripts put into it changes."""
_MIN_ADDED_CHARS = 30
"""Visible characters more than as served, from which on rendering has brought something."""
_MAX_ATTEMPTS = 2
"""To render a page; then it is stored as it was served."""


class RenderMiddleware:
    """Stands nearest to the spider: what it gets has passed robots.txt, hours, bans and redirects, and is decompressed.

    A page that could not be rendered fails and is tried again; after two attempts it is taken as it was served.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = services_of(crawler).sites
        self._policy = RenderPolicy()
        self._pause = crawler.settings.getfloat("RETRY_DELAY")
        self._renderer: BrowserRenderer | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured where no site is rendered; NoBrowserError where there is nothing to render with."""
        if all(site.render == "never" for site in services_of(crawler).sites.all()):
            raise NotConfigured
        find_browser(render_options(crawler.settings).browser)
        middleware = cls(crawler)
        crawler.signals.connect(middleware._close, signal=signals.engine_stopped)
        return middleware

    async def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        """The page as a browser shows it, where its site wants that or it lacks text; else as it is."""
        host = host_of(response.url)
        policy = self._sites.of(host).render
        if policy == "never" or not _is_page(request, response):
            return response
        if policy == "auto" and not self._lacks_text(host, response):
            return response
        shown = await self._shown(request, response)
        if shown is response:
            return response
        before, after = _readable(response), _readable(shown)
        if policy == "auto":
            self._policy.record_rendered(host, after >= before + _MIN_ADDED_CHARS)
        return shown if after >= before / 2 else response  # scripts that take the text away, or lead elsewhere

    def _lacks_text(self, host: str, response: Response) -> bool:
        decision = self._policy.decide(host)
        if decision == "inspect":
            page = page_of(response, services_of(self._crawler).failed_steps)
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
        """Raises NoAnswerError while it may be tried again."""
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
                BrowserRenderer,  # the extra package is not loaded before it is needed
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


def _readable(response: Response) -> int:
    return signs_of(page_of(response)).readable
