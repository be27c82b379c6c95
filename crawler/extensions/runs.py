"""A row for each run: what was asked for, when, and what came of it."""

import logging
import uuid
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from twisted.internet.task import LoopingCall

from crawler.endings import Ending
from crawler.extensions.progress import Tally
from crawler.services import services_of
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import RUNS

logger = logging.getLogger(__name__)
_SECONDS = 60.0
"""Between two notes that the run is alive."""


class Runs:
    """Writes the row when the run begins and again when it ends."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._key = uuid.uuid4().hex
        self._row: dict[str, Any] = {"key": self._key}
        self._tally = Tally.of(crawler)
        self._answers, self._moved_at = 0, ""
        self._timer = LoopingCall(self._note)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        runs = cls(crawler)
        crawler.signals.connect(runs._opened, signal=signals.spider_opened)
        crawler.signals.connect(runs._ended, signal=signals.spider_closed)
        return runs

    def _opened(self, spider: Spider) -> None:
        arguments = getattr(spider, "arguments", None)
        given = {name: getattr(arguments, name) for name in getattr(arguments, "__slots__", ())}
        job = getattr(spider, "job", "")
        self._row = {"key": self._key, "spider": spider.name, "job": job, "started": now(), "arguments": given}
        if (store := services_of(self._crawler).store) is not None:
            store.upsert(RUNS, [self._row])
            self._timer.start(_SECONDS)

    def _note(self) -> None:
        """Say that the run is alive, and when it had its last answer: alerts are about runs that are not, or have none."""
        if self._answers != self._tally.answers or not self._moved_at:
            self._answers, self._moved_at = self._tally.answers, now()
        store = services_of(self._crawler).store
        if store is not None and not store.away:
            store.upsert(RUNS, [{"key": self._key, "seen": now(), "moved_at": self._moved_at}])

    def _ended(self, spider: Spider, reason: str) -> None:
        """Pipelines, and the store with them, are closed before this signal: the row goes in by a store of its own."""
        if self._timer.running:
            self._timer.stop()
        dead = self._crawler.stats.get_value("frontier/dead", 0) if self._crawler.stats else 0
        counts = {"pages": self._tally.pages, "articles": self._tally.articles, "errors": self._tally.errors + dead}
        write_ending(self._crawler.settings, self._row | counts, services_of(self._crawler).end(reason))


def write_ending(settings: BaseSettings, row: dict[str, Any], ending: Ending) -> None:
    """The row of a run that has ended; a line in the log if it cannot be written."""
    said = {"finished": now(), "reason": ending.reason, "exit_code": int(ending.code), "sentence": ending.sentence}
    try:
        store = open_store(store_address(settings))
        store.upsert(RUNS, [row | said])
        store.close()
    except StoreError as error:
        logger.warning("The end of this run is not in the table of runs: %s", error)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
