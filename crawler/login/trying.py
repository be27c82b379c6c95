"""Log-ins and checks of sessions for a command, with every guard of a crawl but without frontier and database."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcessBase

from crawler.addon import SILENT_EXTENSIONS
from crawler.config.sites import sites_of
from crawler.identities.base import Key
from crawler.login.keeper import RestingError
from crawler.login.logging_in import LoginError
from crawler.middlewares.logins import keeper_of


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of an identity: whether it is logged in, and a sentence."""

    key: Key
    fine: bool
    said: str


class TryingSpider(Spider):
    """Logs in, or only looks, one identity after the other."""

    name = "identities"
    custom_settings = {
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "ITEM_PIPELINES": {},
        "EXTENSIONS": SILENT_EXTENSIONS,
    }

    def __init__(self, keys: list[Key], told: Callable[[Tried], None], only_look: bool = False, **given: Any) -> None:
        super().__init__(**given)
        self._keys, self._told, self._only_look = keys, told, only_look

    async def start(self) -> AsyncIterator[Request]:
        """No request of its own: the log-ins make them."""
        for key in self._keys:
            self._told(await self._tried(key))
        no_requests: list[Request] = []
        for request in no_requests:
            yield request

    async def _tried(self, key: Key) -> Tried:
        keeper = keeper_of(self.crawler)
        login = sites_of(self.crawler).of(key.site).login
        if login is None:
            return Tried(key, False, "its site's file has no `login`")
        try:
            if self._only_look:
                holds = await keeper.look(key, login, key.site)
                return Tried(key, holds, "logged in" if holds else "not logged in")
            before = await keeper.stored(key)
            session = await keeper.renew(key, login, before.generation, key.site, now=True)
        except (RestingError, LoginError) as error:
            return Tried(key, False, str(error))
        return Tried(key, True, "is logged in already" if session.generation == before.generation else "logged in")


def try_identities(process: CrawlerProcessBase, keys: list[Key], *, only_look: bool = False) -> list[Tried]:
    """Runs the reactor until all is said; a process can do so once."""
    found: list[Tried] = []
    process.crawl(TryingSpider, keys=keys, told=found.append, only_look=only_look)
    process.start()
    return found
