"""The core of a watch: selects visits and processes their answers. It has no network and no clock."""

from collections import deque
from collections.abc import Callable
from typing import Literal

from crawler.watching.answers import Listing, VisitAnswer
from crawler.watching.budget import Budget
from crawler.watching.choosing import VisitChoice
from crawler.watching.hosts import Hosts
from crawler.watching.indexes import see_index
from crawler.watching.issues import day_of_list, has_newer, next_issue
from crawler.watching.listing_intake import ListingIntake
from crawler.watching.new_sources import add_guessed, add_linked, add_searches
from crawler.watching.one_off_visits import OneOffVisits
from crawler.watching.pages import NOT_FETCHED, Pages, WatchedPage
from crawler.watching.sites import WatchedSite, WatchSource, item_key
from crawler.watching.sources import UNSEEN_START, Sources
from crawler.watching.visits import PAGE_KINDS, NewPageDelays, WatchOptions, WatchVisit
from extractors.links.urls import host_of

_MIN_ITEMS = 3
_LATE_SECONDS = 1_200.0
"""A source may lag this far behind others and still count as showing the same items."""
_FULL, _MIN_FULL = 0.9, 5
"""Share of new items in a list above which more may have scrolled off; minimum length of such a list."""
_MAX_FURTHER_PAGES = 4
_NEW_PAGES_SHARE, _FLOOD_SHARE = 0.6, 0.1
"""Shares of the requests for new pages while lists are worth visits: of all sites, and of those that name too many."""
_TRANSIENT = frozenset((0, 408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524))
_GONE = frozenset((404, 410))


Outcome = Literal["new", "changed", "same", "gone", ""]


class Watch:
    """All sites of a watch.

    Args:
        may_visit: whether this process may visit at present, see `LeaseKeeper`.

    Attributes:
        found: (time of fetch, seconds since the announcement) of the last thousand new pages. finds: sums by site.
        requests: number of visits so far. under_way: unanswered visits by address, with the time of their choice.
    """

    def __init__(self, options: WatchOptions, may_visit: Callable[[], bool] = lambda: True) -> None:
        self.options, self._may_visit = options, may_visit
        shares = {"page": _NEW_PAGES_SHARE, "flood": _FLOOD_SHARE}
        self.budget = Budget(options.per_hour, shares | {"recheck": options.rechecks, "backlog": options.backlog})
        self.hosts = Hosts(options.per_host, options.most_per_host)
        self.sources = Sources(self.hosts)
        self.pages = Pages(self.sources.worth)
        self._intake = ListingIntake(self.pages)
        self.one_off_visits = OneOffVisits()
        self._choice = VisitChoice(self.budget, self.hosts, self.sources, self.pages, self.one_off_visits, options.gap)
        self.found: deque[tuple[float, float]] = deque(maxlen=1_000)
        self.finds: dict[str, NewPageDelays] = {}
        self.requests = 0
        self.under_way: dict[str, tuple[WatchVisit, float]] = {}

    # -- sites ---------------------------------------------------------------------------------------------------------

    def start(self, url: str, now: float) -> None:
        """Watch the site of this page."""
        site = self.sources.site_of(url)
        if url in site.sources or has_newer(site, url):
            return
        self.sources.add(site, url, "list", now, UNSEEN_START, 0)
        root = "/".join(url.split("/")[:3])
        self.one_off_visits.add(WatchVisit("robots", f"{root}/robots.txt", host_of(url), url))

    def start_list(self, url: str, every: float, now: float) -> None:
        """Watch one list, and nothing else of its site, at least every `every` seconds (0: as the scheduler decides)."""
        site = self.sources.site_of(url)
        if (known := site.sources.get(url)) is None:
            known = self.sources.add(site, url, "feed", now, UNSEEN_START, 0)
        if known.interval != every and (every or not known.visits):
            self.sources.pin(known, every)

    def is_unreadable(self) -> bool:
        """Whether there is nothing to visit but start pages that cannot be read."""
        states = {source.state for source in self.sources.rows}
        return "unreadable" in states and states <= {"unreadable", "dead"} and not (self.pages.known or self.under_way)

    # -- selection of visits -------------------------------------------------------------------------------------------

    def next(self, now: float) -> WatchVisit | None:
        """The most valuable visit at present; None if there is none or no budget, or while the lease may be lost."""
        if not self._may_visit():
            return None
        self.budget.flow(now)
        if not self.budget.has():
            return None
        self.sources.advance(now)
        visit = self._choice.next(now)
        if visit is not None:
            self.hosts.send(visit.host, now)
            self.requests += 1
            self.under_way[visit.url] = visit, now
        return visit

    # -- answers -------------------------------------------------------------------------------------------------------

    def answered(self, visit: WatchVisit, answer: VisitAnswer, now: float) -> Outcome:
        """Process an answer; returns its meaning for a page, "" for other visits and failures."""
        self.under_way.pop(visit.url, None)
        fails = self._note_host(visit, answer, now)
        if visit.kind in PAGE_KINDS:
            return self._see_page(visit, answer, now, fails)
        source = self.sources.find(visit.source)
        if source is None:
            return ""
        if visit.kind in ("robots", "more"):
            self._see_one_off(visit, source, answer, now, fails)
        else:
            self._see_source(source, answer, now, fails)
        return ""

    def _note_host(self, visit: WatchVisit, answer: VisitAnswer, now: float) -> bool:
        """Note the answer for the host; True if the host has failed instead of the page."""
        if answer.status == 429 or (answer.status == 503 and answer.retry_after):
            self.hosts.refused(visit.host, now, answer.retry_after)
            return True
        if answer.status in _TRANSIENT and not answer.refused:
            self.hosts.failed(visit.host, now)
            return True
        self.hosts.answered(visit.host, now)
        return False

    def _see_one_off(
        self, visit: WatchVisit, source: WatchSource, answer: VisitAnswer, now: float, fails: bool
    ) -> None:
        if fails:
            self.one_off_visits.add(visit)
            return
        self.one_off_visits.done(visit)
        self.sources.changed[source.url] = source
        if answer.listing is None:
            return
        if visit.kind == "robots":
            add_linked(self.sources, source, answer.listing.candidates, now)
        else:
            self._see_more(visit, source, answer.listing, now)

    def _see_more(self, visit: WatchVisit, source: WatchSource, listing: Listing, now: float) -> None:
        site = self.sources.site_of(source.url)
        if visit.url == next_issue(source.url, now):
            if any(item_key(item.url) not in site.listed_items for item in listing.items[_MIN_ITEMS - 1 :]):
                self.sources.move(site, source, visit.url, now)
            return
        found = self._intake.ingest(site, source, listing, now, first=False)
        if found >= _FULL * len(listing.items) and visit.level < _MAX_FURTHER_PAGES:
            self._go_on(source, listing, visit.level + 1)

    def _go_on(self, source: WatchSource, listing: Listing, level: int) -> None:
        """Visit the next page of a list from which items may have scrolled off."""
        if listing.next_page:
            self.one_off_visits.add(
                WatchVisit("more", listing.next_page, source.host, source.url, level=level, grows=source.grows)
            )

    def _see_source(self, source: WatchSource, answer: VisitAnswer, now: float, fails: bool) -> None:
        self.sources.changed[source.url] = source
        if source.state == "dropped":
            return
        if answer.unreadable:
            self.sources.misread(source, now)
            return
        if answer.status == 304 and source.state == "watched":
            self._see_listing(source, None, now)
        elif answer.listing is not None and answer.listing.is_index and answer.listing.items:
            see_index(self.sources, self.sources.site_of(source.url), source, answer.listing, now)
        elif answer.listing is not None and (
            source.visits or len(answer.listing.items) >= _MIN_ITEMS or source.depth == 0
        ):
            self._see_listing(source, answer.listing, now, answer.validators)
        elif fails:
            self.sources.sleep(source, now + 60.0)
            return
        else:
            self.sources.fade(source, now)
            return
        source.failures = 0
        if answer.kept_for > self.options.gap:
            self.sources.sleep(source, now + answer.kept_for)
        else:
            self.sources.queue.set_idle(source.row, True)

    def _see_listing(
        self, source: WatchSource, listing: Listing | None, now: float, validators: tuple[str, str] = ("", "")
    ) -> None:
        """Process a listing, None if unchanged."""
        site, first = self.sources.site_of(source.url), source.visits == 0
        before, first_seen, listed = (
            self.sources.queue.visited(source.row),
            source.items_first_seen_here,
            set(source.listed),
        )
        keys, source.visited_before = source.listed, 0.0 if first else before
        if listing is not None:
            keys = tuple([item_key(item.url) for item in listing.items])
            self._intake.ingest(site, source, listing, now, first=first)
            source.validators.see(validators, now, changed=set(keys) != listed and not first)
        came = [] if first else [key for key in keys if key not in listed and _came_since(site, key, before)]
        count = max(len(came), source.items_first_seen_here - first_seen if source.grows else 0)
        if first:
            self.sources.compare(site, source, keys)
            if len(keys) >= _MIN_ITEMS and day_of_list(source.url):
                site.note_find(source.url)
        else:
            self.sources.learn(site, source, before, count, now)
        site.coverage.visit(source.number, now, [key for key in came if key in site.listed_items], set(keys))
        source.see(keys, count)
        self.sources.relieve(site, source, now)
        if listing is not None:
            self._follow(site, source, listing, now, first=first, count=count)
        if source.depth == 0 and (issue := next_issue(source.url, now)):
            self.one_off_visits.add(WatchVisit("more", issue, source.host, source.url, grows=source.grows))

    def _follow(
        self, site: WatchedSite, source: WatchSource, listing: Listing, now: float, *, first: bool, count: int
    ) -> None:
        """Visit further pages of a list, sources that it links to, and guessed feeds of a start page."""
        if not first and len(source.listed) >= _MIN_FULL and count >= _FULL * len(source.listed):
            self._go_on(source, listing, 1)
        if source.depth == 0 or (source.items_first_seen_here and source.depth < 2):
            add_linked(self.sources, source, listing.candidates, now)
        if first and source.depth == 0 and source.kind == "list":
            add_searches(self.sources, site, self.options.words, listing, now)
            add_guessed(self.sources, site, source, now)

    def pushed(self, source: WatchSource, listing: Listing, now: float) -> int:
        """Process a hub's message for a source; returns the number of new items."""
        count = self._intake.ingest(self.sources.site_of(source.url), source, listing, now, first=False)
        if count:
            source.last_new_at, source.last_new_rate = now, source.rate.mean
            self.sources.changed[source.url] = source
        return count

    # -- pages ---------------------------------------------------------------------------------------------------------

    def _see_page(self, visit: WatchVisit, answer: VisitAnswer, now: float, fails: bool) -> Outcome:
        page = self.pages.known.get(visit.url)
        if page is None:
            return ""
        if answer.refused:
            self.pages.gone(page, now)
            page.state = "failed"
            return ""
        if fails or (answer.status >= 400 and answer.status not in _GONE):
            self.pages.failed(page, now, host_fails=fails)
            return ""
        if answer.status == 304:
            self.pages.fetched(page, page.digest, now)
            return "same"
        if answer.status in _GONE or answer.page is None or answer.page.gone:
            if page.state == "waiting":
                self.sources.judge(page.source, 0.0)
            self.pages.gone(page, now)
            return "gone"
        is_new = page.state != "known"
        if is_new:
            self.sources.judge(page.source, answer.page.relevance)
            self._note_delay(page, now)
        changed = self.pages.fetched(page, answer.page.digest, now, grows=answer.page.grows)
        return "new" if is_new else "changed" if changed else "same"

    def _note_delay(self, page: WatchedPage, now: float) -> None:
        """Record the delay from announcement to fetch of a new page."""
        if page.rechecked:
            self.found.append((now, now - page.found))
            finds = self.finds.setdefault(self.sources.site_of(page.url).name, NewPageDelays())
            finds.count, finds.seconds = finds.count + 1, finds.seconds + now - page.found

    def waiting_page(self, url: str) -> WatchedPage | None:
        """The page at this address, if it has not been fetched yet."""
        page = self.pages.known.get(url)
        return page if page is not None and page.state in NOT_FETCHED else None


def _came_since(site: WatchedSite, key: int, before: float) -> bool:
    item = site.listed_items.get(key)
    return item is not None and item.since >= before - _LATE_SECONDS
