"""Deep crawl: follows the links of sites from start pages, the best first."""

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from twisted.python.failure import Failure

from crawler.config.arguments import JOB, site_arguments
from crawler.links.scope import Scope
from crawler.meta import FAILURE_KEY, FOUND_BY_KEY, GIVE_BACK_KEY
from crawler.page_answers import request_of
from crawler.priorities import START_SCORE
from crawler.spiders.base import CrawlSpider
from crawler.strategies import make_strategy

logger = logging.getLogger(__name__)


class SiteSpider(CrawlSpider):
    """`scrapy crawl site -a url=https://some.site/`; the arguments are those of `crawler.config.arguments`."""

    name = "site"
    check_arguments = staticmethod(site_arguments)

    def __init__(self, **given: str) -> None:
        arguments = site_arguments(**given)
        scope = Scope(list(arguments.urls), list(arguments.allow))
        super().__init__(arguments.crawl, scope, arguments, given.get(JOB, ""))

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Called by Scrapy. The start pages default to the topic's seeds."""
        spider = super().from_crawler(crawler, *args, **given)
        try:
            strategy, topic = make_strategy(crawler, spider.arguments.topic)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        asked = spider.arguments
        if topic is not None and not (asked.urls or asked.sources):
            spider.arguments = asked = replace(asked, urls=topic.seeds, sources=topic.sources)
            spider.scope = Scope(list(topic.seeds), list(asked.allow))
        spider.tools = spider.equip(crawler, strategy)
        if not (asked.urls or asked.sources or asked.topic or asked.allow):
            crawler.signals.connect(spider._widen_scope, signals.request_reached_downloader)
        return spider

    def _widen_scope(self, request: Request) -> None:
        """Accept every request of a crawl that other programs feed: it was queued on purpose."""
        self.scope.widen(request.url)

    async def start(self) -> AsyncIterator[Request]:
        """Requests of each start page, and of each host's robots.txt for its sitemaps."""
        follower, pages = self.tools.follower, self.pages_to_start()
        for request in self.source_requests(self.arguments.sources, self.arguments.urls):
            yield request.replace(errback=self.on_list_failure)
        for url in pages:
            page = follower.start(url, self.parse, {FOUND_BY_KEY: "start"})
            yield page.replace(errback=self.on_start_failure)
        for root in dict.fromkeys(f"{url.split('://')[0]}://{url.split('/')[2]}" for url in pages):
            meta = {"dont_obey_robotstxt": True, FOUND_BY_KEY: "start"}
            robots = follower.start(f"{root}/robots.txt", self.parse_robots, meta)
            first = START_SCORE * self.strategy.scale
            yield robots.replace(
                priority=first, errback=self.on_guess_failure if root in self.arguments.guessed else None
            )

    def pages_to_start(self) -> list[str]:
        """The start pages that are not lists of a source."""
        return [url for url in self.arguments.urls if self.tools.lists.sources.of(url) is None]

    def on_guess_failure(self, failure: Failure) -> Iterator[Request]:
        """Try http if https was only assumed."""
        request = request_of(failure)
        scheme, _, rest = request.url.partition("://")
        if scheme == "https" and f"https://{rest.split('/')[0]}" in self.arguments.guessed:
            request.meta.pop(FAILURE_KEY, None)
            yield request.replace(url=f"http://{rest}", dont_filter=False)

    def on_start_failure(self, failure: Failure) -> Iterator[Request]:
        """Log a start page that cannot be fetched, unless it is retried at once."""
        request = request_of(failure)
        if request.meta.get(GIVE_BACK_KEY):
            return
        others = list(self.on_guess_failure(failure))
        yield from others
        if not others:
            self.count_refusal(f"{request.url}: {failure.value}", of_start=True)
            logger.warning("The start page %s was not fetched: %s", request.url, failure.value)
