"""Obeys robots.txt, and sends no requests while it is unavailable."""

import asyncio
import logging
import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from crawler.frontier.acknowledging import refused
from crawler.frontier.pacing import host_pace
from crawler.links.robots_rules import RobotsRules
from crawler.meta import ATTEMPT_KEY, FAILURE_KEY
from crawler.middlewares.failures import FIRST_PAUSE_SECONDS, NoAnswerError, is_first
from crawler.services import services_of

logger = logging.getLogger(__name__)


class RobotsRefusedError(NoAnswerError):
    """The host answers, but not with a robots.txt."""


class RobotsMiddleware(RobotsTxtMiddleware):
    """While robots.txt has a server error or no answer, the host's requests fail and are retried later.

    Scrapy's own middleware would fetch the pages anyway. The file is requested again ROBOTS_RETRY_SECONDS after a server
    error, RETRY_DELAY after no answer.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._retry_seconds = crawler.settings.getfloat("ROBOTS_RETRY_SECONDS")
        self._no_answer_seconds = min(self._retry_seconds, crawler.settings.getfloat("RETRY_DELAY"))
        self._max_delay = crawler.settings.getfloat("ROBOTS_CRAWL_DELAY_MAX")
        self._pace = host_pace(crawler.settings)
        self._sites = services_of(crawler).sites
        self._crawl_delays = services_of(crawler).crawl_delays
        self._closed: dict[str, tuple[float, str]] = {}

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises IgnoreRequest for addresses that robots.txt forbids, or while it is unavailable."""
        netloc = urlsplit(request.url).netloc
        if self._sites.of(urlsplit(request.url).hostname or "").robots.policy == "ignore":
            return
        if not request.meta.get("dont_obey_robotstxt"):
            self._refuse_closed(request, netloc)
        await super().process_request(request)
        if not request.meta.get("dont_obey_robotstxt"):
            self._refuse_closed(request, netloc)

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """The rules of the request's host, requested once; failures are logged in one line."""
        netloc = urlsplit(request.url).netloc
        if netloc not in self._parsers:
            await self._ask(request, netloc)
        parser = self._parsers[netloc]
        return await maybe_deferred_to_future(parser) if isinstance(parser, Deferred) else parser

    async def _ask(self, request: Request, netloc: str) -> None:
        self._parsers[netloc] = Deferred()
        url = f"{urlsplit(request.url).scheme}://{netloc}/robots.txt"
        question = Request(url, meta={"dont_obey_robotstxt": True}, callback=NO_CALLBACK)
        engine = self.crawler.engine
        try:
            if engine is None:
                raise OSError("the crawl has ended")
            await self._parse_robots(await engine.download_async(question), netloc, request)
            self._keep_crawl_delay(request, self._parsers[netloc])
        except Exception as error:  # after any error the host's rules are unknown
            logger.info("No robots.txt from %s: %s", netloc, error)
            self._close(netloc, error, request)
            self._robots_error(error, netloc)
        self._stats.inc_value("robotstxt/request_count")

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Parse the rules off the event loop, including the choice of the agent's group."""
        if response.status >= 500:
            raise RobotsRefusedError(f"HTTP {response.status}")
        self._stats.inc_value("robotstxt/response_count")
        self._stats.inc_value(f"robotstxt/response_status_count/{response.status}")
        agent = self._robotstxt_useragent or request.headers.get("User-Agent") or self._default_useragent
        body = response.body if response.status < 400 else b""
        rules = await asyncio.to_thread(rules_for, body, request.url, agent)
        waiting, self._parsers[netloc] = self._parsers[netloc], rules
        if isinstance(waiting, Deferred):
            waiting.callback(rules)

    def _keep_crawl_delay(self, request: Request, rules: Any) -> None:
        """Apply a Crawl-delay to the host's pace, within bounds; it can only slow it down."""
        frontier = getattr(self.crawler.engine and self.crawler.engine.scheduler, "frontier", None)
        asked = rules.crawl_delay(self._robotstxt_useragent or self._default_useragent) if rules else None
        host = (urlsplit(request.url).hostname or "").lower()
        pace = self._sites.pace(host, self._pace)
        if not asked or asked <= pace.delay:
            return
        self._crawl_delays[host] = min(asked, self._max_delay)
        if frontier is not None:
            frontier.set_pace(host, replace(pace, delay=self._crawl_delays[host]))

    def _close(self, netloc: str, error: Exception, request: Request) -> None:
        """Stop requests to the host for some time, after a missing answer or a server error."""
        pause = self._no_answer_seconds
        if isinstance(error, RobotsRefusedError):
            pause = self._retry_seconds
        elif is_first(self.crawler, request):
            pause = min(FIRST_PAUSE_SECONDS, pause)
        if isinstance(error, NoAnswerError):
            self._closed[netloc] = time.monotonic() + pause, str(error)

    def _refuse_closed(self, request: Request, netloc: str) -> None:
        until, reason = self._closed.get(netloc, (0.0, ""))
        if not until:
            return
        left = until - time.monotonic()
        if left <= 0:
            del self._closed[netloc]
            self._parsers.pop(netloc, None)
            return
        request.meta[FAILURE_KEY] = (f"robots.txt is unavailable: {reason}", left)
        if request.meta.get(ATTEMPT_KEY, 1) == 1:
            self.crawler.signals.send_catch_log(refused, request=request, reason=request.meta[FAILURE_KEY][0])
        raise IgnoreRequest(f"robots.txt of {netloc} is unavailable ({reason})")


def rules_for(body: bytes, url: str, agent: str | bytes) -> RobotsRules:
    rules = RobotsRules(body)
    rules.allowed(url, agent)
    return rules
