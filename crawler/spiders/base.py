"""The base class of all spiders, with their shared callbacks."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.config.arguments import SiteArguments
from crawler.documents import Documents
from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.sitemaps import SiteListings, sitemap_of
from crawler.page_answers import content_type_of, url_state
from crawler.page_limit import PageLimit
from crawler.services import services_of
from crawler.spiders.page_reader import Output, PageReader
from crawler.strategies.base import LinkStrategy
from extractors.documents import DocumentError, DocumentType
from extractors.feeds import is_feed
from pipelines.items import PageItem
from pipelines.site_boilerplate import remove_boilerplate

_ANSWERED = (200, 304)


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The tools of a crawl, created once its settings are known."""

    strategy: LinkStrategy
    follower: LinkFollower
    reader: PageReader
    listings: SiteListings
    documents: Documents


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
            tunnel=settings.getint("TOPIC_TUNNEL") if self.arguments.topic else 0,
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
        )
        listings = SiteListings(follower, self.parse, self.parse_sitemap)
        return Toolkit(strategy, follower, reader, listings, documents)

    @property
    def strategy(self) -> LinkStrategy:
        return self.tools.strategy

    def parse(self, response: Response) -> Iterator[Output] | AsyncIterator[Output]:
        """Parse a page; feeds and documents are read off the event loop."""
        if response.status == 200 and is_feed(response.body, content_type_of(response)):
            self.count_page(response)
            return self.parse_feed(response)
        if response.status == 200 and (kind := self.tools.documents.type_of(response)):
            return self.parse_document(response, kind)
        return self.parse_page(response)

    def parse_page(self, response: Response) -> Iterator[Output]:
        """The item of a page, and requests of the links worth following."""
        self.count_page(response)
        for output in self.tools.reader.read(response):
            if isinstance(output, PageItem):
                self._limit.count()
            yield output
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
        else:
            self.count_refusal(f"{response.url}: HTTP {response.status}")

    def count_refusal(self, reason: str) -> None:
        """Count a page whose request failed."""
        self._count("refused")
        if self.crawler.stats:
            self.crawler.stats.set_value("pages/last_refusal", reason)

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

    async def parse_feed(self, response: Response) -> AsyncIterator[Request]:
        async for request in self.tools.listings.of_feed(response):
            yield request


def _page_limit(crawler: Crawler, crawl: str, limit: int) -> PageLimit:
    """The limit of a run: over all nodes where they share a frontier."""
    if not limit or crawler.settings["FRONTIER"] != "shared":
        return PageLimit(limit)
    from crawler.nodes_page_limit import nodes_page_limit  # a crawl on one machine does not load the Redis client

    return nodes_page_limit(crawler, crawl, limit)
