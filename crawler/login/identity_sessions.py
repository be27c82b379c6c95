"""The sessions of identities: read from the store, and renewed by one log-in at a time over all nodes."""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import replace
from typing import Any, TypeVar

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.cookies import CookieJar
from scrapy.http.request import NO_CALLBACK

from crawler.config.sites import Login, Sites
from crawler.identities.base import (
    TURN_SECONDS,
    Backoff,
    Busy,
    IdentitiesUnavailableError,
    IdentityStore,
    Key,
    NewerSession,
    Session,
    Turn,
)
from crawler.identities.cookies import cookies_in, jar_of
from crawler.identities.secrets import Secrets
from crawler.login.login_flow import LoginError, LoginFlow, LoginResult, NavigationError, Navigator, log_in
from crawler.meta import IDENTITY_KEY, LOGIN_KEY
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
_POLL_SECONDS = 0.2
"""Between two checks whether another node has finished its log-in."""
_RELOAD_SECONDS = 10.0
"""Between two checks whether another node could get a session."""
_TRANSIENT_BACKOFF_SECONDS = 2.0
"""After a log-in that failed for a transient reason."""


class LoginBackoffError(Exception):
    """The identity cannot be logged in for another `seconds`, for this `reason`."""

    def __init__(self, seconds: float, reason: str) -> None:
        super().__init__(reason)
        self.seconds, self.reason = seconds, reason


class SessionManager:
    """The sessions of one crawl.

    Args:
        store: shared by nodes; called in threads, since it may block.
        jars: cookie jars by their `cookiejar` name in request meta.
        download: returns the answer to a request, bypassing spider and frontier.
        count: increments the statistic of that name.
        backoff: seconds before a refused log-in is retried; doubles with each consecutive refusal.
        max_backoff: maximum backoff in seconds.
    """

    def __init__(
        self,
        sites: Sites,
        store: IdentityStore,
        secrets: Secrets,
        jars: Callable[[], MutableMapping[Any, CookieJar]],
        download: Callable[[Request], Awaitable[Response]],
        count: Callable[[str], None],
        *,
        backoff: float = 300.0,
        max_backoff: float = 86_400.0,
    ) -> None:
        self.sites, self.store, self._secrets, self._jars = sites, store, secrets, jars
        self._download, self._count = download, count
        self._backoff, self._max_backoff = backoff, max_backoff
        self._sessions: dict[Key, Session] = {}
        self._lost: dict[Key, tuple[float, str]] = {}
        """Identities without a valid session: when their next log-in is allowed (monotonic seconds), and why it failed."""
        self._reloaded: dict[Key, float] = {}
        self._store_is_away = False
        self._locks: defaultdict[Key, asyncio.Lock] = defaultdict(asyncio.Lock)

    def known(self, key: Key) -> Session:
        return self._sessions.get(key) or Session()

    def all_known(self) -> dict[Key, Session]:
        return {key: session for key, session in self._sessions.items() if session.generation}

    async def reload(self, key: Key) -> Session:
        return self._use(key, await self._stored(self.store.session, key))

    async def check(self, key: Key, login: Login, host: str) -> bool:
        """Whether the session is valid by its check page, without a log-in. Raises LoginError if that cannot be checked."""
        session = await self.reload(key)
        page = login.check or session.check
        if not session.cookies:
            return False
        if not page:
            raise LoginError("the check page is unknown: name one in login.check")
        self._jars()[_trial_jar_name(key)] = jar_of(session.cookies)
        flow = LoginFlow(self._navigator(key, host), key.site, login, lambda: None, session.form_tells)
        try:
            return await flow.is_valid(page)
        except NavigationError as error:
            raise LoginError(str(error)) from None
        finally:
            self._jars().pop(_trial_jar_name(key), None)

    async def _check_backoff(self, key: Key) -> None:
        """Raises LoginBackoffError, unless another node has logged in or the backoff is over."""
        until, reason = self._lost[key]
        now = time.monotonic()
        if now - self._reloaded.get(key, 0.0) > _RELOAD_SECONDS:
            self._reloaded[key] = now
            await self.reload(key)
        if key in self._lost and until > now:
            raise LoginBackoffError(until - now, reason)

    def is_lost(self, key: Key) -> bool:
        """Whether there is no valid session and no log-in is allowed yet."""
        return key in self._lost and self._lost[key][0] > time.monotonic()

    async def ready(self, key: Key, login: Login, host: str) -> Session:
        """The session for requests: the stored one, or a new one if the site's file configures the log-in.

        Raises LoginBackoffError if there is none at present.
        """
        if key in self._lost:
            await self._check_backoff(key)
        found = self._sessions.get(key)
        if found is None:
            async with self._locks[key]:
                found = self._sessions.get(key) or self._use(key, await self._stored(self.store.session, key))
        if found.generation or not (login.page or login.check):
            return found
        return await self.renew(key, login, 0, host)

    async def renew(
        self, key: Key, login: Login, seen: int, host: str, wanted: str = "", *, now: bool = False
    ) -> Session:
        """A newer session than generation `seen`, or the same one if it turns out to be valid.

        Args:
            host: the host of the request; the log-in uses its proxies.
            wanted: the page that required a log-in.
            now: ignore the backoff of a failed log-in.

        Raises LoginBackoffError if there is none at present.
        """
        async with self._locks[key]:
            while (session := self.known(key)).generation in (0, seen):
                turn = await self._stored(self.store.take_turn, key, seen, at_once=now)
                if isinstance(turn, Turn):
                    return await self._log_in(key, login, turn, host, wanted)
                if isinstance(turn, Backoff):
                    raise self._backoff_error(key, login, turn.seconds, turn.said)
                if isinstance(turn, NewerSession):
                    return self._use(key, await self._stored(self.store.session, key))
                await self._wait(turn)
            return session

    async def _stored(self, call: Callable[..., Result], *given: Any, **named: Any) -> Result:
        """The result of a call of the store; waits while the store is unavailable."""
        while True:
            try:
                found = await asyncio.to_thread(call, *given, **named)
            except IdentitiesUnavailableError as error:
                if not self._store_is_away:
                    logger.warning("%s. Log-ins wait for it", error)
                self._store_is_away = True
                await asyncio.sleep(1.0)
            else:
                self._store_is_away = False
                return found

    @staticmethod
    async def _wait(turn: Busy) -> None:
        await asyncio.sleep(min(turn.seconds, _POLL_SECONDS))

    async def _log_in(self, key: Key, login: Login, turn: Turn, host: str, wanted: str) -> Session:
        before = await self._stored(self.store.session, key)
        jar = self._jars()[_trial_jar_name(key)] = jar_of(before.cookies)
        try:
            done = await asyncio.wait_for(self._attempt(key, login, before, host, wanted), TURN_SECONDS * 0.8)
        except (LoginError, TimeoutError) as error:
            backoff, reason = await self._failed(key, turn, before, error)
            raise self._backoff_error(key, login, backoff, reason) from None
        except BaseException:
            await asyncio.shield(self._stored(self.store.release, key, turn))
            raise
        finally:
            self._jars().pop(_trial_jar_name(key), None)
        if done.was_valid:
            await self._stored(self.store.release, key, turn)
            session = self._use(key, before)
            for cookie in jar:  # the check may have received newer ones
                self._jars()[jar_name(key, session)].set_cookie(cookie)
            return session
        return await self._finished(key, turn, done, jar)

    async def _attempt(self, key: Key, login: Login, before: Session, host: str, wanted: str) -> LoginResult:
        return await log_in(
            self._navigator(key, host),
            key.site,
            login,
            lambda: self._secrets.of(key.identity),
            check=before.check,
            wanted=wanted,
            form_tells=before.form_tells,
            known=before.generation > 0,
        )

    def _navigator(self, key: Key, host: str) -> Navigator:
        return Navigator(lambda request: self._fetch(request, key, host), self.sites.of(host).delay or 0.0)

    async def _fetch(self, request: Request, key: Key, host: str) -> Response:
        request = request.replace(callback=NO_CALLBACK, dont_filter=True)
        request.meta.update(
            {
                LOGIN_KEY: host,
                IDENTITY_KEY: key.identity,
                "cookiejar": _trial_jar_name(key),
                "dont_redirect": True,
                "dont_obey_robotstxt": True,
            }
        )
        try:
            response = await self._download(request)
        except IgnoreRequest as error:  # the message of a middleware, without the address
            raise LoginError(f"no answer from {host_of(request.url)}: {error}", permanent=False) from None
        except Exception as error:  # any error counts as no answer
            raise LoginError(
                f"no answer from {host_of(request.url)}: {type(error).__name__}", permanent=False
            ) from None
        if response.status >= 500 or response.status == 429:
            raise LoginError(f"HTTP {response.status} from {host_of(request.url)}", permanent=False)
        return response

    async def _finished(self, key: Key, turn: Turn, done: LoginResult, jar: CookieJar) -> Session:
        session = Session(cookies=tuple(cookies_in(jar)), check=done.check, form_tells=done.form_tells)
        generation = await self._stored(self.store.finish, key, turn, session)
        stored = self._use(key, await self._stored(self.store.session, key))
        self._count(f"logins/{'done' if generation else 'late'}/{key.site}")
        if generation:
            how = "by its form" if done.form_filled else "through the sign-on host, without a password"
            logger.info("%s: %s is logged in %s (session %d)", key.site, key.identity, how, generation)
        return stored

    def _backoff_error(self, key: Key, login: Login, seconds: float, reason: str) -> LoginBackoffError:
        """Mark the session as lost if a check page has shown it to be invalid. Without a check page the requested page may
        need more than a log-in."""
        session = self.known(key)
        if login.check or session.check or (login.page and not session.generation):
            self._lost[key] = time.monotonic() + seconds, reason
        return LoginBackoffError(seconds, reason)

    async def _failed(self, key: Key, turn: Turn, before: Session, error: Exception) -> tuple[float, str]:
        reason = str(error) or "it took too long"
        base = self._backoff if getattr(error, "permanent", False) else min(self._backoff, _TRANSIENT_BACKOFF_SECONDS)
        backoff = min(self._max_backoff, base * 2.0 ** min(before.failures, 30))
        await self._stored(self.store.fail, key, turn, reason, backoff)
        self._count(f"logins/failed/{key.site}")
        logger.warning(
            "%s: the log-in of %s failed: %s; next attempt in %.0f s", key.site, key.identity, reason, backoff
        )
        return backoff, reason

    def _use(self, key: Key, session: Session) -> Session:
        """Use a session for further requests. Each generation has its own cookie jar, so that late answers to an older
        session cannot change it."""
        old = self._sessions.get(key)
        if old is None or old.generation != session.generation:
            self._jars()[jar_name(key, session)] = jar_of(session.cookies)
            self._jars().pop(jar_name(key, replace(session, generation=session.generation - 2)), None)
            self._lost.pop(key, None)
        self._sessions[key] = session
        return session

    def close(self) -> None:
        self.store.close()


def jar_name(key: Key, session: Session) -> str:
    return f"{key.identity}@{key.site}#{session.generation}"


def _trial_jar_name(key: Key) -> str:
    return f"{key.identity}@{key.site}#new"
