"""Periodic exchange between nodes: bans, and the cookies of identities, which outlive the crawl."""

import asyncio
import logging
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.defer import deferred_f_from_coro_f, maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall

from crawler.identities.base import IdentitiesUnavailableError, IdentityError, Key, PlainCookie, Session
from crawler.identities.cookies import cookie_of, cookies_in, jar_of, merge_cookies
from crawler.login.identity_sessions import jar_name
from crawler.services import services_of

logger = logging.getLogger(__name__)
_BANS_SECONDS, _COOKIES_SECONDS = 2.0, 30.0


class ExchangedBans:
    """Exchanges bans every two seconds; while Redis is unavailable, each node knows only its own bans."""

    def __init__(self, crawler: Crawler) -> None:
        self._bans = services_of(crawler).bans
        from crawler.bans.shared import open_bans  # a crawl on one machine does not load the Redis client

        self._shared = open_bans(crawler.settings)
        self._bans.on_ban = self._shared.add
        self._timer = LoopingCall(deferred_f_from_coro_f(self._exchange))
        self._ended: Deferred[LoopingCall] = Deferred()
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings.getbool("BANS_ENABLED") or settings["FRONTIER"] != "shared":
            raise NotConfigured
        return cls(crawler)

    def _opened(self, spider: Spider) -> None:
        self._ended = self._timer.start(_BANS_SECONDS)

    async def _closed(self, spider: Spider) -> None:
        await _stopped(self._timer, self._ended)
        await self._exchange()

    async def _exchange(self) -> None:
        try:
            bans = await asyncio.to_thread(self._shared.exchange)
        except IdentitiesUnavailableError as error:
            logger.debug("Bans are not exchanged now: %s", error)
            return
        for visitor, left in bans.items():
            self._bans.merge(visitor, left)


async def _stopped(timer: LoopingCall, ended: Deferred[LoopingCall]) -> None:
    """Stop the timer, and wait for the call under way."""
    if timer.running:
        timer.stop()
        await maybe_deferred_to_future(ended)


class KeptCookies:
    """Merges changed cookies with those stored by other nodes, every thirty seconds and at the end."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sessions = services_of(crawler).sessions
        self._names = sorted({name for site in services_of(crawler).sites.all() for name in site.identities})
        self._agreed: dict[Key, list[PlainCookie]] = {}
        self._timer = LoopingCall(deferred_f_from_coro_f(self._sync))
        self._ended: Deferred[LoopingCall] = Deferred()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        wanted = any(site.identities for site in services_of(crawler).sites.all())
        if not wanted or not crawler.settings.getbool("COOKIES_ENABLED"):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        crawler.signals.connect(extension._closed, signals.spider_closed)
        return extension

    async def _opened(self, spider: Spider) -> None:
        await self._sync()
        self._ended = self._timer.start(_COOKIES_SECONDS, now=False)

    async def _closed(self, spider: Spider) -> None:
        await _stopped(self._timer, self._ended)
        await self._sync()

    async def _sync(self) -> None:
        try:
            for name in self._names:
                await self._agree(Key("", name), name, None)
            for key, session in self._sessions.all_known().items():
                await self._agree(key, jar_name(key, session), session)
        except IdentityError as error:
            logger.warning("Cookies cannot be saved at present: %s", error)

    async def _agree(self, key: Key, jar: str, session: Session | None) -> None:
        """Merge jar and store, unless the store has a later session, which requests will then use."""
        jars, store = services_of(self._crawler).jars, self._sessions.store
        stored = await asyncio.to_thread(store.session, key)
        if session is not None and stored.generation != session.generation:
            return
        theirs = list(stored.cookies)
        agreed = self._agreed.get(key, theirs if session is None else list(session.cookies))
        mine = cookies_in(jars[jar]) if jar in jars else agreed
        both = merge_cookies(agreed, mine, theirs)
        if both != theirs:
            await asyncio.to_thread(store.keep, key, stored.generation, tuple(both))
        if jar in jars:
            for cookie in both:
                if cookie not in mine:
                    jars[jar].set_cookie(cookie_of(cookie))
        elif both:
            jars[jar] = jar_of(both)
        self._agreed[key] = both
