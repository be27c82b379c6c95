"""Log-ins and session checks for `scrapy identities`, with the limits of a crawl but without frontier and database."""

from collections.abc import Callable
from dataclasses import dataclass

from scrapy.crawler import Crawler, CrawlerProcessBase

from crawler.download.one_shot import run_task
from crawler.identities.base import Key
from crawler.login.login_flow import LoginError
from crawler.login.sessions import LoginBackoffError, SessionManager


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """Whether an identity is logged in, and a sentence about it."""

    key: Key
    logged_in: bool
    message: str


def check_sessions(
    process: CrawlerProcessBase,
    keys: list[Key],
    sessions_of: Callable[[Crawler], SessionManager],
    *,
    check_only: bool = False,
) -> list[SessionCheck]:
    """Log in identities, or only check their sessions, one after the other.

    Runs the reactor, which a process can do once.
    """
    found: list[SessionCheck] = []

    async def check_all(crawler: Crawler) -> None:
        sessions = sessions_of(crawler)
        found.extend([await _check(sessions, key, check_only=check_only) for key in keys])

    run_task(process, check_all)
    return found


async def _check(sessions: SessionManager, key: Key, *, check_only: bool) -> SessionCheck:
    login = sessions.sites.of(key.site).login
    if login is None:
        return SessionCheck(key, False, "its site's file has no `login`")
    try:
        if check_only:
            is_valid = await sessions.check(key, login, key.site)
            return SessionCheck(key, is_valid, "logged in" if is_valid else "not logged in")
        before = await sessions.reload(key)
        session = await sessions.renew(key, login, before.generation, key.site, now=True)
    except (LoginBackoffError, LoginError) as error:
        return SessionCheck(key, False, str(error))
    return SessionCheck(key, True, "is logged in already" if session.generation == before.generation else "logged in")
