"""What both spiders consist of, and the callbacks that both have."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from crawler.config.arguments import SiteArguments
from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.sitemaps import SiteListings
from crawler.services import services_of
from crawler.spiders.page_reader import Output, PageReader
from crawler.strategies.base import LinkStrategy

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Toolkit:
    """Made once for a crawl, when its settings are known."""

    strategy: LinkStrategy
    follower: LinkFollower
    reader: PageReader
    listings: SiteListings


class CrawlSpider(Spider):
    """Reads pages and follows their links.

    Attributes:
        crawl_name: of the frontier.
        scope: what may be asked for.
        tools: set before the crawl begins.
    """

    tools: Toolkit

    def __init__(self, crawl_name: str, scope: Scope, arguments: SiteArguments) -> None:
        super().__init__(self.name)
        self.crawl_name, self.scope, self.arguments = crawl_name, scope, arguments
        self._pages = 0

    def equip(self, crawler: Crawler, strategy: LinkStrategy) -> Toolkit:
        """The tools, as the arguments and the SITE_ limits of the settings say."""
        settings, services = crawler.settings, services_of(crawler)
        follower = LinkFollower(
            self.scope,
            strategy,
            depth=self.arguments.depth or settings.getint("SITE_MAX_DEPTH"),
            per_host=settings.getint("SITE_MAX_PAGES_PER_HOST"),
            tunnel=settings.getint("TOPIC_TUNNEL") if self.arguments.topic else 0,
        )
        reader = PageReader(self, strategy, follower, lambda: services.store, settings)
        return Toolkit(strategy, follower, reader, SiteListings(follower, self.parse, self.parse_sitemap))

    @property
    def strategy(self) -> LinkStrategy:
        """The order of the crawl."""
        return self.tools.strategy

    def parse(self, response: Response) -> Iterator[Output]:
        """A page: its item, and the links worth following."""
        self._pages += 1
        yield from self.tools.reader.read(response)
        if self._pages == self.arguments.max_pages:
            raise CloseSpider("max_pages")

    def parse_part(self, response: Response, state: dict[str, Any]) -> Iterator[Output]:
        """A further page of an article."""
        yield from self.tools.reader.read_part(response, state)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        """The sitemaps of a site."""
        yield from self.tools.listings.of_robots(response)

    def parse_sitemap(self, response: Response, level: int = 0) -> Iterator[Request]:
        """The pages and sitemaps that a sitemap lists."""
        yield from self.tools.listings.of_sitemap(response, level)

    def parse_feed(self, response: Response) -> Iterator[Request]:
        """The pages that a feed lists."""
        yield from self.tools.listings.of_feed(response)
