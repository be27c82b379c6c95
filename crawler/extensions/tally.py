"""What a run has brought so far, counted from Scrapy's signals."""

from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler

_SURE = 0.5


class Tally:
    """Counts one run.

    Attributes:
        answers: responses of all kinds, also those of robots.txt and of dead links.
        pages: pages that were read and stored; articles: those of them that are one.
        errors: callbacks and pipelines that raised.
    """

    def __init__(self) -> None:
        self.answers = self.pages = self.articles = self.errors = 0

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """A tally that listens to this crawl."""
        tally = cls()
        for handler, signal in (
            (tally._answer, signals.response_received),
            (tally._item, signals.item_scraped),
            (tally._error, signals.spider_error),
            (tally._error, signals.item_error),
        ):
            crawler.signals.connect(handler, signal=signal, weak=False)
        return tally

    def _answer(self) -> None:
        self.answers += 1

    def _item(self, item: Any) -> None:
        page = getattr(item, "page", None)
        if page is not None and item.relevant:
            self.pages += 1
            self.articles += page.article.confidence >= _SURE

    def _error(self) -> None:
        self.errors += 1
