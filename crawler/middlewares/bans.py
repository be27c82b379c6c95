"""Challenges and bans: such an answer is not a page. The visitor backs off from the host, and the request is requeued."""

import asyncio
import logging
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response

from crawler.bans.refusals import ACTION_HEADERS, UsualSizes, challenge_of, refusal_of_redirect
from crawler.meta import ATTEMPT_KEY, FAILURE_KEY, GIVE_BACK_KEY, LOGIN_KEY, READS_REFUSALS_KEY, Visitor, visitor_of
from crawler.middlewares.failures import NoAnswerError, retry_after
from crawler.services import services_of
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
_BANNING = frozenset((407, 418, 429, 456, 999))
"""Statuses that always refuse the visitor; 403 and 503 may be the page's own."""


class BanMiddleware:
    """Placed between redirects and decompression to see complete bodies; `RefusingRedirects` sees redirects.

    A visitor is a host, an identity and a proxy. For a ban of up to BAN_MAX_WAIT seconds without a proxy, the host's
    requests wait in place, without blocking other hosts; for a longer one, the request fails until its end.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._bans = services_of(crawler).bans
        self._max_wait = crawler.settings.getfloat("BAN_MAX_WAIT")
        self._delay = crawler.settings.getfloat("RETRY_DELAY")
        self._sizes = UsualSizes()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getbool("BANS_ENABLED"):
            raise NotConfigured
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises NoAnswerError for a visitor with a long ban."""
        visitor = visitor_of(request)
        if (left := self._bans.seconds_left(visitor)) <= 0 or request.meta.get(READS_REFUSALS_KEY):
            return
        if left > self._max_wait:
            request.meta[FAILURE_KEY] = (f"banned by {visitor[0]} for another {left:.0f} s", left)
            raise NoAnswerError(f"{visitor[0]} gets no requests for {left:.0f} s")
        while (left := self._bans.seconds_left(visitor)) > 0:
            await asyncio.sleep(left)

    def process_response(self, request: Request, response: Response) -> Response:
        if 300 <= response.status < 400 or request.meta.get(READS_REFUSALS_KEY):
            return response
        visitor = visitor_of(request)
        said = f"HTTP {response.status}" if response.status in _BANNING else ""
        if said:
            self._ban(request, visitor, said, retry_after(response))
        challenge = challenge_of(response.status, response.url, response.body, _action(response))
        if challenge or (challenge := self._refusal_of_size(request, response)):
            self._count(f"challenges/hosts/{visitor[0]}")
            self._ban(request, visitor, challenge, retry_after(response))
        if response.status < 400:
            self._bans.clear(visitor)
        return response

    def _refusal_of_size(self, request: Request, response: Response) -> str:
        """A short reason for a refusal. Raises NoAnswerError for a page that is to be requested once more."""
        if response.status != 200 or not isinstance(response, HtmlResponse) or LOGIN_KEY in request.meta:
            return ""
        attempt = request.meta.get(ATTEMPT_KEY, 1)
        found = self._sizes.classify(host_of(response.url), response.url, response.body, attempt)
        if found == "again":
            said = f"only {len(response.body)} bytes, far less than usual for this host"
            request.meta[FAILURE_KEY] = (said, self._delay)
            raise NoAnswerError(f"{said}: requested once more")
        return "the same small answer for every page" if found == "refusal" else ""

    def _count(self, name: str, value: int = 1) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(name, value)

    def _ban(self, request: Request, visitor: Visitor, said: str, wait: float | None) -> None:
        is_new = self._bans.seconds_left(visitor) <= 0
        seconds = self._bans.ban(visitor, wait)
        self._count("bans/answers")
        self._count(f"bans/hosts/{visitor[0]}", is_new)
        if is_new:
            who = " as ".join(filter(None, (visitor[2] or "without a proxy", visitor[1])))
            logger.warning("%s refuses us (%s; %s): no requests for %.0f s", visitor[0], said, who, seconds)
        request.meta[GIVE_BACK_KEY] = True
        raise NoAnswerError(f"refused: {said}")


class RefusingRedirects(BanMiddleware):
    """Redirects to a challenge, before they are followed."""

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Does nothing."""

    def process_response(self, request: Request, response: Response) -> Response:
        if 300 <= response.status < 400 and not request.meta.get(READS_REFUSALS_KEY):
            location = (response.headers.get("Location") or b"").decode("latin-1")
            if said := refusal_of_redirect(location):
                self._count(f"challenges/hosts/{host_of(request.url)}")
                self._ban(request, visitor_of(request), said, None)
        return response


def _action(response: Response) -> str:
    found = next(filter(None, map(response.headers.get, ACTION_HEADERS)), b"")
    return (found or b"").decode("latin-1").strip().lower()
