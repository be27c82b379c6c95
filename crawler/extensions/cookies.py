"""Cookies of identities outlive the crawl, and nodes see one another's: loaded at the start, saved from time to time."""

import asyncio
import logging
from typing import Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from twisted.internet.task import LoopingCall

from crawler.identities.base import IdentityError, Key, PlainCookie, Session
from crawler.identities.cookies import cookie_of, cookies_in, jar_of, merge_cookies
from crawler.login.sessions import jar_name
from crawler.services import services_of

logger = logging.getLogger(__name__)


class KeptCookies:
    """Every IDENTITIES_SYNC_INTERVAL seconds and at the end, changed cookies are merged with those that other nodes have stored."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sessions = services_of(crawler).sessions
        self._names = sorted({name for site in services_of(crawler).sites.all() for name in site.identities})
        self._agreed: dict[Key, list[PlainCookie]] = {}
        self._timer = LoopingCall(self._sync_soon)
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured where no site has identities."""
        wanted = any(site.identities for site in services_of(crawler).sites.all())
        if not wanted or not crawler.settings.getbool("COOKIES_ENABLED"):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        crawler.signals.connect(extension._closed, signals.spider_closed)
        return extension

    async def _opened(self, spider: Spider) -> None:
        await self._sync()
        self._timer.start(self._crawler.settings.getfloat("IDENTITIES_SYNC_INTERVAL"), now=False)

    async def _closed(self, spider: Spider) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._task is not None:
            await self._task
        await self._sync()

    def _sync_soon(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._sync())

    async def _sync(self) -> None:
        try:
            for name in self._names:
                await self._agree(Key("", name), name, None)
            for key, session in self._sessions.all_known().items():
                await self._agree(key, jar_name(key, session), session)
        except IdentityError as error:
            logger.warning("Cookies are not saved now: %s", error)

    async def _agree(self, key: Key, jar: str, session: Session | None) -> None:
        """Bring jar and store together, unless there is a later session in store: requests take that when they need it."""
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
