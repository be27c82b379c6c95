"""Stores and loads a watch as rows, so that its state survives a kill."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from crawler.watching.hourly_profile import HourlyProfile
from crawler.watching.issues import day_of_list
from crawler.watching.pages import WatchedPage
from crawler.watching.rates import Rate
from crawler.watching.rechecks import RECHECK_AGES
from crawler.watching.silence import missed
from crawler.watching.sites import ListedItem, WatchedSite, WatchSource, item_key
from crawler.watching.validators import Validators
from crawler.watching.visits import WatchVisit
from crawler.watching.watch import Watch
from extractors.links.urls import url_key
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.watch_tables import VERSIONS, WATCH_PAGES, WATCH_SOURCES, WATCHES

_ENDED = ("gone", "failed")


def iso(moment: float) -> str:
    """A moment in the store's format; "" for none."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds") if moment > 0 else ""


class WatchRows:
    """The rows of one watch.

    Args:
        crawl: name of the watch.
    """

    def __init__(self, crawl: str, watch: Watch) -> None:
        self._crawl, self._watch = crawl, watch

    def changed(self, now: float) -> list[tuple[Table, Row]]:
        """The rows changed since the last call."""
        known = self._watch.sources
        changed, known.changed = known.changed, {}
        # pages first: a stored source must not refer to an item whose page is not stored
        rows: list[tuple[Table, Row]] = [
            (WATCH_PAGES, self._of_page(page)) for page in self._watch.pages.take_changed()
        ]
        return rows + [(WATCH_SOURCES, self._of_source(source)) for source in changed.values()]

    def not_stored(self, rows: Sequence[tuple[Table, Row]]) -> None:
        """Mark rows refused by the store as changed again."""
        for table, row in rows:
            if table is WATCH_PAGES:
                self._watch.pages.changed.add(row["url"])
            elif table is WATCH_SOURCES and (source := self._watch.sources.find(row["url"])) is not None:
                self._watch.sources.changed[source.url] = source

    def common(self, now: float) -> tuple[Table, Row]:
        """The row with the state common to all sites."""
        learned = self._watch.sources.hourly_profile.to_row()
        return WATCHES, {"crawl": self._crawl, "hourly_profile": learned, "saved_at": iso(now)}

    def load(self, store: Store, now: float) -> int:
        """Load the state stored by the last holder of the watch; returns the number of sources.

        Moments after `now` were stored before the clock was set back, and count as now.
        """
        mine = [Condition("crawl", "=", self._crawl)]
        self._watch.sources.hourly_profile.restore((store.get(WATCHES, self._crawl) or {}).get("hourly_profile"))
        pairs: list[tuple[WatchedSite, int, list[Any]]] = []
        loaded: list[WatchSource] = []
        for row in store.select(WATCH_SOURCES, mine):
            if row["state"] == "dead" and day_of_list(row["url"]):  # another day's list has taken its place
                continue
            pairs += self._load_source(row, now)
            loaded += filter(None, [self._watch.sources.find(row["url"])])
        for site, number, (by, trials, hits) in pairs:
            site.restore_pair(number, by, trials, hits)
        stored = {self._load_page(row, now) for row in store.select(WATCH_PAGES, mine)}
        for source in loaded:
            self._doubt(source, stored)
        return len(loaded)

    def _doubt(self, source: WatchSource, stored: Collection[int]) -> None:
        """Forget items of a source whose pages are not stored, so that they are new when shown again."""
        items = self._watch.sources.site_of(source.url).listed_items
        shown = [(key, items.get(key)) for key in source.listed]
        lost = {key for key, item in shown if item and item.has_page and key not in stored}
        for key in lost:
            items.pop(key, None)
        source.listed = tuple(key for key in source.listed if key not in lost)
        if lost:
            source.validators.forget()

    def _load_page(self, row: dict[str, Any], now: float) -> int:
        """Returns the key of the item."""
        key, found = item_key(row["url"]), min(row["found"], now)
        for address in {row["url"], row["source"]}:
            self._watch.sources.site_of(address).remember(key, found)
        if row["state"] == "known" and not row["due"]:
            return key
        due = min(row["due"] or 0.0, now + RECHECK_AGES[-1])
        page = WatchedPage(row["url"], row["host"], row["source"], found, row["state"], due)
        page.stage, page.failures = row["stage"], row["failures"]
        page.digest, page.rechecked = row["digest"], bool(row["rechecked"])
        page.said, page.title, page.shown_after = row["said"] or "", row["title"] or "", row["shown_after"] or 0.0
        page.surely_new = bool(row["surely_new"])
        self._watch.pages.restore(page)
        return key

    def _of_page(self, page: WatchedPage) -> Row:
        return {
            "crawl": self._crawl,
            "key": url_key(page.url),
            "url": page.url,
            "host": page.host,
            "source": page.source,
            "state": page.state,
            "digest": page.digest,
            "found": page.found,
            "due": page.due,
            "stage": page.stage,
            "failures": page.failures,
            "rechecked": int(page.rechecked),
            "said": page.said,
            "title": page.title,
            "shown_after": page.shown_after,
            "surely_new": int(page.surely_new),
        } | ({"changed_at": iso(page.changed_at)} if page.changed_at else {})

    def _of_source(self, source: WatchSource) -> Row:
        site = self._watch.sources.site_of(source.url)
        visited = self._watch.sources.queue.visited(source.row) if source.visits else 0.0
        return {
            "crawl": self._crawl,
            "key": url_key(source.url),
            "url": source.url,
            "site": site.name,
            "host": source.host,
            "kind": source.kind,
            "state": source.state,
            "visited_at": iso(visited),
            "last_new_at": iso(source.last_new_at),
            "per_day": source.rate.mean * 86_400,
            "missed": missed(site, source, visited),
            "visits": source.visits,
            "items_first_seen_here": source.items_first_seen_here,
            "depth": source.depth,
            "failures": source.failures,
            "relevance": source.relevance,
            "interval": source.interval,
            "memory": self._memory(site, source),
        }

    def _memory(self, site: WatchedSite, source: WatchSource) -> dict[str, Any]:
        rate, validators = source.rate, source.validators
        items = [(key, site.listed_items.get(key)) for key in source.listed]
        return {
            "rate": [rate.count, rate.seconds, rate.heat, rate.at],
            "validators": [validators.etag, validators.last_modified, validators.whole_at, validators.lied],
            "visited": self._watch.sources.queue.visited(source.row),
            "last_new_at": source.last_new_at,
            "last_new_rate": source.last_new_rate,
            "judged": source.judged,
            "grows": source.grows,
            "listed": [[key, item.since, item.stamps, item.last_page] for key, item in items if item],
            "one_off_visits": [
                [visit.kind, visit.url, visit.level] for visit in self._watch.one_off_visits.of(source.url)
            ],
            "pairs": [[self._address(site, by), *counts] for by, *counts in site.coverage.pairs_of(source.number)],
            "site": [site.ordered, site.highest_old, site.hourly_profile.to_row(), site.began]
            if source.depth == 0
            else None,
            "host": self._watch.hosts.learned(source.host) if source.depth == 0 else None,
        }

    def _address(self, site: WatchedSite, number: int) -> str:
        return next((found.url for found in site.sources.values() if found.number == number), "")

    def _load_source(self, row: dict[str, Any], now: float) -> list[tuple[WatchedSite, int, list[Any]]]:
        """Returns the stored pairs of sources, to be restored once all sources are loaded."""
        known, memory = self._watch.sources, row["memory"] or {}
        site = known.site_of(row["url"])
        visited = memory.get("visited") or 0.0
        source = known.restore(site, row["url"], row["kind"], row["depth"], visited, now)
        source.state, source.visits, source.items_first_seen_here = (
            row["state"],
            row["visits"],
            row["items_first_seen_here"],
        )
        source.failures, source.relevance, source.interval = row["failures"], row["relevance"], row["interval"] or 0.0
        source.last_new_at, source.judged, source.grows = memory["last_new_at"], memory["judged"], memory["grows"]
        source.rate, source.validators = Rate(*memory["rate"]), Validators(*memory["validators"])
        source.rate.at, source.last_new_at = min(source.rate.at, now), min(source.last_new_at, now)
        source.last_new_rate = memory.get("last_new_rate") or source.rate.mean
        for key, since, stamps, last_page in memory["listed"]:
            site.listed_items.setdefault(key, ListedItem(min(since, now), stamps, last_page))
        source.listed = tuple(entry[0] for entry in memory["listed"])
        if memory["site"]:
            site.ordered, highest, profile, *began = memory["site"]
            site.highest_old = highest if isinstance(highest, dict) else {}
            site.began = began[0] if began else ""
            site.hourly_profile = HourlyProfile.from_row(profile, known.hourly_profile)
        if memory.get("host"):
            self._watch.hosts.restore(source.host, memory["host"], now)
        for kind, url, level in memory.get("one_off_visits", ()):
            self._watch.one_off_visits.add(
                WatchVisit(kind, url, source.host, source.url, level=level, grows=source.grows)
            )
        known.refresh(site, source, now)
        return [(site, source.number, pair) for pair in memory["pairs"]]


def version_row(known: dict[str, Any], item: PageItem) -> tuple[Table, Row]:
    """The row of the text that a correction replaces."""
    names = ("url", "title", "body", "content_hash", "fetched_at")
    replaced = item.page.fetched_at.isoformat(timespec="seconds")
    return VERSIONS, {"page": known["key"], "replaced_at": replaced} | {name: known[name] for name in names}
