"""A watch as rows of the store, and back: what was learned survives a kill."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from crawler.watching.pages import WatchedPage
from crawler.watching.rates import Rate
from crawler.watching.rhythm import Rhythm
from crawler.watching.sites import Site, Source, Thing, thing_key
from crawler.watching.validators import Validators
from crawler.watching.visits import Visit
from crawler.watching.watch import Watch
from extractors.links.urls import url_key
from pipelines.stores.base import Condition, Row, Store, Table
from pipelines.stores.tables import WATCH_PAGES, WATCH_SOURCES, WATCHES

_ENDED = ("gone", "failed")


def to_meta(visit: Visit) -> dict[str, Any]:
    """Plain values for `request.meta`."""
    return {"kind": visit.kind, "source": visit.source, "level": visit.level, "grows": visit.grows}


def from_meta(url: str, host: str, row: dict[str, Any]) -> Visit:
    """From what `to_meta` gave."""
    return Visit(row["kind"], url, host, row["source"], {}, row["level"], row["grows"])


def iso(moment: float) -> str:
    """A moment as the store has it; "" for none."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds") if moment > 0 else ""


class WatchRows:
    """The rows of one watch.

    Args:
        crawl: its name.
    """

    def __init__(self, crawl: str, watch: Watch) -> None:
        self._crawl, self._watch = crawl, watch

    def changed(self, now: float) -> list[tuple[Table, Row]]:
        """What has changed since the last call."""
        known = self._watch.sources
        changed, known.changed = known.changed, set()
        sources = (known.find(url) for url in changed)
        rows: list[tuple[Table, Row]] = [(WATCH_SOURCES, self._of_source(found)) for found in sources if found]
        rows += [(WATCH_PAGES, self._of_page(page)) for page in self._watch.pages.take_changed()]
        return rows

    def common(self, now: float) -> tuple[Table, Row]:
        """What was learned of all sites together."""
        return WATCHES, {"crawl": self._crawl, "rhythm": self._watch.sources.rhythm.to_row(), "saved_at": iso(now)}

    def load(self, store: Store, now: float) -> int:
        """Go on with what an earlier run has stored; returns the number of sources."""
        mine = [Condition("crawl", "=", self._crawl)]
        if (row := store.get(WATCHES, self._crawl)) is not None:
            self._watch.sources.rhythm = Rhythm.from_row(row["rhythm"])
        count = 0
        for row in store.select(WATCH_SOURCES, mine):
            self._load_source(row, now)
            count += 1
        for page in self._pages(store, mine):
            self._watch.pages.restore(page)
            key, things = thing_key(page.url), self._watch.sources.site_of(page.url).things
            things.setdefault(key, Thing(page.found))
        return count

    def _pages(self, store: Store, mine: list[Condition]) -> Iterator[WatchedPage]:
        for row in store.select(WATCH_PAGES, mine):
            if row["state"] == "known" and not row["due"]:
                continue
            yield WatchedPage(
                row["url"],
                row["host"],
                row["source"],
                row["found"],
                row["state"],
                row["due"] or 0.0,
                row["stage"],
                row["failures"],
                row["digest"],
                bool(row["rechecked"]),
            )

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
        } | ({"changed_at": iso(page.changed_at)} if page.changed_at else {})

    def _of_source(self, source: Source) -> Row:
        site = self._watch.sources.site_of(source.url)
        return {
            "crawl": self._crawl,
            "key": url_key(source.url),
            "url": source.url,
            "site": site.name,
            "host": source.host,
            "kind": source.kind,
            "state": source.state,
            "visited_at": iso(self._watch.sources.waits.visited(source.row)) if source.visits else "",
            "told_at": iso(source.told_at),
            "per_day": source.rate.mean * 86_400,
            "visits": source.visits,
            "first_told": source.first_told,
            "depth": source.depth,
            "failures": source.failures,
            "relevance": source.relevance,
            "interval": source.interval,
            "memory": self._memory(site, source),
        }

    def _memory(self, site: Site, source: Source) -> dict[str, Any]:
        rate, validators = source.rate, source.validators
        things = [(key, site.things.get(key)) for key in source.listed]
        return {
            "rate": [rate.count, rate.seconds, rate.heat, rate.at],
            "validators": [validators.etag, validators.last_modified, validators.whole_at, validators.lied],
            "visited": self._watch.sources.waits.visited(source.row),
            "told": source.told_at,
            "judged": source.judged,
            "grows": source.grows,
            "listed": [[key, thing.since, thing.stamps, thing.last_page] for key, thing in things if thing],
            "pairs": [[self._address(site, by), *counts] for by, *counts in site.coverage.pairs_of(source.number)],
            "site": [site.ordered, site.highest_old, site.rhythm.to_row()] if source.depth == 0 else None,
        }

    def _address(self, site: Site, number: int) -> str:
        return next((found.url for found in site.sources.values() if found.number == number), "")

    def _load_source(self, row: dict[str, Any], now: float) -> None:
        known, memory = self._watch.sources, row["memory"] or {}
        site = known.site_of(row["url"])
        visited = memory.get("visited") or 0.0
        source = known.restore(site, row["url"], row["kind"], row["depth"], visited, now)
        source.state, source.visits, source.first_told = row["state"], row["visits"], row["first_told"]
        source.failures, source.relevance, source.interval = row["failures"], row["relevance"], row["interval"] or 0.0
        source.told_at, source.judged, source.grows = memory["told"], memory["judged"], memory["grows"]
        source.rate, source.validators = Rate(*memory["rate"]), Validators(*memory["validators"])
        for key, since, stamps, last_page in memory["listed"]:
            site.things.setdefault(key, Thing(since, stamps, last_page))
        source.listed = tuple(entry[0] for entry in memory["listed"])
        if memory["site"]:
            site.ordered, site.highest_old, rhythm = memory["site"]
            site.rhythm = Rhythm.from_row(rhythm, known.rhythm)
        for by, trials, hits in memory["pairs"]:
            site.restore_pair(source.number, by, trials, hits)
        known.refresh(site, source, now)
