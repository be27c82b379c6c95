"""Deep crawl: from start pages along the links of their sites, the best first."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.utils.misc import build_from_crawler
from twisted.python.failure import Failure

from crawler.config.arguments import SiteArguments, site_arguments
from crawler.links.follower import LinkFollower
from crawler.links.parts import join_parts, may_have_parts, next_part, other_parts
from crawler.links.scope import Scope, registered_domain
from crawler.links.sitemaps import (
    canonical_of_page,
    feeds_of_page,
    is_feed,
    read_feed,
    read_sitemap,
    refresh_of_page,
    sitemaps_of_robots,
)
from crawler.links.thread_lists import Listed, Told
from crawler.links.threads import Threads, is_discussion, other_pages
from crawler.meta import ACTIVITY_KEY, DEPTH_KEY, FOUND_BY_KEY, GIVE_BACK_KEY, REFERRER_KEY, STRAYED_KEY, THREAD_KEY
from crawler.pages import page_of
from crawler.priorities import START_SCORE
from crawler.services import services_of
from crawler.states import url_state
from crawler.strategies import strategy_class, topic_and_strategy
from crawler.strategies.base import LinkStrategy
from extractors.links.find import forbids_following
from extractors.links.urls import canonical_url, host_of, resolve_url, url_key
from extractors.page import Page
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Table
from pipelines.stores.tables import LINKS, PAGES, URLS

logger = logging.getLogger(__name__)
_HTML = ("html", "xhtml", "xml")
_KEPT_HEADERS = ("etag", "last-modified", "content-type")
_MAX_CLAIMS = 5
"""So many pages may name one other page as their canonical address before it is taken for a mistake of the site."""


class SiteSpider(Spider):
    """`scrapy crawl site -a url=https://some.site/`; the arguments are those of `crawler.config.arguments`."""

    name = "site"
    check_arguments = staticmethod(site_arguments)

    def __init__(self, **given: str) -> None:
        super().__init__(self.name)
        self.arguments: SiteArguments = site_arguments(**given)
        self.crawl_name = self.arguments.crawl
        self.scope = Scope(list(self.arguments.urls), list(self.arguments.allow))
        self.pages = 0
        self._claims: Counter[str] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **given: Any) -> Self:
        """Scrapy's way of making it; reads LINK_STRATEGY and the SITE_ limits."""
        spider = super().from_crawler(crawler, *args, **given)
        settings, services = crawler.settings, services_of(crawler)
        strategy = spider._strategy(crawler)
        spider.follower = LinkFollower(
            spider.scope,
            strategy,
            depth=spider.arguments.depth or settings.getint("SITE_MAX_DEPTH"),
            per_host=settings.getint("SITE_MAX_PAGES_PER_HOST"),
            tunnel=settings.getint("TOPIC_TUNNEL") if spider.arguments.topic else 0,
        )
        spider.max_parts = settings.getint("SITE_MAX_PARTS")
        spider.joins_threads = settings.getbool("DISCUSSION_ENABLED", True)
        spider.threads = Threads(lambda: services.store, settings.getint("SITE_MAX_THREAD_PAGES"))
        spider.listed = Listed(lambda: services.store)
        if not (spider.arguments.urls or spider.arguments.topic or spider.arguments.allow):
            crawler.signals.connect(spider._take_into_scope, signals.request_reached_downloader)
        return spider

    def _strategy(self, crawler: Crawler) -> LinkStrategy:
        """The one that LINK_STRATEGY names; with a topic one that knows it, whose seeds join the start pages."""
        if not self.arguments.topic:
            self.strategy = build_from_crawler(strategy_class(crawler.settings["LINK_STRATEGY"], "site"), crawler)
            return self.strategy
        try:
            topic, strategy = topic_and_strategy(self.arguments.topic, crawler.settings)
        except ValueError as error:
            logger.error("%s", error)
            raise CloseSpider("wrong_arguments") from error
        if not self.arguments.urls:
            self.arguments = replace(self.arguments, urls=topic.seeds)
            self.scope = Scope(list(topic.seeds), list(self.arguments.allow))
        self.strategy = build_from_crawler(strategy, crawler, topic)
        return self.strategy

    def _take_into_scope(self, request: Request) -> None:
        """A crawl that others feed: what is in its frontier was put there on purpose."""
        self.scope.widen(request.url)

    strategy: LinkStrategy
    follower: LinkFollower
    max_parts: int
    joins_threads: bool
    threads: Threads
    listed: Listed

    async def start(self) -> AsyncIterator[Request]:
        """Each start page, and each of their hosts' robots.txt for its sitemaps."""
        for url in self.arguments.urls:
            start = {FOUND_BY_KEY: "start"}
            yield Request(
                url, self.parse, priority=START_SCORE * self.strategy.scale, meta=start, errback=self.on_start_failure
            )
        for root in dict.fromkeys(f"{url.split('://')[0]}://{url.split('/')[2]}" for url in self.arguments.urls):
            meta = {"dont_obey_robotstxt": True, FOUND_BY_KEY: "start"}
            yield Request(
                f"{root}/robots.txt", self.parse_robots, priority=START_SCORE * self.strategy.scale, meta=meta
            )

    def on_start_failure(self, failure: Failure) -> None:
        """A start page that cannot be had is worth a line, unless it is asked for again at once."""
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        if request.meta.get(GIVE_BACK_KEY):
            return
        logger.warning("The start page %s was not fetched: %s", request.url, failure.value)

    def parse(self, response: Response) -> Iterator[Request | PageItem | RowsItem]:
        """A page of the site: its item, and the links worth following."""
        self.pages += 1
        yield from self._answer(response)
        if self.pages == self.arguments.max_pages:
            raise CloseSpider("max_pages")

    def _answer(self, response: Response) -> Iterator[Request | PageItem | RowsItem]:
        if response.status != 200:
            yield from self._without_content(response)
            return
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1").lower()
        if is_feed(response.body, content_type):
            yield from self.parse_feed(response)
            return
        if content_type and not any(kind in content_type for kind in (*_HTML, "text/plain", "octet-stream")):
            yield url_state(response, "other", content_type[:100])
            return
        yield from self._read(response)

    def _read(self, response: Response) -> Iterator[Request | PageItem | RowsItem]:
        page = page_of(response)
        item = self._item(response, page)
        self.strategy.judge(item)
        further = self._further(item, response.meta.get(THREAD_KEY))
        follow = self._links(item)
        useful = page.article.confidence >= 0.5 or len(follow) > 2 or bool(item.part_of)
        self.follower.learn(item, useful=useful)
        yield item
        yield from follow
        yield from self._announced(page, item)
        yield from further

    def _links(self, item: PageItem) -> list[Request]:
        if forbids_following(item.page):
            return []
        told = self.listed.read(item) if self.joins_threads and item.relevant else Told()
        self.follower.leave_out(told.leave_out)
        return list(self.follower.requests(item, self.parse, told.activities))

    def _further(self, item: PageItem, came: dict[str, Any] | None) -> list[Request]:
        """The request of the page that continues a thread or an article, if there is one."""
        if not self.joins_threads:
            return self._next_part(item)
        self.threads.place(item, came)
        if not item.relevant:
            return []
        if not is_discussion(item.page) and (part := self._next_part(item)):
            return part
        self.follower.leave_out(other_pages(item))
        onward = self.threads.onward(item, came)
        if onward is None:
            return []
        address, told = onward
        return list(self.follower.part(address, self.parse, item, told["pages"], {THREAD_KEY: told}))

    def _item(self, response: Response, page: Page) -> PageItem:
        meta = response.meta
        headers = {name: (response.headers.get(name) or b"").decode("latin-1") for name in _KEPT_HEADERS}
        return PageItem(
            url=self._address(page),
            requested_url=canonical_url(response.url) or response.url,
            status=response.status,
            page=page,
            links=page.links,
            depth=meta.get(DEPTH_KEY, 0),
            strayed=meta.get(STRAYED_KEY, 0),
            referrer=meta.get(REFERRER_KEY, ""),
            found_by=meta.get(FOUND_BY_KEY, "link"),
            activity=meta.get(ACTIVITY_KEY, ""),
            headers=headers,
        )

    def _address(self, page: Page) -> str:
        """The canonical address if the page may be believed: of its own domain, not the home page, not everybody's."""
        own = canonical_url(page.url) or page.url
        claimed = canonical_of_page(page)
        if not claimed or claimed == own or registered_domain(host_of(claimed)) != registered_domain(host_of(own)):
            return own
        if claimed.rstrip("/").count("/") < 3:
            return own
        self._claims[claimed] += 1
        if len(self._claims) > 50_000:
            self._claims.clear()
        return claimed if self._claims[claimed] <= _MAX_CLAIMS else own

    def _announced(self, page: Page, item: PageItem) -> Iterator[Request]:
        """Feeds of a start page, and where a page sends its reader at once."""
        if item.depth == 0:
            for address in feeds_of_page(page):
                yield from self.follower.special(address, self.parse_feed, item, "feed")
        if target := refresh_of_page(page):
            yield from self.follower.special(target, self.parse, item, "refresh")

    def _without_content(self, response: Response) -> Iterator[Request | RowsItem]:
        """Dead, unchanged or refused; what an unchanged page linked to is followed again."""
        if response.status == 304:
            known = self._stored(URLS, response) or {}
            is_part = known.get("state") == "part"
            yield url_state(response, "part", known["reason"]) if is_part else url_state(response, "unchanged")
            yield from self._known_links(response)
        elif response.status in (404, 410):
            yield url_state(response, "dead")
        else:
            yield url_state(response, "failed", f"HTTP {response.status}")

    def _known_links(self, response: Response) -> Iterator[Request]:
        if row := self._stored(LINKS, response):
            yield from self.follower.known(row["links"], response, self.parse)

    def _stored(self, table: Table, response: Response) -> dict[str, Any] | None:
        store = services_of(self.crawler).store
        return store.get(table, url_key(response.url)) if store is not None else None

    # -- articles over several pages ----------------------------------------------------------------------------------

    def _next_part(self, item: PageItem) -> list[Request]:
        """The request of an article's second page; its other pages come in their turn and not as pages of their own."""
        article = item.page.article
        address = next_part(item.requested_url, item.links)
        if not address or not self.scope.holds(address) or article.confidence < 0.5 or not item.relevant:
            return []
        if not may_have_parts(item.page, item.requested_url):
            return []
        self.follower.leave_out(other_parts(item.requested_url, item.links))
        state = {"first": item.url, "urls": [item.requested_url], "texts": [article.text]}
        return [self._part_request(address, state, item.depth)]

    def _part_request(self, address: str, state: dict[str, Any], depth: int) -> Request:
        meta = {DEPTH_KEY: depth, FOUND_BY_KEY: "part"}
        return Request(
            address,
            self.parse_part,
            priority=START_SCORE * self.strategy.scale,
            cb_kwargs={"state": state},
            meta=meta,
            dont_filter=True,
        )

    def parse_part(self, response: Response, state: dict[str, Any]) -> Iterator[Request | PageItem | RowsItem]:
        """A further page of an article: its text joins what there is; if it has none, it is a page like others."""
        if response.url in state["urls"]:
            return
        page = page_of(response)
        text = page.article.text if response.status == 200 else ""
        if not text or text in state["texts"]:
            yield from self._answer(response)
            return
        yield url_state(response, "part", state["first"])
        yield from self._join(response, page, text, state)
        yield from self._links(self._item(response, page))

    def _join(
        self, response: Response, page: Page, text: str, state: dict[str, Any]
    ) -> Iterator[Request | PageItem | RowsItem]:
        state = state | {"urls": [*state["urls"], response.url], "texts": [*state["texts"], text]}
        body = join_parts(state["texts"])
        yield RowsItem(
            [(PAGES, {"key": url_key(state["first"]), "url": state["first"], "body": body, "parts": state["urls"]})]
        )
        self.follower.leave_out(other_parts(canonical_url(response.url), page.links))
        address = next_part(canonical_url(response.url), page.links)
        if address and len(state["urls"]) < self.max_parts and len(body) < 500_000:
            yield self._part_request(address, state, response.meta.get(DEPTH_KEY, 0))

    # -- what the site lists of itself ----------------------------------------------------------------------------------

    def parse_robots(self, response: Response) -> Iterator[Request]:
        """The sitemaps that robots.txt names, else the usual one."""
        root = response.url.rsplit("/", 1)[0]
        named = sitemaps_of_robots(response.body) if response.status == 200 else []
        for address in named or [f"{root}/sitemap.xml"]:
            yield from self.follower.special(resolve_url(response.url, address), self.parse_sitemap, None, "robots")

    def parse_sitemap(self, response: Response, level: int = 0) -> Iterator[Request]:
        """Pages that a sitemap lists, and further sitemaps down to three levels."""
        if response.status != 200:
            return
        further, pages = read_sitemap(response.body)
        if level < 3:
            for address in further:
                yield from self.follower.special(address, self.parse_sitemap, None, "sitemap", level=level + 1)
        yield from self.follower.listed(pages, self.parse, "sitemap")

    def parse_feed(self, response: Response) -> Iterator[Request]:
        """Pages that a feed lists."""
        if response.status == 200:
            entries = [address for address, _ in read_feed(response.body, response.url)]
            yield from self.follower.listed(entries, self.parse, "feed")
