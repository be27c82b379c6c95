"""Hosts worth a crawl of their own: proposed with home page, sitemaps and feeds; the admitted ones are crawled."""

import logging
from collections.abc import Iterator
from typing import Any, Protocol

from scrapy import Request
from scrapy.http import Response

from crawler.links.follower import LinkFollower
from crawler.links.page_head import feeds_of_page
from crawler.links.scope import Scope
from crawler.links.sitemaps import SiteListings, read_sitemap, sitemaps_of_robots
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from crawler.metasearch.query_store import Row
from crawler.metasearch.site_proposals import SiteProposals
from extractors.links.urls import resolve_url
from pipelines.items import PageItem, RowsItem
from pipelines.stores.tables import SITES

logger = logging.getLogger(__name__)


class SiteCallbacks(Protocol):
    """The callbacks of a spider that proposes sites. Stored frontiers hold their names."""

    def parse(self, response: Response) -> Iterator[Any]:
        """A page."""

    def parse_site(self, response: Response, site: Row) -> Iterator[Any]:
        """A host's robots.txt."""

    def parse_site_map(self, response: Response, site: Row) -> Iterator[Any]:
        """A host's usual sitemap."""


class SiteProposer:
    """Makes rows and requests of the hosts that `proposals` finds."""

    def __init__(
        self,
        proposals: SiteProposals,
        crawl_name: str,
        scope: Scope,
        follower: LinkFollower,
        listings: SiteListings,
        callbacks: SiteCallbacks,
    ) -> None:
        self._proposals, self._crawl_name, self._scope = proposals, crawl_name, scope
        self._follower, self._listings, self._callbacks = follower, listings, callbacks

    def propose(self, item: PageItem, words: str) -> Iterator[Request | RowsItem]:
        """A page speaks for its host; `words` are those of the query that found it."""
        if site := self._proposals.update(item, words):
            feeds = feeds_of_page(item.page)
            yield RowsItem([(SITES, site | ({"feeds": feeds} if feeds else {}))])
            if self._proposals.is_first_inspection(site):
                yield from self._inspect(site)

    def _inspect(self, site: Row) -> Iterator[Request]:
        """An admitted host is crawled from its home page, sitemaps and feeds; of a proposed one these are stored only."""
        home = site["home"]
        if site["state"] == "let_in":
            logger.info("%s is admitted as a site", home)
            self._scope.widen(home)
            yield self._follower.start(home, self._callbacks.parse, {DEPTH_KEY: 0, FOUND_BY_KEY: "start"})
        meta = {"dont_obey_robotstxt": True, FOUND_BY_KEY: "start"}
        kept = {name: site[name] for name in ("host", "home", "state")}
        yield self._follower.start(f"{home}robots.txt", self._callbacks.parse_site, meta, site=kept)

    def of_robots(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """The sitemaps that a host's robots.txt names, for people who decide on the host; else a look at its usual one."""
        named = sitemaps_of_robots(response.body) if response.status == 200 else []
        if named:
            yield self._sitemaps(site, [found for address in named if (found := resolve_url(response.url, address))])
        else:
            address, meta = f"{site['home']}sitemap.xml", {FOUND_BY_KEY: "robots"}
            yield self._follower.start(address, self._callbacks.parse_site_map, meta, site=site)
        if site["state"] == "let_in":
            yield from self._listings.of_robots(response)

    def of_sitemap(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """The usual sitemap is stored too, if there is one."""
        if response.status == 200 and any(read_sitemap(response.body)):
            yield self._sitemaps(site, [response.url])
        if site["state"] == "let_in":
            yield from self._listings.of_sitemap(response, 0)

    def _sitemaps(self, site: Row, addresses: list[str]) -> RowsItem:
        return RowsItem([(SITES, {"crawl": self._crawl_name, "host": site["host"], "sitemaps": addresses})])
