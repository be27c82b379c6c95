"""Counts of one run, shared by its progress lines and its row."""

from heapq import nlargest
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler

_SHOWN_MISSES = 3
_MIN_READ, _MIN_KEPT_SHARE = 20, 0.1
"""Of many pages read a topic that is well described keeps more."""


class Tally:
    """Counts one run.

    Attributes:
        answers: responses of all kinds, including robots.txt and dead links.
        pages: pages read and kept. articles: the articles among them.
        off_topic: pages read and not kept, as they are not about the topic; `topic` is its name.
        errors: callbacks and pipelines that raised.
    """

    def __init__(self) -> None:
        self.answers = self.pages = self.articles = self.off_topic = self.errors = 0
        self.topic = ""
        self._misses: list[tuple[float, str]] = []

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
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
        if page is None:
            return
        if item.relevant:
            self.pages += 1
            self.articles += page.kind.name == "article"
        else:
            self.off_topic += 1
            self.topic = item.topic
            self._misses = nlargest(_SHOWN_MISSES, [*self._misses, (item.relevance or 0.0, item.url)])

    def topic_lines(self) -> list[str]:
        """What helps if the topic keeps few of many pages; nothing if it does not."""
        read = self.pages + self.off_topic
        if read < _MIN_READ or self.pages >= _MIN_KEPT_SHARE * read:
            return []
        misses = "".join(f"\n    {relevance:.2f}  {url}" for relevance, url in self._misses)
        return [
            f"  The topic kept {self.pages} of {read} pages read. If pages that belong to it are missing, add their terms or lower "
            f"its threshold; `scrapy topic why {self.topic or 'NAME'} URL` explains a page. The nearest misses:{misses}"
        ]

    def _error(self) -> None:
        self.errors += 1
