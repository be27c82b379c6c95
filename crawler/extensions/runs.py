"""A row for each run: what was asked for, when, and what came of it."""

import uuid
from datetime import UTC, datetime
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from pipelines.storage import StoragePipeline
from pipelines.stores.tables import RUNS


class Runs:
    """Writes the row when the run begins and again when it ends."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._key = uuid.uuid4().hex

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        runs = cls(crawler)
        crawler.signals.connect(runs._opened, signal=signals.spider_opened)
        crawler.signals.connect(runs._idle, signal=signals.spider_closed)
        return runs

    def _opened(self, spider: Spider) -> None:
        arguments = getattr(spider, "arguments", None)
        given = {name: getattr(arguments, name) for name in getattr(arguments, "__slots__", ())}
        self._write({"spider": spider.name, "started": _now(), "arguments": given})

    def _idle(self, spider: Spider, reason: str) -> None:
        stats = self._crawler.stats.get_stats() if self._crawler.stats else {}
        errors = sum(value for name, value in stats.items() if name.startswith("spider_exceptions/count"))
        pages = stats.get("response_received_count", 0)
        self._write(
            {"finished": _now(), "reason": reason, "pages": pages, "errors": errors + stats.get("frontier/dead", 0)}
        )

    def _write(self, row: dict[str, Any]) -> None:
        storage: StoragePipeline | None = getattr(self._crawler, "storage", None)
        if storage is not None and storage.store is not None and storage.is_open:
            storage.store.upsert(RUNS, [{"key": self._key, **row}])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
