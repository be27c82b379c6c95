"""Pages behind a log-in: requested with a valid session; a lost session is detected and renewed once."""

import asyncio
import logging
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response

from crawler.config.sites import Login
from crawler.identities.base import Key, Session
from crawler.login.identity_sessions import LoginBackoffError, jar_name
from crawler.login.login_wall import LoginWall, ends_or_changes, is_login_address
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY, IDENTITY_KEY, LOGIN_KEY, SESSION_KEY, VISITOR_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.services import services_of
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)


class LoginMiddleware:
    """Sees pages; `LoginRedirects` sees redirects before they are followed.

    An identity that cannot be logged in is replaced by another one of the site. If there is none, requests wait in place for
    up to BAN_MAX_WAIT seconds, and fail for longer waits. A request whose answer asks for a log-in is requeued without
    counting an attempt once there is a new session. If the session is still valid, the request fails.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._sites = services_of(crawler).sites
        self._sessions = services_of(crawler).sessions
        self._logged: dict[Key, int] = {}
        self._max_wait = crawler.settings.getfloat("BAN_MAX_WAIT")
        self._delay = crawler.settings.getfloat("RETRY_DELAY")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not any(site.login for site in services_of(crawler).sites.all()):
            raise NotConfigured
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Set the session's cookies. Raises IgnoreRequest for pages that log in or out or change the account."""
        login = self._login_of(request)
        if login is None:
            return
        if request.method == "GET" and (ends_or_changes(request.url) or is_login_address(request.url)):
            raise IgnoreRequest(f"{request.url} logs in or out, or changes the account: not requested")
        session = await self._session(request, login)
        request.meta["cookiejar"] = jar_name(self._key(request), session)
        request.meta[SESSION_KEY] = session.generation

    async def _session(self, request: Request, login: Login) -> Session:
        """The session of the request's identity, or of another one, which the request then uses."""
        host = request.meta[VISITOR_KEY][0]
        others = [name for name in self._sites.of(host).identities if name != request.meta[IDENTITY_KEY]]
        while True:
            key = self._key(request)
            try:
                return await self._sessions.ready(key, login, host)
            except LoginBackoffError as error:
                if error.seconds <= self._max_wait:
                    await asyncio.sleep(error.seconds)
                elif others:
                    request.meta[IDENTITY_KEY] = others.pop(0)
                    request.meta[VISITOR_KEY] = (host, request.meta[IDENTITY_KEY], "")
                else:
                    raise self._put_off(request, key, error) from None

    async def process_response(self, request: Request, response: Response) -> Response:
        if not 300 <= response.status < 400:
            await self._look(request, response)
        return response

    async def _look(self, request: Request, response: Response) -> None:
        login = self._login_of(request)
        if login is None or SESSION_KEY not in request.meta:
            return
        key = self._key(request)
        said = LoginWall(login, self._sessions.known(key).form_tells).detect(response)
        if said:
            await self._heal(request, key, login, said)

    async def _heal(self, request: Request, key: Key, login: Login, said: str) -> None:
        seen = request.meta[SESSION_KEY]
        if self._logged.get(key) != seen:
            self._logged[key] = seen
            logger.info("%s: a page asks for a log-in (%s)", key.site, said)
        try:
            session = await self._sessions.renew(key, login, seen, host_of(request.url), request.url)
        except LoginBackoffError as error:
            if error.seconds <= self._max_wait:
                await asyncio.sleep(error.seconds)
            raise self._put_off(request, key, error) from None
        if session.generation == seen:
            request.meta[FAILURE_KEY] = (f"asks for a log-in, although that of {key.identity} is valid", self._delay)
            raise NoAnswerError(f"{request.url} asks for a log-in, although there is a session")
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"logins/pages_lost/{key.site}")
        request.meta[GIVE_BACK_KEY] = True
        raise NoAnswerError("requested again with a new session")

    def _put_off(self, request: Request, key: Key, error: LoginBackoffError) -> NoAnswerError:
        others = (
            len(self._sites.of(key.site).identities) > 1 and self._sessions.is_lost(key) and SESSION_KEY in request.meta
        )
        if error.seconds > self._max_wait and not others:
            request.meta[FAILURE_KEY] = (f"{key.identity} is not logged in: {error.reason}", error.seconds)
        else:
            request.meta[GIVE_BACK_KEY] = True
        return NoAnswerError(f"{key.identity} is not logged in at {key.site}")

    def _login_of(self, request: Request) -> Login | None:
        meta = request.meta
        if IDENTITY_KEY not in meta or LOGIN_KEY in meta or request.url.endswith("/robots.txt"):
            return None
        return self._sites.of(meta[VISITOR_KEY][0]).login

    def _key(self, request: Request) -> Key:
        return Key(self._sites.name_of(request.meta[VISITOR_KEY][0]), request.meta[IDENTITY_KEY])


class LoginRedirects(LoginMiddleware):
    """Redirects to a log-in, before they are followed."""

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Does nothing."""

    async def process_response(self, request: Request, response: Response) -> Response:
        if 300 <= response.status < 400:
            await self._look(request, response)
        return response
