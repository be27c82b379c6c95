"""No host is asked outside its hours, also where a request has waited since it was its turn, or was redirected there."""

from collections.abc import Callable
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.clock import steady_time
from crawler.config.sites import Sites
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.services import services_of
from extractors.links.urls import host_of


class HoursMiddleware:
    """The last look before a request goes out; the frontier keeps what waits for its host's hours."""

    def __init__(self, sites: Sites, clock: Callable[[], float] = steady_time) -> None:
        self._sites = sites
        self._clock = clock

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured where every site may be asked always."""
        sites = services_of(crawler).sites
        if not any(site.hours for site in sites.all()):
            raise NotConfigured
        return cls(sites)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises NoAnswerError outside the host's hours: its own request is queued again, a redirect fails until then."""
        host = host_of(request.url)
        hours = self._sites.of(host).opening_hours
        now = self._clock()
        if hours is None or (opens := hours.opens(now)) <= now:
            return
        if request.meta.get("redirect_urls"):
            request.meta[FAILURE_KEY] = (f"{host} is outside its hours", opens - now)
        else:
            request.meta[GIVE_BACK_KEY] = True
        raise NoAnswerError(f"{host} is outside its hours")
