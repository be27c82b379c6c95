"""robots.txt obeyed, also when it cannot be had."""

import time
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from crawler.frontier.requests import FAILURE_KEY


class RobotsMiddleware(RobotsTxtMiddleware):
    """A server error or no answer for robots.txt means hands off: the host's requests fail and are tried later.

    Scrapy's own fetches the pages all the same. After ROBOTS_RETRY_SECONDS the file is asked for again.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._retry_seconds = crawler.settings.getfloat("ROBOTS_RETRY_SECONDS")
        self._closed_until: dict[str, float] = {}

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises IgnoreRequest for what robots.txt forbids, or while it cannot be had."""
        netloc = urlsplit(request.url).netloc
        if not request.meta.get("dont_obey_robotstxt"):
            self._refuse_closed(request, netloc)
        await super().process_request(request)
        if not request.meta.get("dont_obey_robotstxt"):
            self._refuse_closed(request, netloc)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500:
            raise OSError(f"robots.txt of {netloc} answers {response.status}")
        await super()._parse_robots(response if response.status < 400 else response.replace(body=b""), netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if not isinstance(exc, IgnoreRequest):
            self._closed_until[netloc] = time.monotonic() + self._retry_seconds
        super()._robots_error(exc, netloc)

    def _refuse_closed(self, request: Request, netloc: str) -> None:
        until = self._closed_until.get(netloc)
        if until is None:
            return
        left = until - time.monotonic()
        if left <= 0:
            del self._closed_until[netloc]
            self._parsers.pop(netloc, None)
            return
        request.meta[FAILURE_KEY] = ("robots.txt cannot be had", left)
        raise IgnoreRequest(f"robots.txt of {netloc} cannot be had; tried again in {left:.0f} s")
