"""The sessions of a crawl's identities: waited for, taken from others, and renewed by one log-in at a time."""

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
from crawler.identities.base import TURN_SECONDS, AwayError, Busy, IdentityStore, Key, Newer, Resting, Session, Turn
from crawler.identities.plain_cookies import cookies_in, jar_of
from crawler.identities.secrets import Secrets
from crawler.login.logging_in import LoggedIn, LoggingIn, LoginError, log_in
from crawler.login.walking import Walk, WalkError
from crawler.meta import IDENTITY_KEY, LOGIN_KEY
from extractors.links.urls import host_of

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
_NAP = 0.2
"""Seconds between two looks whether another node has finished."""
_LOOK_SECONDS = 10.0
"""Between two looks whether somebody else has logged in whom we cannot."""
_SHORT_REST = 2.0


class RestingError(Exception):
    """Nobody can be logged in for so many seconds; `said` tells why."""

    def __init__(self, seconds: float, said: str) -> None:
        super().__init__(said)
        self.seconds, self.said = seconds, said


class SessionKeeper:
    """One for a crawl.

    Args:
        store: shared by nodes; asked in threads, since it may wait for a server.
        jars: cookies by the names that requests have in their meta.
        download: answers a request past every middleware, or raises.
        count: adds one to the statistic of that name.
        rest, longest: seconds for which a log-in rests that was refused, and the longest; each in a row doubles them.
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
        rest: float = 300.0,
        longest: float = 86_400.0,
    ) -> None:
        self.sites, self.store, self._secrets, self._jars = sites, store, secrets, jars
        self._download, self._count = download, count
        self._rest, self._longest = rest, longest
        self._sessions: dict[Key, Session] = {}
        self._lost: dict[Key, tuple[float, str]] = {}
        """Those whose session is known to be lost, until when their log-in rests, and why."""
        self._looked: dict[Key, float] = {}
        self._away = False
        self._one_at_a_time: defaultdict[Key, asyncio.Lock] = defaultdict(asyncio.Lock)

    def known(self, key: Key) -> Session:
        """The session as this process knows it."""
        return self._sessions.get(key) or Session()

    def all_known(self) -> dict[Key, Session]:
        """Those that this process has asked with."""
        return {key: session for key, session in self._sessions.items() if session.generation}

    async def stored(self, key: Key) -> Session:
        """The session as it is stored now; this process goes on with it."""
        return self._take(key, await self._stored(self.store.session, key))

    async def look(self, key: Key, login: Login, host: str) -> bool:
        """Whether the session holds, by its check page alone; nobody logs in. LoginError if that cannot be told."""
        session = await self.stored(key)
        check = login.check or session.check
        if not session.cookies:
            return False
        if not check:
            raise LoginError("no page is known that shows it: name one in login.check")
        self._jars()[_trial(key)] = jar_of(session.cookies)
        task = LoggingIn(self._walk(key, host), key.site, login, lambda: None, session.form_tells)
        try:
            return await task.still_holds(check)
        except WalkError as error:
            raise LoginError(str(error)) from None
        finally:
            self._jars().pop(_trial(key), None)

    async def _refuse_lost(self, key: Key) -> None:
        """Raises RestingError, unless somebody else has logged in meanwhile, or the rest is over."""
        until, said = self._lost[key]
        now = time.monotonic()
        if now - self._looked.get(key, 0.0) > _LOOK_SECONDS:
            self._looked[key] = now
            await self.stored(key)
        if key in self._lost and until > now:
            raise RestingError(until - now, said)

    def is_lost(self, key: Key) -> bool:
        """Whether the session is known to be lost, and nobody can be logged in now."""
        return key in self._lost and self._lost[key][0] > time.monotonic()

    async def ready(self, key: Key, login: Login, host: str) -> Session:
        """A session to ask with: the stored one; else, where the site's file says how, a new one.

        Raises RestingError while none can be had.
        """
        if key in self._lost:
            await self._refuse_lost(key)
        found = self._sessions.get(key)
        if found is None:
            async with self._one_at_a_time[key]:
                found = self._sessions.get(key) or self._take(key, await self._stored(self.store.session, key))
        if found.generation or not (login.page or login.check):
            return found
        return await self.renew(key, login, 0, host)

    async def renew(
        self, key: Key, login: Login, seen: int, host: str, wanted: str = "", *, now: bool = False
    ) -> Session:
        """Another session than that of generation `seen`, or the same if it turns out to hold.

        Args:
            host: that asks, whose proxy the log-in goes through.
            wanted: the page that has asked for a log-in.
            now: a failed log-in does not rest.

        Raises RestingError while none can be had.
        """
        async with self._one_at_a_time[key]:
            while (session := self.known(key)).generation in (0, seen):
                turn = await self._stored(self.store.take_turn, key, seen, at_once=now)
                if isinstance(turn, Turn):
                    return await self._log_in(key, login, turn, host, wanted)
                if isinstance(turn, Resting):
                    raise self._rests(key, login, turn.seconds, turn.said)
                if isinstance(turn, Newer):
                    return self._take(key, await self._stored(self.store.session, key))
                await self._wait(turn)
            return session

    async def _stored(self, call: Callable[..., Result], *given: Any, **named: Any) -> Result:
        """The call's result; waits for a server that is away, as the frontier does."""
        while True:
            try:
                found = await asyncio.to_thread(call, *given, **named)
            except AwayError as error:
                if not self._away:
                    logger.warning("%s. Log-ins wait for it", error)
                self._away = True
                await asyncio.sleep(1.0)
            else:
                self._away = False
                return found

    @staticmethod
    async def _wait(turn: Busy) -> None:
        await asyncio.sleep(min(turn.seconds, _NAP))

    async def _log_in(self, key: Key, login: Login, turn: Turn, host: str, wanted: str) -> Session:
        before = await self._stored(self.store.session, key)
        jar = self._jars()[_trial(key)] = jar_of(before.cookies)
        try:
            done = await asyncio.wait_for(self._tried(key, login, before, host, wanted), TURN_SECONDS * 0.8)
        except (LoginError, TimeoutError) as error:
            rest, said = await self._failed(key, turn, before, error)
            raise self._rests(key, login, rest, said) from None
        except BaseException:
            await asyncio.shield(self._stored(self.store.release, key, turn))
            raise
        finally:
            self._jars().pop(_trial(key), None)
        if done.held:
            await self._stored(self.store.release, key, turn)
            taken = self._take(key, before)
            for cookie in jar:  # another node, or the check itself, may have been given newer ones
                self._jars()[jar_name(key, taken)].set_cookie(cookie)
            return taken
        return await self._finished(key, turn, done, jar)

    async def _tried(self, key: Key, login: Login, before: Session, host: str, wanted: str) -> LoggedIn:
        return await log_in(
            self._walk(key, host),
            key.site,
            login,
            lambda: self._secrets.of(key.identity),
            check=before.check,
            wanted=wanted,
            form_tells=before.form_tells,
            known=before.generation > 0,
        )

    def _walk(self, key: Key, host: str) -> Walk:
        return Walk(lambda request: self._fetch(request, key, host), self.sites.of(host).delay or 0.0)

    async def _fetch(self, request: Request, key: Key, host: str) -> Response:
        request = request.replace(callback=NO_CALLBACK, dont_filter=True)
        request.meta.update(
            {
                LOGIN_KEY: host,
                IDENTITY_KEY: key.identity,
                "cookiejar": _trial(key),
                "dont_redirect": True,
                "dont_obey_robotstxt": True,
            }
        )
        try:
            response = await self._download(request)
        except IgnoreRequest as error:  # said by a middleware, without the address
            raise LoginError(f"no answer from {host_of(request.url)}: {error}", lasting=False) from None
        except Exception as error:  # whatever went wrong, there is no answer
            raise LoginError(f"no answer from {host_of(request.url)}: {type(error).__name__}", lasting=False) from None
        if response.status >= 500 or response.status == 429:
            raise LoginError(f"HTTP {response.status} from {host_of(request.url)}", lasting=False)
        return response

    async def _finished(self, key: Key, turn: Turn, done: LoggedIn, jar: CookieJar) -> Session:
        session = Session(cookies=tuple(cookies_in(jar)), check=done.check, form_tells=done.form_tells)
        generation = await self._stored(self.store.finish, key, turn, session)
        taken = self._take(key, await self._stored(self.store.session, key))
        self._count(f"logins/{'done' if generation else 'late'}/{key.site}")
        if generation:
            how = "by its form" if done.filled else "through the sign-on host, without a password"
            logger.info("%s: %s is logged in %s (session %d)", key.site, key.identity, how, generation)
        return taken

    def _rests(self, key: Key, login: Login, seconds: float, said: str) -> RestingError:
        """Where there is no session, or a check page has shown that it is lost, nothing is asked for with it meanwhile. Else
        it may be the page that asks for more than a log-in."""
        session = self.known(key)
        if login.check or session.check or (login.page and not session.generation):
            self._lost[key] = time.monotonic() + seconds, said
        return RestingError(seconds, said)

    async def _failed(self, key: Key, turn: Turn, before: Session, error: Exception) -> tuple[float, str]:
        said = str(error) or "it took too long"
        base = self._rest if getattr(error, "lasting", False) else min(self._rest, _SHORT_REST)
        rest = min(self._longest, base * 2.0 ** min(before.failures, 30))
        await self._stored(self.store.fail, key, turn, said, rest)
        self._count(f"logins/failed/{key.site}")
        logger.warning("%s: the log-in of %s failed: %s; tried again in %.0f s", key.site, key.identity, said, rest)
        return rest, said

    def _take(self, key: Key, session: Session) -> Session:
        """From now on requests go out with this session's cookies, in a jar of its own: late answers to older ones
        cannot spoil it."""
        old = self._sessions.get(key)
        if old is None or old.generation != session.generation:
            self._jars()[jar_name(key, session)] = jar_of(session.cookies)
            self._jars().pop(jar_name(key, replace(session, generation=session.generation - 2)), None)
            self._lost.pop(key, None)
        self._sessions[key] = session
        return session

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


def jar_name(key: Key, session: Session) -> str:
    """Of the cookies with which requests of the session go out."""
    return f"{key.identity}@{key.site}#{session.generation}"


def _trial(key: Key) -> str:
    return f"{key.identity}@{key.site}#new"
