"""A watch in the process that holds its lease: selects visits, processes answers, and stores the state."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from crawler.clock import crawl_seconds
from crawler.watching.answers import VisitAnswer
from crawler.watching.operator_orders import carry_out_orders
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions, WatchVisit
from crawler.watching.watch import Outcome, Watch
from crawler.watching.writes import Writes
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Row, Store, StoreAwayError, Table
from pipelines.stores.tables import LET_IN, SITES, WATCH_SOURCES

logger = logging.getLogger(__name__)
_LOST_SECONDS = 600.0
"""Seconds of the process after which an unanswered visit counts as failed."""
_SAVE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """The configuration of a watch.

    Attributes:
        crawl: its name.
        starts: start pages of the sites; if empty, every accepted site is watched.
        options: limits and words.
        widen: called with the address of each watched site.
        may_visit: whether this process certainly holds the lease; otherwise nothing is visited or stored.
    """

    crawl: str
    starts: tuple[str, ...]
    options: WatchOptions
    widen: Callable[[str], None]
    may_visit: Callable[[], bool]

    def homes(self, store: Store) -> set[str]:
        """Start pages of the sites to watch."""
        if self.starts:
            return set(self.starts)
        rows = store.select(SITES, [Condition("state", "=", LET_IN)])
        return {row["home"] for row in rows if row["home"]}

    def is_empty(self, store: Store) -> bool:
        """Whether there is nothing to watch."""
        known = store.select(WATCH_SOURCES, [Condition("crawl", "=", self.crawl)], limit=1, columns=("crawl", "key"))
        return not self.homes(store) and not any(known)


class Watcher:
    """Lives from the acquisition of the lease to its loss.

    Args:
        watch: with the state left by the last holder of the lease. rows: its rows in the store.
    """

    def __init__(self, plan: WatchPlan, store: Store, watch: Watch, rows: WatchRows) -> None:
        self.watch, self._plan, self._store, self._rows = watch, plan, store, rows
        self._writes = Writes(rows, watch.pages)
        self._under_way: dict[str, tuple[WatchVisit, float]] = {}
        self._homes: set[str] = set()
        self._saved_at = 0.0

    @classmethod
    def load(cls, plan: WatchPlan, store: Store, now: float) -> Self:
        """Load the stored state. Raises StoreAwayError if it cannot be read at present."""
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
        """The most valuable visit at present; None if there is none or no budget, or if the lease may be lost."""
        visit = self.watch.next(now) if self._plan.may_visit() else None
        if visit is not None:
            self._under_way[visit.url] = visit, now
        return visit

    def answered(self, visit: WatchVisit, answer: VisitAnswer, now: float) -> Outcome:
        """See `Watch.answered`."""
        self._under_way.pop(visit.url, None)
        return self.watch.answered(visit, answer, now)

    def changed(self, now: float) -> list[tuple[Table, Row]]:
        """Rows to store; none while the lease may be lost."""
        return self._rows.changed(now) if self._plan.may_visit() else []

    def page_begins(self, item: PageItem, url: str) -> None:
        """See `Writes.page_begins`."""
        self._writes.page_begins(item, url)

    def item_ends(self, item: Any, now: float) -> None:
        """Note that an item is durable or was dropped, so that the row of its page may have the state known."""
        if self._writes.page_ends(item) and (rows := self.changed(now)):
            self._writes.begin(self._store, rows)

    def item_refused(self, item: Any) -> None:
        """See `Writes.refused`."""
        self._writes.refused(item)

    def keep(self, now: float) -> bool:
        """Periodic work; True once a minute, when the learned state is stored."""
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
        except StoreAwayError as error:  # retried in a minute: nothing was marked as stored
            logger.warning("The state of the watch will be stored later: %s", error)
        return True

    def _join(self, now: float) -> None:
        """Watch new sites of the plan."""
        for url in sorted(self._plan.homes(self._store) - self._homes):
            self._homes.add(url)
            self._plan.widen(url)
            self.watch.start(url, now)
