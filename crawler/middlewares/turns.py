"""Waits for the turn of a host, which all processes of the machine or cluster share."""

import asyncio
from typing import Any, Self
from weakref import WeakValueDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler

from crawler.clock import crawl_seconds
from crawler.config.sites import Sites
from crawler.frontier.pacing import host_pace
from crawler.services import services_of
from crawler.turns import HostTurns, open_turns
from extractors.links.urls import host_of


class TurnMiddleware:
    """The last before the download. Requests of one process to a host wait in line; only the first looks whether it is free.

    Args:
        default: seconds between two requests to a host whose site sets none.
        slower: seconds by host that robots.txt asks for.
    """

    def __init__(self, turns: HostTurns, sites: Sites, default: float, slower: dict[str, float]) -> None:
        self._turns, self._sites, self._default, self._slower = turns, sites, default, slower
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        services, turns = services_of(crawler), open_turns(crawler.settings)
        crawler.signals.connect(turns.close, signals.engine_stopped)
        return cls(turns, services.sites, host_pace(crawler.settings).delay, services.crawl_delays)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Returns when it is the request's turn."""
        host = host_of(request.url)
        if (delay := self._delay(host)) <= 0:
            return
        line = self._lines.get(host)
        if line is None:
            line = self._lines[host] = asyncio.Lock()
        async with line:
            while wait := await self._turns.take(host, delay):
                await asyncio.sleep(min(wait, delay) / crawl_seconds(1.0))

    def _delay(self, host: str) -> float:
        of_site = self._sites.of(host).delay
        return max(self._default if of_site is None else of_site, self._slower.get(host, 0.0))
