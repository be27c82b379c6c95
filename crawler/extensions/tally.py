"""Counts of one run, shared by its progress lines, its row and its metrics."""

from typing import Any
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.crawler import Crawler

from crawler.frontier.recent_keys import RecentKeys
from crawler.terms.misses import TopicMisses

_MAX_REMEMBERED = 1 << 18
_KEY_BITS = (1 << 63) - 1
_tallies: "WeakKeyDictionary[Crawler, Tally]" = WeakKeyDictionary()


class Tally:
    """Counts one run.

    Attributes:
        answers: responses of all kinds, including robots.txt and dead links.
        pages: pages read and kept. articles: the articles among them.
        off_topic: pages read and not kept, as they are not about the topic; `misses` has the nearest of them.
        duplicates: pages read at another address of one that was read before.
        errors: callbacks and pipelines that raised.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.answers = self.pages = self.articles = self.off_topic = self.duplicates = self.errors = 0
        self.misses = TopicMisses()
        self._stats = crawler.stats
        self._own, self._requested = RecentKeys(_MAX_REMEMBERED), RecentKeys(_MAX_REMEMBERED)

    @classmethod
    def of(cls, crawler: Crawler) -> "Tally":
        """The one tally of this crawl."""
        if crawler in _tallies:
            return _tallies[crawler]
        tally = _tallies[crawler] = cls(crawler)
        for handler, signal in (
            (tally._answer, signals.response_received),
            (tally._item, signals.item_scraped),
            (tally._error, signals.spider_error),
            (tally._error, signals.item_error),
        ):
            crawler.signals.connect(handler, signal=signal, weak=False)
        return tally

    @property
    def read(self) -> int:
        """All pages read."""
        return self.pages + self.off_topic + self.duplicates

    @property
    def unchanged(self) -> int:
        """Pages of an earlier run whose server said that they are as they were."""
        return self._of_spider("unchanged")

    @property
    def refused(self) -> int:
        """Pages whose server answered with an error, or not at all."""
        return self._of_spider("refused")

    def counts(self) -> dict[str, int]:
        """By name, what came of the pages."""
        names = ("pages", "off_topic", "duplicates", "unchanged", "refused")
        return {name: getattr(self, name) for name in names}

    def _of_spider(self, name: str) -> int:
        return int(self._stats.get_value(f"pages/{name}", 0)) if self._stats else 0

    def _answer(self) -> None:
        self.answers += 1

    def _item(self, item: Any) -> None:
        page = getattr(item, "page", None)
        if page is None:
            return
        if self._is_duplicate(item):
            self.duplicates += 1
        elif item.relevant:
            self.pages += 1
            self.articles += page.kind.name == "article"
        else:
            self.off_topic += 1
        self.misses.add(item)

    def _is_duplicate(self, item: Any) -> bool:
        """Whether this address is a new one of a page that was read."""
        own, requested = hash(item.url) & _KEY_BITS, hash(item.requested_url) & _KEY_BITS
        found = self._own.knows(own) and not self._requested.knows(requested)
        self._own.add(own)
        self._requested.add(requested)
        return found

    def _error(self) -> None:
        self.errors += 1
