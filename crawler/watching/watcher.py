"""A watch in the process that holds its lease: what to visit, what an answer changes, and what of it is stored."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from crawler.clock import crawl_seconds
from crawler.metasearch.site_proposals import LET_IN
from crawler.watching.answers import VisitAnswer
from crawler.watching.operator_orders import carry_out_orders
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Outcome, Watch
from crawler.watching.writes import Writes
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Row, Store, StoreAwayError, Table
from pipelines.stores.tables import SITES, WATCH_SOURCES

logger = logging.getLogger(__name__)
_LOST_SECONDS = 600.0
"""Of the process, after which a visit without any answer counts as failed."""
_SAVE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """What a watch is started with.

    Attributes:
        crawl: its name.
        starts: start pages of the sites; without any, every site is watched that is let in.
        options: limits and words.
        widen: called with the address of each site that is watched.
        may_visit: whether this process surely holds the lease; while it does not, nothing is visited and nothing stored.
    """

    crawl: str
    starts: tuple[str, ...]
    options: WatchOptions
    widen: Callable[[str], None]
    may_visit: Callable[[], bool]

    def homes(self, store: Store) -> set[str]:
        """Start pages of the sites that are to be watched."""
        if self.starts:
            return set(self.starts)
        rows = store.select(SITES, [Condition("state", "=", LET_IN)])
        return {row["home"] for row in rows if row["home"]}

    def is_empty(self, store: Store) -> bool:
        """Whether there is nothing to watch."""
        known = store.select(WATCH_SOURCES, [Condition("crawl", "=", self.crawl)], limit=1, columns=("crawl", "key"))
        return not self.homes(store) and not any(known)


class Watcher:
    """From the moment at which the lease is gained until it is lost.

    Args:
        watch: as the last holder of the lease has left it; rows: its rows in the store.
    """

    def __init__(self, plan: WatchPlan, store: Store, watch: Watch, rows: WatchRows) -> None:
        self.watch, self._plan, self._store, self._rows = watch, plan, store, rows
        self._writes = Writes(rows, watch.pages)
        self._under_way: dict[str, tuple[WatchVisit, float]] = {}
        self._homes: set[str] = set()
        self._saved_at = 0.0

    @classmethod
    def load(cls, plan: WatchPlan, store: Store, now: float) -> Self:
        """Go on with what is stored; StoreAwayError if it cannot be read now."""
        watch = Watch(plan.options)
        rows = WatchRows(plan.crawl, watch)
        known = rows.load(store, now)
        for source in watch.sources.rows:
            plan.widen(source.url)
        watcher = cls(plan, store, watch, rows)
        watcher._join(now)
        logger.info("Watching %d sites; %d sources are known", len(watch.sources.sites), known)
        return watcher

    def next(self, now: float) -> WatchVisit | None:
        """The visit that is worth most now; None while there is none, no budget for it, or the lease may be another's."""
        visit = self.watch.next(now) if self._plan.may_visit() else None
        if visit is not None:
            self._under_way[visit.url] = visit, now
        return visit

    def answered(self, visit: WatchVisit, answer: VisitAnswer, now: float) -> Outcome:
        """See `Watch.answered`."""
        self._under_way.pop(visit.url, None)
        return self.watch.answered(visit, answer, now)

    def changed(self, now: float) -> list[tuple[Table, Row]]:
        """Rows that are to be stored; they wait while the lease may be another's."""
        return self._rows.changed(now) if self._plan.may_visit() else []

    def page_begins(self, item: PageItem, url: str) -> None:
        """See `Writes.page_begins`."""
        self._writes.page_begins(item, url)

    def item_ends(self, item: Any, now: float) -> None:
        """An item is durable, or was dropped; the row of a page may say now that it is known."""
        if self._writes.page_ends(item) and (rows := self.changed(now)):
            self._writes.begin(self._store, rows)

    def item_refused(self, item: Any) -> None:
        """See `Writes.refused`."""
        self._writes.refused(item)

    def keep(self, now: float) -> bool:
        """What no answer does; True once a minute, when all that was learned is stored."""
        lost = [visit for visit, sent in self._under_way.values() if now - sent > crawl_seconds(_LOST_SECONDS)]
        for visit in lost:
            self.answered(visit, VisitAnswer(0), now)
        self._writes.settle()
        if now - self._saved_at < _SAVE_SECONDS or not self._plan.may_visit():
            return False
        self._saved_at = now
        try:
            carry_out_orders(self._store, self._plan.crawl, self.watch, now)
            self._join(now)
            self._writes.begin(self._store, [self._rows.common(now), *self._rows.changed(now)])
        except StoreAwayError as error:  # the next minute has it all: nothing was marked as stored
            logger.warning("What the watch has learned is stored later: %s", error)
        return True

    def _join(self, now: float) -> None:
        """Watch the sites that are new to the plan."""
        for url in sorted(self._plan.homes(self._store) - self._homes):
            self._homes.add(url)
            self._plan.widen(url)
            self.watch.start(url, now)
