"""The base class of all spiders, with their shared callbacks."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.clock import crawl_now
from crawler.config.arguments import SiteArguments
from crawler.documents import Documents
from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.sitemaps import SiteListings, sitemap_of
from crawler.meta import FAILURE_KEY, FOUND_BY_KEY, GIVE_BACK_KEY
from crawler.page_answers import request_of, url_state
from crawler.page_limit import PageLimit
from crawler.services import services_of
from crawler.sources.list_answers import ListReader
from crawler.sources.list_health import ListHealth
from crawler.sources.list_outputs import ListOutputs
from crawler.sources.source_requests import SourceRequests
from crawler.spiders.page_reader import Output, PageReader
from crawler.strategies.base import LinkStrategy
from extractors.documents import DocumentError, DocumentType
from pipelines.items import PageItem, RowsItem
from pipelines.site_boilerplate import remove_boilerplate

logger = logging.getLogger(__name__)
_ANSWERED = (200, 304)


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The tools of a crawl, created once its settings are known."""

    strategy: LinkStrategy
    follower: LinkFollower
    reader: PageReader
    listings: SiteListings
    documents: Documents
    lists: ListReader
    sources: SourceRequests
    outputs: ListOutputs


class CrawlSpider(Spider):
    """Reads pages and follows their links.

    Attributes:
        crawl_name: the name in the frontier.
        scope: the addresses that may be requested.
        job: scrapyd's name of the run, "" without scrapyd.
        tools: set before the crawl begins.
    """

    tools: Toolkit

    def __init__(self, crawl_name: str, scope: Scope, arguments: SiteArguments, job: str) -> None:
        super().__init__(self.name)
        self.job = job
        self.crawl_name, self.scope, self.arguments = crawl_name, scope, arguments
        self._limit = PageLimit(0)

    def equip(self, crawler: Crawler, strategy: LinkStrategy) -> Toolkit:
        """The tools, configured by the arguments and the SITE_ settings."""
        settings, services = crawler.settings, services_of(crawler)
        self._limit = _page_limit(crawler, self.crawl_name, self.arguments.max_pages)
        documents = Documents(settings, services.failed_steps)
        follower = LinkFollower(
            self.scope,
            strategy,
            services.yields,
            depth=self.arguments.depth or settings.getint("SITE_MAX_DEPTH"),
            per_host=settings.getint("SITE_MAX_PAGES_PER_HOST"),
            skipped=documents.skipped,
        )
        reader = PageReader(
            self,
            strategy,
            follower,
            lambda: services.store,
            settings,
            services.failed_steps,
            lambda page: remove_boilerplate(crawler, page),
            services.sites.rules,
        )
        listings = SiteListings(follower, self.parse, self.parse_sitemap)
        sources = SourceRequests(follower, self.parse_feed, self.parse_guest, services.sources)
        lists = ListReader(services.sources, ListHealth(lambda: services.store, self._count_list).see)
        outputs = ListOutputs(follower, sources, self.parse, reader.item)
        return Toolkit(strategy, follower, reader, listings, documents, lists, sources, outputs)

    @property
    def strategy(self) -> LinkStrategy:
        return self.tools.strategy

    def parse(self, response: Response) -> Iterator[Output] | AsyncIterator[Output]:
        """Parse a page; feeds and documents are read off the event loop."""
        if response.status == 200 and self.tools.lists.takes(response):
            return self.parse_feed(response)
        if response.status == 200 and (kind := self.tools.documents.type_of(response)):
            return self.parse_document(response, kind)
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Output]:
        """The item of a page, and requests of the links worth following."""
        self.count_page(response)
        leads_on = response.status != 200 or not _is_start(response)
        for output in self.tools.reader.read(response):
            if isinstance(output, PageItem):
                self._limit.count()
            leads_on = leads_on or isinstance(output, Request)
            yield output
        if not leads_on:
            self._count("unlinked")
        if self._limit.is_reached:
            raise CloseSpider("max_pages")

    async def parse_document(self, response: Response, kind: DocumentType) -> AsyncIterator[Output]:
        """The item of a document and requests of its links; the state of an unreadable one."""
        try:
            await self.tools.documents.read(response, kind)
        except DocumentError as error:
            self.count_page(response)
            yield url_state(response, "other", f"{kind}: {error}")
            return
        for output in self.parse_page(response):
            yield output

    def count_page(self, response: Response) -> None:
        """Count answered pages (including unchanged ones) and refused ones, for the result of the crawl."""
        if response.status in _ANSWERED:
            self._count("answered")
            if response.status == 304:
                self._count("unchanged")
            if _is_start(response):
                self._count("starts")
        else:
            self.count_refusal(f"{response.url}: HTTP {response.status}", of_start=_is_start(response))

    def count_refusal(self, reason: str, *, of_start: bool = False) -> None:
        """Count a page whose request failed; the reason of a start page is kept, or else the last one."""
        self._count("refused")
        if self.crawler.stats and (of_start or not self.crawler.stats.get_value("pages/refused_starts")):
            self.crawler.stats.set_value("pages/last_refusal", reason)
        if of_start:
            self._count("refused_starts")

    def _count_list(self, name: str) -> None:
        if self.crawler.stats:
            self.crawler.stats.inc_value(f"lists/{name}")

    def _count(self, name: str) -> None:
        if self.crawler.stats:
            self.crawler.stats.inc_value(f"pages/{name}")

    def parse_part(self, response: Response, state: dict[str, Any]) -> Iterator[Output]:
        yield from self.tools.reader.read_part(response, state)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        yield from self.tools.listings.of_robots(response)

    async def parse_sitemap(self, response: Response, level: int = 0) -> AsyncIterator[Request]:
        for request in self.tools.listings.of_sitemap(await sitemap_of(response), level):
            yield request

    async def parse_feed(self, response: Response) -> AsyncIterator[Output]:
        """The pages that a list names, and its next page; the state of a start page that cannot be read."""
        self.count_page(response)
        if response.status != 200:
            return
        answer = await self.tools.lists.read(response)
        if answer.rows:
            yield RowsItem(list(answer.rows))
        if answer.feed is None:
            is_start = response.meta.get(FOUND_BY_KEY) == "start" and (
                answer.address is None or answer.address.page == 1
            )
            yield self.unreadable(response, answer.fault) if is_start else url_state(response, "other", answer.fault)
        for output in self.tools.outputs.of(response, answer):
            if isinstance(output, PageItem):
                self._limit.count()
            yield output

    def source_requests(self, names: Iterable[str], urls: Iterable[str] = ()) -> Iterator[Request]:
        """Requests of the lists of these sources, and of these addresses where they are those of a source."""
        catalog = self.tools.lists.sources
        named = catalog.first_addresses(catalog.named(names), crawl_now())
        given = (address for url in urls if (address := catalog.of(url)) is not None)
        yield from self.tools.sources.start([*named, *given])

    def on_list_failure(self, failure: Failure) -> Iterator[Request]:
        """Log a list that cannot be fetched, unless it is retried at once; a page that gives a cookie is not needed by all lists."""
        request = request_of(failure)
        if request.meta.get(GIVE_BACK_KEY):
            return
        self.count_refusal(f"{request.url}: {failure.value}")
        logger.warning("The list %s was not fetched: %s", request.url, failure.value)
        if lists := request.cb_kwargs.get("lists"):
            request.meta.pop(FAILURE_KEY, None)
            yield from self.tools.sources.of_stored(lists)

    def parse_guest(self, response: Response | Failure, lists: list[Any]) -> Iterator[Request]:
        """Request the lists whose guest cookie this answer has set."""
        yield from self.tools.sources.of_stored(lists)

    def unreadable(self, response: Response, fault: str) -> RowsItem:
        """Say and count that a start page cannot be read."""
        sentence = f"{response.url} cannot be read as a list: {fault}"
        logger.warning("%s", sentence)
        self._count("unreadable")
        if self.crawler.stats:
            self.crawler.stats.set_value("pages/last_unreadable", sentence)
        return url_state(response, "unreadable", fault[:500])


def _page_limit(crawler: Crawler, crawl: str, limit: int) -> PageLimit:
    """The limit of a run: over all nodes where they share a frontier."""
    if not limit or crawler.settings["FRONTIER"] != "shared":
        return PageLimit(limit)
    from crawler.nodes_page_limit import nodes_page_limit  # a crawl on one machine does not load the Redis client

    return nodes_page_limit(crawler, crawl, limit)


def _is_start(response: Response) -> bool:
    return bool(response.meta.get(FOUND_BY_KEY) == "start")
