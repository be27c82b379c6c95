"""Turns listings into pages to fetch: new items, and items with a changed stamp."""

import math
from dataclasses import dataclass

from crawler.links.scope import registered_domain
from crawler.watching.answers import Listed, Listing
from crawler.watching.issues import day_of, day_of_list
from crawler.watching.pages import NOT_FETCHED, Pages, WatchedPage
from crawler.watching.sites import WatchedSite, WatchSource, item_key, number_in
from extractors.links.urls import host_of


@dataclass(frozen=True, slots=True)
class ListingIntake:
    """Queues items of listings into `pages`."""

    pages: Pages

    def ingest(self, site: WatchedSite, source: WatchSource, listing: Listing, now: float, *, first: bool) -> int:
        """Queue new and changed items; returns their number."""
        if source.grows is None and listing.items:
            source.grows = any(item.grows for item in listing.items)
        found = 0
        if first:
            site.began = site.began or day_of(now)
        for item in listing.items:
            key = item_key(item.url)
            known = site.listed_items.get(key)
            if known is None:
                is_new = not site.is_old(item.url) and (not first or self._is_younger(site, source, item))
                found += self._add_item(site, source, item, key, now, is_new=is_new)
            elif item.stamp and self._has_changed(known.stamps, item.stamp):
                found += self._ask_changed(source, item, known.last_page, now)
                known.last_page = max([known.last_page, *item.pages])
            if item.stamp and (known := site.listed_items.get(key)) is not None:
                known.stamps[item.stamp[0]] = item.stamp
        if first:
            site.learn_order([item.url for item in listing.items])
        source.items_first_seen_here += found
        if found:
            site.note_find(source.url)
        return found

    def _is_younger(self, site: WatchedSite, source: WatchSource, item: Listed) -> bool:
        """For the first visit of a source: whether the item has appeared since the watch of its site began."""
        if site.began and (day_of_list(item.url) or day_of_list(source.url)) > site.began:
            return True
        return bool(site.ordered) and site.highest_of(item.url) > 0 and not item.grows and not site.is_old(item.url)

    def _has_changed(self, stamps: dict[str, str], stamp: str) -> bool:
        known = stamps.get(stamp[0])
        return known is not None and known != stamp

    def _add_item(
        self, site: WatchedSite, source: WatchSource, item: Listed, key: int, now: float, *, is_new: bool
    ) -> int:
        page = self.pages.known.get(item.url)
        if page is not None and page.state != "failed":
            return self._add_known(site, source, item, key, page, now, is_new=is_new)
        if is_new and not self.pages.has_room(site.name):
            return 0
        known = site.add_item(key, now if is_new else -math.inf)
        known.last_page = max([1, *item.pages])
        if item.grows and not is_new:
            return 0
        address = item.pages[known.last_page] if known.last_page > 1 else item.url
        surely = is_new and bool(site.ordered) and number_in(item.url) > site.highest_of(item.url) > 0
        is_seen_come = (surely or (is_new and not item.grows)) and not day_of_list(source.url)
        after = source.visited_before if is_seen_come else 0.0
        self._add_page(source, address, now, item, old=not is_new, after=after, surely_new=surely)
        return int(is_new)

    def _add_known(
        self,
        site: WatchedSite,
        source: WatchSource,
        item: Listed,
        key: int,
        page: WatchedPage,
        now: float,
        *,
        is_new: bool,
    ) -> int:
        """Note an item that another site's source has shown before, for example a list of popular items."""
        is_own = page.state in NOT_FETCHED and page.site != site.name == registered_domain(page.host)
        site.add_item(key, now if is_own and is_new else -math.inf).last_page = max([1, *item.pages])
        if is_own:
            self.pages.name_again(page, source.url, old=not is_new)
        return int(is_own and is_new)

    def _ask_changed(self, source: WatchSource, item: Listed, last_page: int, now: float) -> int:
        """Queue a changed item: the last page of a thread and the previously last one, or the article."""
        if not item.grows:
            page = self.pages.known.get(item.url)
            if page is not None and page.state == "known":
                self.pages.ask_again(page, now)
            return 0
        last = max([1, *item.pages])
        for number in sorted({last_page, last}):
            address = item.url if number == 1 else item.pages.get(number, "")
            if address:
                self._add_page(source, address, now, item)
        return 1

    def _add_page(
        self,
        source: WatchSource,
        url: str,
        now: float,
        item: Listed,
        *,
        old: bool = False,
        after: float = 0.0,
        surely_new: bool = False,
    ) -> None:
        known = self.pages.known.get(url)
        if known is not None:
            if known.state in ("known", "failed"):
                self.pages.ask_again(known, now)
            return
        is_own = url.startswith((f"http://{source.host}/", f"https://{source.host}/"))
        host = source.host if is_own else host_of(url)
        page = WatchedPage(url, host, source.url, now, due=now, rechecked=not item.grows and not old)
        page.said, page.title = (item.said, item.title) if url == item.url else ("", "")
        page.shown_after, page.surely_new = after, surely_new
        self.pages.add(page, old=old)
