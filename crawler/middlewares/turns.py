"""Waits for the turn of a host, which all processes of the machine or cluster share."""

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, Self
from weakref import WeakKeyDictionary, WeakValueDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future

from crawler.clock import crawl_seconds
from crawler.config.hours import Politeness
from crawler.config.sites import Sites
from crawler.frontier.pacing import host_pace
from crawler.meta import ATTEMPT_KEY, GIVE_BACK_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.services import services_of
from crawler.turns import HostTurn, HostTurns, open_turns
from extractors.links.urls import host_of

AddressOf = Callable[[str], Awaitable[str]]


class TurnMiddleware:
    """The last before the download.

    Requests of one process to a host wait in line; only the first looks whether it is free. While one waits for other processes, further
    ones of the queue are given back to it, so that a host that many crawls ask holds one of CONCURRENT_REQUESTS in each.

    Args:
        pace: of a host whose site sets none.
        slower: seconds by host that robots.txt asks for.
        address_of: the server address of a host, "" if it is unknown; None: hosts at one address do not wait for each other.
    """

    def __init__(
        self,
        turns: HostTurns,
        sites: Sites,
        pace: Politeness,
        slower: dict[str, float],
        address_of: AddressOf | None = None,
    ) -> None:
        self._turns, self._sites, self._pace, self._slower = turns, sites, pace, slower
        self._address_of = address_of
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._taken: WeakKeyDictionary[Request, list[HostTurn]] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        services, turns = services_of(crawler), open_turns(crawler.settings)
        crawler.signals.connect(turns.close, signals.engine_stopped)
        address_of = _resolved if crawler.settings.getbool("FRONTIER_PER_ADDRESS") else None
        return cls(turns, services.sites, host_pace(crawler.settings), services.crawl_delays, address_of)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Returns when it is the request's turn. Raises NoAnswerError for one that is given back."""
        host = host_of(request.url)
        pace = self._sites.pace(host, self._pace)
        if (delay := max(pace.delay, self._slower.get(host, 0.0))) <= 0:
            return
        turn = HostTurn(host, delay, pace.concurrency, uuid.uuid4().hex)
        if address := await self._address(request):
            await self._take(request, HostTurn(address, delay, pace.concurrency, turn.token))
        await self._take(request, turn)

    async def _take(self, request: Request, turn: HostTurn) -> None:
        line = self._lines.get(turn.host)
        if line is None:
            line = self._lines[turn.host] = asyncio.Lock()
        elif line.locked() and ATTEMPT_KEY in request.meta:
            request.meta[GIVE_BACK_KEY] = True
            raise NoAnswerError(f"another request waits for {turn.host}, which other processes ask too")
        async with line:
            while wait := await self._turns.take(turn):
                await asyncio.sleep(min(wait, turn.delay) / crawl_seconds(1.0))
        self._taken.setdefault(request, []).append(turn)

    async def _address(self, request: Request) -> str:
        if self._address_of is None or request.meta.get("proxy"):
            return ""
        return await self._address_of(host_of(request.url))

    async def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        await self._end(request)
        return response

    async def process_exception(self, request: Request, exception: Exception, spider: Any = None) -> None:
        await self._end(request)

    async def _end(self, request: Request) -> None:
        for turn in self._taken.pop(request, ()):
            await self._turns.end(turn)


async def _resolved(host: str) -> str:
    """From the cache of names that the downloads use."""
    from twisted.internet import reactor  # there is none before Scrapy has installed it

    with contextlib.suppress(OSError):
        resolver: Any = reactor
        return str(await maybe_deferred_to_future(resolver.resolve(host)))
    return ""
