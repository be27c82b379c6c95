"""Compares every title with all earlier ones: each page gets its place in a story, and no page is dropped."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self
from weakref import WeakValueDictionary

from scrapy.crawler import Crawler

from pipelines.items import Item, PageItem, RowsItem
from pipelines.storage import required_store, store_of
from pipelines.stores.base import MutableRow
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.decider import MAX_GROUP_TITLES
from pipelines.titles.holder import TitleHolder
from pipelines.titles.redis_requests import RedisAsker, open_asker
from pipelines.titles.title_requests import TitleRequest, request_of, undecided_row

_GATHER_SECONDS = 0.05
"""Time in which titles are gathered into one group, like rows in the store."""
_ANSWER_SECONDS = 3.0
_RETRY_SECONDS = 5.0
"""After a group without an answer, pages are stored without a verdict for this time, and do not wait."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _PendingTitle:
    """A title to decide on, and the future of the row to store with its page: None if its verdict is already stored."""

    request: TitleRequest
    answer: asyncio.Future[MutableRow | None]


class TitlesPipeline:
    """Requests a decision on the title of each page that is not a list. The page is stored with its verdict, or without one if no process
    can decide now."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._waiting = deque[_PendingTitle]()
        self._deciding: asyncio.Task[None] | None = None
        self._counting = crawler.settings.getbool("DISCUSSION_ENABLED", True)
        self._thread = ThreadPoolExecutor(1, "titles")  # only one call runs at a time
        self._holder: TitleHolder | None = None
        self._asker: RedisAsker | None = None
        self._silent_until = 0.0
        self._pending: dict[str, asyncio.Future[MutableRow | None]] = {}
        self._turns = WeakValueDictionary[str, asyncio.Lock]()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def open_spider(self) -> None:
        """A coroutine, since it needs the store, which a later pipeline opens."""
        store = store_of(self._crawler)
        if store is None:
            return
        self._asker = open_asker(self._crawler.settings, store)
        self._holder = TitleHolder(self._crawler.settings, store)
        self._holder.start()

    def close_spider(self) -> None:
        self._thread.shutdown()
        if self._holder is not None:
            self._holder.close()
        if self._asker is not None:
            self._asker.close()

    async def process_item(self, item: Item) -> Item:
        """Decide in a thread, or ask the process that decides."""
        if isinstance(item, RowsItem):
            await self._wait_for_first_pages(item)
        if self._holder is None or not isinstance(item, PageItem) or not item.relevant or item.part_of:
            return item
        page = item.page
        if page.kind.is_list or not page.article.title.strip():
            return item
        try:
            row = await self._decided(request_of(item, count_records=self._counting))
            item.rows.extend([(PROPAGATION, row)] if row is not None else ())
        except Exception as error:
            item.page.failed("titles", error)
        return item

    async def _wait_for_first_pages(self, item: RowsItem) -> None:
        """The text of all parts of an article must be stored after the row of its first page, which may still wait for its verdict,
        and after the text of fewer parts."""
        async with contextlib.AsyncExitStack() as turns:
            for key in sorted({row["key"] for table, row in item.rows if table is PAGES}):
                await turns.enter_async_context(self._turns.setdefault(key, asyncio.Lock()))
                if key in self._pending:
                    await asyncio.wait([self._pending[key]])

    async def _decided(self, request: TitleRequest) -> MutableRow | None:
        asked = _PendingTitle(request, asyncio.get_running_loop().create_future())
        self._waiting.append(asked)
        self._pending[request.page] = asked.answer
        if self._deciding is None or self._deciding.done():
            self._deciding = asyncio.create_task(self._decide_waiting())
        try:
            return await asked.answer
        finally:
            if self._pending.get(request.page) is asked.answer:
                del self._pending[request.page]

    async def _decide_waiting(self) -> None:
        """Decide the gathered titles together: they share a commit and one call of the thread."""
        while self._waiting:
            await asyncio.sleep(_GATHER_SECONDS)
            group = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_GROUP_TITLES))]
            requests, error = [asked.request for asked in group], None
            try:
                rows = await asyncio.get_running_loop().run_in_executor(self._thread, self._rows, requests)
            except Exception as failure:
                rows, error = [None] * len(group), failure
            for asked, row in zip(group, rows, strict=True):
                _reply(asked.answer, row, error)

    def _rows(self, requests: Sequence[TitleRequest]) -> list[MutableRow | None]:
        """The row to store with each page."""
        verdicts = self._verdicts(requests)
        store = required_store(self._crawler)
        rows = [None if request.page in verdicts else undecided_row(store, request) for request in requests]
        if count := sum(row is not None for row in rows):
            self._note_undecided(count)
        return rows

    def _verdicts(self, requests: Sequence[TitleRequest]) -> dict[str, str]:
        if self._holder is None:
            return {}
        patience = _ANSWER_SECONDS if time.monotonic() >= self._silent_until else 0.0
        verdicts = self._holder.decide(requests, patience)
        if not verdicts and self._asker is not None and patience:
            verdicts = self._asker.ask(requests, patience)
        if not verdicts:
            self._silent_until = time.monotonic() + _RETRY_SECONDS
        return verdicts

    def _note_undecided(self, count: int) -> None:
        stats = self._crawler.stats
        if stats is None:
            return
        if not stats.get_value("titles/undecided"):
            _logger.warning(
                "No process is deciding titles: pages are stored as undecided, and decided later. "
                "(The number of pages is titles/undecided in the statistics.)"
            )
        stats.inc_value("titles/undecided", count)


def _reply(waiting: asyncio.Future[MutableRow | None], row: MutableRow | None, error: Exception | None) -> None:
    if waiting.done():  # cancelled by the crawl
        return
    if error is not None:
        waiting.set_exception(error)
    else:
        waiting.set_result(row)
