"""How a crawl is going: a live line on a terminal, else a plain line every few seconds, and a summary at the end."""

import sys
import time
from typing import Any, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from twisted.internet.task import LoopingCall


class Progress:
    """Writes to standard error; PROGRESS_SECONDS is the time between two plain lines, 0 turns it off."""

    def __init__(self, crawler: Crawler, seconds: float) -> None:
        self._crawler = crawler
        self._seconds = seconds
        self._console = Console(stderr=True, highlight=False)
        self._live: Live | None = None
        self._timer = LoopingCall(self._show)
        self._started = time.monotonic()
        self.pages = self.articles = self.errors = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        seconds = crawler.settings.getfloat("PROGRESS_SECONDS")
        if not seconds:
            raise NotConfigured
        progress = cls(crawler, seconds)
        for handler, signal in (
            (progress._opened, signals.spider_opened),
            (progress._closed, signals.spider_closed),
            (progress._page, signals.response_received),
            (progress._item, signals.item_scraped),
            (progress._error, signals.spider_error),
            (progress._error, signals.item_error),
        ):
            crawler.signals.connect(handler, signal=signal)
        return progress

    def _opened(self, spider: Spider) -> None:
        if self._console.is_terminal:
            self._live = Live(Text(""), console=self._console, refresh_per_second=2, transient=True)
            self._live.start()
        self._timer.start(1.0 if self._live else self._seconds, now=False)

    def _page(self, response: Response) -> None:
        self.pages += 1

    def _item(self, item: Any) -> None:
        page = getattr(item, "page", None)
        self.articles += bool(page is not None and item.relevant and page.article.confidence >= 0.5)

    def _error(self) -> None:
        self.errors += 1

    def _line(self) -> str:
        stats = self._crawler.stats
        counts = {
            name: stats.get_value(f"frontier/{name}", 0) if stats else 0
            for name in ("enqueued", "done", "dead", "failed_attempts")
        }
        queue = max(0, counts["enqueued"] - counts["done"] - counts["dead"])
        seconds = time.monotonic() - self._started
        return (
            f"{self.pages} pages  {self.articles} articles  {self.pages / max(seconds, 0.001):.1f} pages/s  "
            f"{queue} queued  {counts['failed_attempts']} retries  {self.errors + counts['dead']} errors  {seconds:.0f} s"
        )

    def _show(self) -> None:
        if self._live:
            self._live.update(Text(self._line()))
        else:
            print(self._line(), file=sys.stderr, flush=True)

    def _closed(self, spider: Spider, reason: str) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._live:
            self._live.stop()
        storage = getattr(self._crawler, "storage", None)
        where = storage.store.location if storage and storage.store else ""
        print(f"{_ENDS.get(reason, reason)}: {self._line()}", file=sys.stderr)
        print(f"Data: {where}   (scrapy export --format csv > articles.csv)", file=sys.stderr, flush=True)


_ENDS = {
    "finished": "Finished",
    "shutdown": "Stopped; the same command goes on where it was",
    "max_pages": "Reached max_pages; the same command goes on where it was",
}
