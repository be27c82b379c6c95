"""Writes of a watch's state; rows refused by the store count as changed again."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from crawler.clock import crawl_time
from crawler.watching.pages import Pages
from crawler.watching.rows import WatchRows
from pipelines.items import PageItem
from pipelines.stores.base import Row, Store, StoreError, Table

logger = logging.getLogger(__name__)


@dataclass(slots=True, weakref_slot=True)
class Writes:
    """The writes under way."""

    rows: WatchRows
    pages: Pages
    _under_way: list[tuple["Future[None]", Sequence[tuple[Table, Row]]]] = field(default_factory=list)

    def begin(self, store: Store, rows: Sequence[tuple[Table, Row]]) -> None:
        """Start writing these rows, without blocking."""
        self._under_way.append((store.write(rows), rows))

    def page_begins(self, item: PageItem, url: str) -> None:
        """Note that the page at this address was passed to the pipelines."""
        self.pages.storing[item.requested_url] = url

    def page_ends(self, item: object) -> bool:
        """Note that an item is durable or was dropped; True for a page, whose row may then have the state known."""
        return isinstance(item, PageItem) and self.pages.storing.pop(item.requested_url, "") != ""

    def refused(self, item: Any) -> None:
        """Note that a pipeline or the store refused an item; the frontier retries the request, and may give up."""
        if not isinstance(item, PageItem):
            self.rows.not_stored(item.rows)
            return
        url = self.pages.storing.pop(item.requested_url, item.requested_url)
        if (page := self.pages.known.get(url)) is not None and page.state == "known":
            self.pages.not_stored(page, crawl_time())

    def settle(self) -> None:
        """Collect ended writes; refused rows are written with the next ones.

        Raises:
            Exception: a write failed for a reason other than the store.
        """
        ended = [(future, rows) for future, rows in self._under_way if future.done()]
        self._under_way = [(future, rows) for future, rows in self._under_way if not future.done()]
        for future, rows in ended:
            try:
                future.result()
            except StoreError as error:
                logger.warning("The state of the watch will be stored later: %s", error)
                self.rows.not_stored(rows)
