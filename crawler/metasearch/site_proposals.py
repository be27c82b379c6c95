"""Hosts with several relevant pages: proposed with home page, sitemaps and feeds, and crawled if admitted."""

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Protocol

from scrapy import Request
from scrapy.http import Response

from crawler.links.follower import LinkFollower
from crawler.links.page_head import feeds_of_page
from crawler.links.robots_rules import named_sitemaps
from crawler.links.scope import Scope
from crawler.links.sitemaps import SiteListings, sitemap_of
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY
from crawler.metasearch.queries import Row
from extractors.links.urls import host_of, resolve_url
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import LET_IN, SITES, URLS

_MAX_QUERIES_IN_REASON = 3
_READ_SECONDS = 20.0
"""Between two reads of the operators' decisions."""
logger = logging.getLogger(__name__)


class SiteProposals:
    """Counts pages and relevant pages of each host, including those in the store.

    Args:
        needed: number of relevant pages after which a host is proposed.
        budget: number of hosts that are admitted without an operator's decision.
        threshold: minimum relevance of a relevant page.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        store: Store,
        crawl: str,
        needed: int,
        budget: int,
        threshold: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._crawl = crawl
        self._needed = needed
        self._threshold = threshold
        self._counts: dict[str, list[int]] = {}
        self._inspected: dict[str, str] = {}
        self._found_by: dict[str, Counter[str]] = {}
        self._clock = clock
        self._read_at = clock()
        self._states = {row["host"]: row["state"] for row in self._rows()}
        self._written = dict(self._states)
        self._budget = budget - sum(state == LET_IN for state in self._states.values())

    def admitted_homes(self) -> list[str]:
        """Home pages of the hosts that this crawl or operators have admitted."""
        return [row["home"] for row in self._rows() if row["state"] == LET_IN and row["home"]]

    def newly_admitted(self) -> list[dict[str, Any]]:
        """The sites that operators have admitted since the last call; reads the store at most every 20 seconds."""
        if self._clock() - self._read_at < _READ_SECONDS:
            return []
        self._read_at = self._clock()
        changed = [row for row in self._rows() if row["state"] != self._written.get(row["host"])]
        for row in changed:
            self._states[row["host"]] = self._written[row["host"]] = row["state"]
        return [row for row in changed if row["state"] == LET_IN and row["home"]]

    def row_of(self, site: dict[str, Any]) -> dict[str, Any]:
        """The row of a site to store; with its state only if this crawl has set it, as operators may have changed it."""
        host, state = site["host"], site["state"]
        known = self._written.get(host)
        self._written[host] = state
        return {name: value for name, value in site.items() if name != "state"} if known == state else site

    def _rows(self) -> list[dict[str, Any]]:
        return list(self._store.select(SITES, [Condition("crawl", "=", self._crawl)]))

    def is_relevant(self, item: PageItem) -> bool:
        return (item.relevance or 0.0) >= self._threshold

    def is_first_inspection(self, site: dict[str, Any]) -> bool:
        """Whether this is the run's first inspection of the host in this state; notes the inspection."""
        is_first = bool(self._inspected.get(site["host"]) != site["state"])
        self._inspected[site["host"]] = site["state"]
        return is_first

    def update(self, item: PageItem, words: str) -> dict[str, Any] | None:
        """Count a page; returns a row of the sites table if its host is proposed or admitted, with the state.

        Args:
            words: of the query that found the page.
        """
        host = host_of(item.url)
        pages, relevant = self._count(host, self.is_relevant(item))
        if words:
            self._found_by.setdefault(host, Counter())[words] += 1
        state = self._states.get(host, "")
        if relevant < self._needed or state not in ("", "proposed") or not self.is_relevant(item):
            return None
        self._states[host] = state = LET_IN if self._budget > 0 else "proposed"
        self._budget -= state == LET_IN
        home = "/".join([*item.url.split("/")[:3], ""])
        found = {"crawl": self._crawl, "host": host, "home": home, "state": state, "pages": pages, "relevant": relevant}
        return found | {"reason": self._reason(host, pages, relevant, item.url)}

    def _count(self, host: str, is_relevant: bool) -> list[int]:
        if host not in self._counts:
            judged = [Condition("host", "=", host), Condition("relevance", ">=", 0.0)]
            good = [judged[0], Condition("relevance", ">=", self._threshold)]
            self._counts[host] = [self._store.count(URLS, judged), self._store.count(URLS, good)]
        counts = self._counts[host]
        counts[0] += 1
        counts[1] += is_relevant
        return counts

    def _reason(self, host: str, pages: int, relevant: int, url: str) -> str:
        words = ", ".join(word for word, _ in self._found_by.get(host, Counter()).most_common(_MAX_QUERIES_IN_REASON))
        found = f", found by {words}" if words else ""
        return f"{relevant} of {pages} pages are relevant{found}, such as {url}"[:500]


class SiteCallbacks(Protocol):
    """The callbacks of a spider that proposes sites. Stored frontiers hold the names, so they never change."""

    def parse(self, response: Response) -> Iterator[Any] | AsyncIterator[Any]:
        """Parse a page or a feed."""

    def parse_site(self, response: Response, site: Row) -> Iterator[Any]:
        """Parse a host's robots.txt."""

    def parse_site_map(self, response: Response, site: Row) -> AsyncIterator[Any]:
        """Parse the sitemap at a host's default address."""


class SiteProposer:
    """Creates rows and requests of the hosts that `proposals` finds."""

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
        """Count a page for its host; `words` are those of the query that found it."""
        for admitted in self._proposals.newly_admitted():
            if self._proposals.is_first_inspection(admitted):
                yield from self._inspect(admitted)
        if site := self._proposals.update(item, words):
            feeds = item.page.once(feeds_of_page)
            yield RowsItem([(SITES, self._proposals.row_of(site) | ({"feeds": feeds} if feeds else {}))])
            if self._proposals.is_first_inspection(site):
                yield from self._inspect(site)

    def _inspect(self, site: Row) -> Iterator[Request]:
        """Request home page, sitemaps and feeds: to crawl an admitted host, or only to store them for a proposed one."""
        home = site["home"]
        if site["state"] == LET_IN:
            logger.info("%s is admitted as a site", home)
            self._scope.widen(home)
            yield self._follower.start(home, self._callbacks.parse, {DEPTH_KEY: 0, FOUND_BY_KEY: "start"})
        meta = {"dont_obey_robotstxt": True, FOUND_BY_KEY: "start"}
        kept = {name: site[name] for name in ("host", "home", "state")}
        yield self._follower.start(f"{home}robots.txt", self._callbacks.parse_site, meta, site=kept)

    def of_robots(self, response: Response, site: Row) -> Iterator[Request | RowsItem]:
        """Store the sitemaps in a host's robots.txt for the operator's decision, else try the default address."""
        named = named_sitemaps(response.body) if response.status == 200 else []
        if named:
            yield self._sitemaps(site, [found for address in named if (found := resolve_url(response.url, address))])
        else:
            address, meta = f"{site['home']}sitemap.xml", {FOUND_BY_KEY: "robots"}
            yield self._follower.start(address, self._callbacks.parse_site_map, meta, site=site)
        if site["state"] == LET_IN:
            yield from self._listings.of_robots(response)

    async def of_sitemap(self, response: Response, site: Row) -> AsyncIterator[Request | RowsItem]:
        """Store the sitemap at the default address, if there is one."""
        found = await sitemap_of(response)
        if found is not None and found.entries:
            yield self._sitemaps(site, [response.url])
        if site["state"] == LET_IN:
            for request in self._listings.of_sitemap(found, 0):
                yield request

    def _sitemaps(self, site: Row, addresses: list[str]) -> RowsItem:
        return RowsItem([(SITES, {"crawl": self._crawl_name, "host": site["host"], "sitemaps": addresses})])
