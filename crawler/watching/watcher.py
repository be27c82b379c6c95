"""A watch in the process that holds its lease: selects visits, processes answers, and stores the state."""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Self

from crawler.clock import crawl_seconds
from crawler.watching.answers import VisitAnswer
from crawler.watching.operator_orders import carry_out_orders
from crawler.watching.rows import WatchRows
from crawler.watching.visits import WatchOptions
from crawler.watching.watch import Watch
from crawler.watching.writes import Writes
from pipelines.stores.base import Condition, Row, Store, StoreAwayError, Table
from pipelines.stores.tables import LET_IN, SITES
from pipelines.stores.watch_tables import WATCH_SOURCES

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
        lists: the addresses of the sources at this moment, with the seconds between two visits at most (0: no bound).
        is_list: whether an address is one of a source, perhaps of an earlier day.
    """

    crawl: str
    starts: tuple[str, ...]
    options: WatchOptions
    widen: Callable[[str], None]
    lists: Callable[[], Mapping[str, float]] = dict
    is_list: Callable[[str], bool] = lambda url: False

    def homes(self, store: Store) -> set[str]:
        """Start pages of the sites to watch."""
        if self.starts or self.lists():
            return {url for url in self.starts if not self.is_list(url)}
        rows = store.select(SITES, [Condition("state", "=", LET_IN)])
        return {row["home"] for row in rows if row["home"]}

    def is_empty(self, store: Store) -> bool:
        """Whether there is nothing to watch."""
        known = store.select(WATCH_SOURCES, [Condition("crawl", "=", self.crawl)], limit=1, columns=("crawl", "key"))
        return not self.homes(store) and not self.lists() and not any(known)


class Watcher:
    """A watch in the process that holds its lease, and the storing of its state.

    Args:
        watch: with the state left by the last holder of the lease. rows: its rows in the store.
        may_visit: whether this process certainly holds the lease; otherwise nothing is visited or stored.

    Attributes:
        writes: of pages and rows under way.
    """

    def __init__(
        self, plan: WatchPlan, store: Store, watch: Watch, rows: WatchRows, may_visit: Callable[[], bool]
    ) -> None:
        self.watch, self._plan, self._store, self._rows, self._may_visit = watch, plan, store, rows, may_visit
        self.writes = Writes(rows, watch.pages)
        self._homes: set[str] = set()
        self._saved_at = 0.0

    @classmethod
    def load(cls, plan: WatchPlan, store: Store, may_visit: Callable[[], bool], now: float) -> Self:
        """Load the stored state. Raises StoreAwayError if it cannot be read at present."""
        watch = Watch(plan.options, may_visit)
        rows = WatchRows(plan.crawl, watch)
        known = rows.load(store, now)
        for source in watch.sources.rows:
            plan.widen(source.url)
        watcher = cls(plan, store, watch, rows, may_visit)
        watcher._join(now)
        logger.info("Watching %d sites; %d sources are known", len(watch.sources.sites), known)
        return watcher

    def changed(self, now: float) -> list[tuple[Table, Row]]:
        """Rows to store; none while the lease may be lost."""
        return self._rows.changed(now) if self._may_visit() else []

    def store_all(self, now: float) -> "Future[None]":
        """Start storing all that was learned; the future raises StoreError if that fails."""
        return self._store.write([self._rows.common(now), *self.changed(now)])

    def item_ends(self, item: Any, now: float) -> None:
        """Note that an item is durable or was dropped, so that the row of its page may have the state known."""
        if self.writes.page_ends(item) and (rows := self.changed(now)):
            self.writes.begin(self._store, rows)

    def keep(self, now: float) -> bool:
        """Periodic work; True once a minute, when the learned state is stored."""
        under_way = self.watch.under_way.values()
        for visit in [visit for visit, sent in under_way if now - sent > crawl_seconds(_LOST_SECONDS)]:
            self.watch.answered(visit, VisitAnswer(0), now)
        self.writes.settle()
        if now - self._saved_at < _SAVE_SECONDS or not self._may_visit():
            return False
        self._saved_at = now
        try:
            carry_out_orders(self._store, self._plan.crawl, self.watch, now)
            self._join(now)
            self.writes.begin(self._store, [self._rows.common(now), *self._rows.changed(now)])
        except StoreAwayError as error:  # retried in a minute: nothing was marked as stored
            logger.warning("The state of the watch will be stored later: %s", error)
        return True

    def _join(self, now: float) -> None:
        """Watch new sites of the plan."""
        for url in sorted(self._plan.homes(self._store) - self._homes):
            self._homes.add(url)
            self._plan.widen(url)
            self.watch.start(url, now)
        lists = self._plan.lists()
        for url, every in lists.items():
            self.watch.start_list(url, every, now)
        for source in [each for each in self.watch.sources.rows if each.kind == "feed" and each.state != "dropped"]:
            if source.url not in lists and source.url not in self._homes and self._plan.is_list(source.url):
                self.watch.sources.drop(source)  # of an earlier day
