"""Crawls that find hosts worth a crawl of their own."""

import logging
from collections.abc import Iterator

from scrapy import Request
from scrapy.http import Response

from crawler.links.sitemaps import feeds_of_page, read_sitemap, sitemaps_of_robots
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from crawler.metasearch.query_store import Row
from crawler.metasearch.site_proposals import SiteProposals
from crawler.priorities import START_SCORE
from crawler.spiders.site import SiteSpider
from extractors.links.urls import resolve_url
from pipelines.items import PageItem, RowsItem
from pipelines.stores.tables import SITES

logger = logging.getLogger(__name__)


class ProposingSpider(SiteSpider):
    """Proposes hosts with their home page, sitemaps and feeds; crawls those that are let in."""

    proposals: SiteProposals

    def propose(self, item: PageItem, words: str) -> Iterator[Request | RowsItem]:
        """A page speaks for its host; `words` are those of the query that found it."""
        if site := self.proposals.update(item, words):
            feeds = feeds_of_page(item.page)
            yield RowsItem([(SITES, site | ({"feeds": feeds} if feeds else {}))])
            if self.proposals.is_first_inspection(site):
                yield from self._look_at(site)

    def _look_at(self, site: Row) -> Iterator[Request]:
        """A host that is let in is crawled from its home page, sitemaps and feeds; of a proposed one only these are told."""
        home, priority = site["home"], START_SCORE * self.strategy.scale
        meta = {"dont_obey_robotstxt": True, FOUND_BY_KEY: "start"}
        if site["state"] == "let_in":
            logger.info("%s is let in as a site", home)
            self.scope.widen(home)
            yield Request(home, self.parse, priority=priority, meta={DEPTH_KEY: 0, FOUND_BY_KEY: "start"})
        told = {"site": {name: site[name] for name in ("host", "home", "state")}}
        yield Request(f"{home}robots.txt", self.parse_site, priority=priority, meta=meta, cb_kwargs=told)

    def parse_site(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """The sitemaps that a host's robots.txt names, for people who decide on it; else its usual one is looked for."""
        named = sitemaps_of_robots(response.body) if response.status == 200 else []
        if named:
            sitemaps = [found for address in named if (found := resolve_url(response.url, address))]
            yield RowsItem([(SITES, {"crawl": self.crawl_name, "host": site["host"], "sitemaps": sitemaps})])
        else:
            address = f"{site['home']}sitemap.xml"
            first = START_SCORE * self.strategy.scale
            meta = {FOUND_BY_KEY: "robots"}
            yield Request(address, self.parse_site_map, priority=first, meta=meta, cb_kwargs={"site": site})
        if site["state"] == "let_in":
            yield from self.parse_robots(response)

    def parse_site_map(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """The usual sitemap is told too, if there is one."""
        if response.status == 200 and any(read_sitemap(response.body)):
            yield RowsItem([(SITES, {"crawl": self.crawl_name, "host": site["host"], "sitemaps": [response.url]})])
        if site["state"] == "let_in":
            yield from self.parse_sitemap(response)
