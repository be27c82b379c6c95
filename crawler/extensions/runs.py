"""A row for each run: its arguments, time, place and result; with a heartbeat every few seconds."""

import json
import logging
import socket
import uuid
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from twisted.internet.task import LoopingCall

from crawler.clock import crawl_now
from crawler.exit_status import CrawlResult, ExitCode
from crawler.extensions.tally import Tally
from crawler.services import services_of
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import RUNS

logger = logging.getLogger(__name__)
BEAT_SECONDS = 10.0
_NOT_COMPARED = ("guessed",)


class Runs:
    """Writes the row when the run begins, every few seconds, and when it ends."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._key = uuid.uuid4().hex
        self._row: dict[str, Any] = {"key": self._key, "spider": crawler.spidercls.name, "started": now()}
        self._tally = Tally.of(crawler)
        self._answers, self._moved_at = 0, ""
        self._timer = LoopingCall(self._beat)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        runs = cls(crawler)
        crawler.signals.connect(runs._opened, signal=signals.spider_opened)
        crawler.signals.connect(runs._ended, signal=signals.spider_closed)
        return runs

    def _opened(self, spider: Spider) -> None:
        arguments = getattr(spider, "arguments", None)
        given = {name: getattr(arguments, name) for name in getattr(arguments, "__slots__", ())}
        begun = {"spider": spider.name, "job": getattr(spider, "job", ""), "started": now(), "arguments": given}
        self._row = {"key": self._key, **begun, "alike": likeness(spider.name, given), "node": socket.gethostname()}
        if (store := services_of(self._crawler).store) is not None:
            store.upsert(RUNS, [self._row | {"state": "running"}])
            self._timer.start(BEAT_SECONDS)

    def _counts(self) -> dict[str, int]:
        dead = self._crawler.stats.get_value("frontier/dead", 0) if self._crawler.stats else 0
        tally = self._tally
        return tally.counts() | {"articles": tally.articles, "errors": tally.errors + dead}

    def _beat(self) -> None:
        """Update the heartbeat, the counts and the time of the last answer; skipped while the store is unavailable."""
        if self._answers != self._tally.answers or not self._moved_at:
            self._answers, self._moved_at = self._tally.answers, now()
        store = services_of(self._crawler).store
        if store is not None and not store.away:
            store.upsert(RUNS, [{"key": self._key, "seen": now(), "moved_at": self._moved_at, **self._counts()}])

    def _ended(self, spider: Spider, reason: str) -> None:
        """Write the final row through a separate store, since the pipelines' store is closed before this signal."""
        if self._timer.running:
            self._timer.stop()
        write_ending(self._crawler.settings, self._row | self._counts(), services_of(self._crawler).end(reason))


def write_ending(settings: BaseSettings, row: dict[str, Any], ending: CrawlResult) -> None:
    """Write the row of an ended run; logs a warning if that fails."""
    said = {"finished": now(), "reason": ending.reason, "exit_code": int(ending.code), "sentence": ending.sentence}
    said |= {"seen": said["finished"], "state": state_of(ending)}
    try:
        store = open_store(store_address(settings))
        store.upsert(RUNS, [row | said])
        store.close()
    except StoreError as error:
        logger.warning("The end of this run is not in the table of runs: %s", error)


def state_of(ending: CrawlResult) -> str:
    """The state of a run: done, left (work waits for a later run) or failed."""
    if ending.code == ExitCode.INCOMPLETE:
        return "left"
    return "failed" if ending.is_failure else "done"


def likeness(spider: str, arguments: Mapping[str, Any]) -> str:
    """A key that is equal for runs of one spider with the same arguments."""
    compared = {name: value for name, value in arguments.items() if name not in _NOT_COMPARED}
    text = json.dumps([spider, compared], default=str, ensure_ascii=False, sort_keys=True)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def now() -> str:
    return crawl_now().isoformat(timespec="seconds")
