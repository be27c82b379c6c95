"""Typed access to the shared objects of one crawl, by Scrapy's crawler.

Adapters use it (spiders, middlewares, extensions, the scheduler) and pass members on; the modules that define the members
do not import it. The open store belongs to `pipelines.storage`, which pipelines can reach too.
"""

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary, ref

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from crawler.bans.health import Health
from crawler.bans.registry import BanRegistry
from crawler.config.sites import Sites, read_sites
from crawler.exit_status import CrawlResult, result_of
from crawler.identities.opening import open_identities
from crawler.identities.secrets import Secrets
from crawler.links.traps import PatternYields
from crawler.login.identity_sessions import SessionManager
from crawler.page_answers import FailedSteps
from crawler.proxies.proxy_pool import Policy, ProxyPool
from crawler.sources.source_catalog import SourceCatalog, read_sources
from pipelines.storage import StoragePipeline, storage_of
from pipelines.stores.base import Store

logger = logging.getLogger(__name__)


class Services:
    """Properties are created on first use; attributes are set by the part named below.

    Attributes:
        jars: cookie jars by their names in the meta of requests; from the cookies' middleware.
        pools: of proxies, by the list's name and the policy; from the proxies' middleware.
        crawl_delays: seconds between two requests that robots.txt asks for, by host, where that is longer than ours.
        delays: each returns a reason to start no request at present, or ""; from extensions that must keep up.
        health: of sites and proxies at the last check; from the extension of that name.
        fault: why the crawl is being closed; from the part that closes it.
        ending: the result of the crawl, once it has ended.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = crawler.settings
        self.jars: MutableMapping[Any, CookieJar] = {}
        self.pools: dict[tuple[str, Policy], ProxyPool] = {}
        self.crawl_delays: dict[str, float] = {}
        self.delays: list[Callable[[], str]] = []
        self.health: Health | None = None
        self.fault = ""
        self._closing: asyncio.Task[None] | None = None
        self.ending: CrawlResult | None = None

    @cached_property
    def sites(self) -> Sites:
        """The settings of each site; DeclarationError for a mistake in a file."""
        return read_sites(self._settings)

    @cached_property
    def sources(self) -> SourceCatalog:
        """The sources of the settings folder; DeclarationError for a mistake in a file."""
        return read_sources(self._settings)

    @cached_property
    def bans(self) -> BanRegistry:
        return BanRegistry(self._settings.getfloat("BAN_BACKOFF"))

    @cached_property
    def sessions(self) -> SessionManager:
        """The sessions of identities; IdentityError or SecretsError if they cannot be kept."""
        manager = SessionManager(
            self.sites,
            open_identities(self._settings),
            Secrets(self._settings),
            lambda: self.jars,
            self._download,
            self._count,
            backoff=self._settings.getfloat("LOGIN_BACKOFF"),
        )
        if (crawler := self._crawler()) is not None:
            crawler.signals.connect(manager.close, signals.engine_stopped)
        return manager

    @cached_property
    def yields(self) -> PatternYields:
        """The yield of each address pattern in this run."""
        return PatternYields()

    @cached_property
    def failed_steps(self) -> FailedSteps:
        return FailedSteps(self._count)

    @property
    def storage(self) -> StoragePipeline | None:
        """The pipeline that writes; None in a crawl that stores nothing."""
        crawler = self._crawler()
        return None if crawler is None else storage_of(crawler)

    @property
    def store(self) -> Store | None:
        """The store while it is open; None in a crawl that stores nothing."""
        return self.storage.store if self.storage and self.storage.is_open else None

    def close(self, reason: str, fault: str) -> None:
        """Begin to close the crawl because of a fault; the first one counts."""
        engine = getattr(self._crawler(), "engine", None)
        if not self.fault and engine is not None:
            self.fault = fault
            self._closing = asyncio.get_running_loop().create_task(engine.close_spider_async(reason=reason))

    def end(self, reason: str, lost: str = "") -> CrawlResult:
        """The result of a crawl that is closed with this reason. The first call decides, and writes the last line of the log.

        Args:
            lost: why a part of the queue is gone.
        """
        if self.ending is None:
            crawler = self._crawler()
            stats = crawler.stats.get_stats() if crawler is not None and crawler.stats else {}
            self.ending = result_of(reason, stats, self.fault, lost)
            logger.log(self.ending.log_level, "%s", self.ending)
        return self.ending

    async def _download(self, request: Request) -> Response:
        engine = getattr(self._crawler(), "engine", None)
        if engine is None:
            raise OSError("the crawl has ended")
        response: Response = await engine.download_async(request)
        return response

    def _count(self, name: str) -> None:
        if (crawler := self._crawler()) is not None and crawler.stats:
            crawler.stats.inc_value(name)


_services: "WeakKeyDictionary[Crawler, Services]" = WeakKeyDictionary()


def services_of(crawler: Crawler) -> Services:
    """The services of a crawl, created on first use and freed with the crawler."""
    found = _services.get(crawler)
    if found is None:
        found = _services[crawler] = Services(crawler)
    return found
