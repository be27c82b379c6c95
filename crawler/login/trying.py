"""Log-ins and checks of sessions for a command, with every guard of a crawl but without frontier and database."""

from collections.abc import Callable
from dataclasses import dataclass

from scrapy.crawler import Crawler, CrawlerProcessBase

from crawler.download.one_shot import run_task
from crawler.identities.base import Key
from crawler.login.keeper import RestingError, SessionKeeper
from crawler.login.logging_in import LoginError


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of an identity: whether it is logged in, and a sentence."""

    key: Key
    fine: bool
    said: str


def try_identities(
    process: CrawlerProcessBase,
    keys: list[Key],
    keeper_of: Callable[[Crawler], SessionKeeper],
    *,
    only_look: bool = False,
) -> list[Tried]:
    """Logs in, or only looks, one identity after the other; runs the reactor, which a process can do once."""
    found: list[Tried] = []

    async def try_all(crawler: Crawler) -> None:
        keeper = keeper_of(crawler)
        found.extend([await _try(keeper, key, only_look=only_look) for key in keys])

    run_task(process, try_all)
    return found


async def _try(keeper: SessionKeeper, key: Key, *, only_look: bool) -> Tried:
    login = keeper.sites.of(key.site).login
    if login is None:
        return Tried(key, False, "its site's file has no `login`")
    try:
        if only_look:
            holds = await keeper.look(key, login, key.site)
            return Tried(key, holds, "logged in" if holds else "not logged in")
        before = await keeper.stored(key)
        session = await keeper.renew(key, login, before.generation, key.site, now=True)
    except (RestingError, LoginError) as error:
        return Tried(key, False, str(error))
    return Tried(key, True, "is logged in already" if session.generation == before.generation else "logged in")
