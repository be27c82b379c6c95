"""Chooses the next visit of a watch, so that no site takes the requests of others."""

from dataclasses import dataclass

from crawler.links.scope import registered_domain
from crawler.watching.budget import NEW_PAGES, Budget
from crawler.watching.hosts import Hosts
from crawler.watching.one_off_visits import OneOffVisits
from crawler.watching.pages import Pages, WatchedPage
from crawler.watching.sources import Sources
from crawler.watching.visits import WatchVisit
from extractors.links.urls import host_of

_PATIENCE_SECONDS = 150.0
"""If visits of lists save more seconds of waiting than this, rechecks get less than their share."""
_PURPOSES = (*NEW_PAGES, "recheck", "backlog")
_KINDS = {"flood": "page"}
"""Kinds of visits that are not called like their purpose."""


@dataclass(frozen=True, slots=True)
class VisitChoice:
    """New pages come first, within a share of the requests; sites take turns, see `crawler.watching.site_turns`. Pages of
    sites that name more than can be fetched soon have a small share together, and what others leave."""

    budget: Budget
    hosts: Hosts
    sources: Sources
    pages: Pages
    one_off_visits: OneOffVisits
    gap: float

    def next(self, now: float) -> WatchVisit | None:
        """The most valuable visit at present, taken from the budget; None if there is none."""
        self.sources.slow_down(self.pages.flooding)
        visit = self.one_off_visits.next(lambda visit: self._may_see(visit, now))
        purpose, visit = (visit.kind, visit) if visit is not None else self._page(now)
        if visit is None:
            visit = self.sources.next(now, self.hosts.ready(now), self.gap)
            purpose, visit = (visit.kind, visit) if visit is not None else self._spare_page(now)
        if visit is not None:
            self.budget.take(purpose, min(1.0, _PATIENCE_SECONDS / max(1.0, self.sources.margin)))
        return visit

    def _may_see(self, visit: WatchVisit, now: float) -> bool:
        """Whether a single visit may be made; further pages of a list wait while its site has too many pages waiting."""
        is_slow = visit.kind == "more" and registered_domain(host_of(visit.source)) in self.pages.flooding
        return not is_slow and self.hosts.is_ready(visit.host, now)

    def _page(self, now: float) -> tuple[str, WatchVisit | None]:
        return self._first(tuple(filter(self.budget.has, _PURPOSES)), now)

    def _spare_page(self, now: float) -> tuple[str, WatchVisit | None]:
        return self._first(NEW_PAGES if self.budget.has_spare() else (), now)

    def _first(self, purposes: tuple[str, ...], now: float) -> tuple[str, WatchVisit | None]:
        """The first visit of a page for one of these purposes, with the purpose."""
        for purpose in purposes:
            page = self._page_for(purpose, now)
            if page is not None:
                page.under_way = True
                kind = _KINDS.get(purpose, purpose)
                return purpose, WatchVisit(kind, page.url, page.host, page.source, listed=page.listed)
        return "", None

    def _page_for(self, purpose: str, now: float) -> WatchedPage | None:
        def ready(site: str, host: str) -> bool:
            return self.hosts.is_ready(host, now) and self._may_lead(site, host)

        if purpose == "recheck":
            return self.pages.next_recheck(now, ready)
        if purpose == "backlog":
            return self.pages.next_new(ready, old=True)
        flooding = self.pages.flooding
        return self.pages.next_new(ready, among=lambda site: (site in flooding) == (purpose == "flood"))

    def _may_lead(self, site: str, host: str) -> bool:
        """Whether a page that this site named may be fetched there: another watched site keeps half of its hosts' requests."""
        owner = registered_domain(host)
        return owner == site or owner not in self.sources.sites or self.hosts.is_half_free(host)
