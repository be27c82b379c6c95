"""The default order of a focused crawl: what a link says, what stands around it, its page, and what its kind has given."""

from collections.abc import Sequence

import numpy as np
from scrapy.crawler import Crawler

from crawler.items import PageItem
from crawler.strategies.topical import TopicalStrategy, url_words
from crawler.strategies.yields import HostYields
from crawler.terms.learning import TermLearner
from extractors.links import Link
from extractors.surroundings import surroundings
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement
from pipelines.stores.base import Condition, Order
from pipelines.stores.tables import URLS

_ANCHOR, _PAGE, _AROUND, _URL, _KIND = 0.35, 0.30, 0.17, 0.09, 0.09
"""What a score is made of."""
_NEW_HOST = 0.003
"""For hosts of which little is known: decides among links of which nothing is known."""
_GREEDY = 100
"""Pages from which a host's share of the crawl is looked at."""
_REMEMBERED = 20_000


class FocusedStrategy(TopicalStrategy):
    """Best first by anchor, page, surroundings, URL and the yield of the URL's kind, drawn to its host's where little is known of it."""

    def __init__(self, crawler: Crawler, topic: Topic) -> None:
        super().__init__(crawler, topic)
        self._share = crawler.settings.getfloat("TOPIC_HOST_SHARE")
        self._learner = TermLearner(crawler.settings.getint("TOPIC_LEARN_PAGES"))
        self._yields: HostYields | None = None

    @property
    def yields(self) -> HostYields:
        """What earlier runs have found is in the URL table."""
        if self._yields is None:
            self._yields = HostYields()
            store = self._crawler.storage.store  # type: ignore[attr-defined]  # the storage pipeline puts itself there
            known = store.select(
                URLS, [Condition("relevance", ">=", 0)], [Order("fetched_at", descending=True)], _REMEMBERED
            )
            for row in known:
                kept = row["state"] != "irrelevant" and row["relevance"] >= self.topic.threshold
                self._yields.add(row["url"], float(kept))
        return self._yields

    def learn(self, item: PageItem, judgement: Judgement) -> None:
        """Count it for its host and kind; strongly relevant ones teach new terms."""
        self.yields.add(item.requested_url, float(item.relevant))
        if self._live is not None:
            self._learner.see(item.page.article, judgement, self._live.book)

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """Σ of the parts; see the module's numbers."""
        said = (
            _ANCHOR * self.relevance.score_texts([link.text for link in links])
            + _AROUND * self.relevance.score_texts(surroundings(item.page, links))
            + _URL * self.relevance.score_texts([url_words(link.url) for link in links])
            + _PAGE * (item.relevance or 0.0)
        )
        return [self._known(link.url, float(score)) for link, score in zip(links, said, strict=True)]

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """By the words in the URL and what its kind has given."""
        said = _URL * np.asarray(self.relevance.score_texts([url_words(url) for url in urls]))
        return [self._known(url, float(score)) for url, score in zip(urls, said, strict=True)]

    def _known(self, url: str, score: float) -> float:
        fetched = self.yields.fetched(url)
        score += _KIND * self.yields.expected(url) + _NEW_HOST / (1 + fetched / 3)
        greedy = self.yields.pages > _GREEDY and fetched > self._share * self.yields.pages
        return min(1.0, score * (0.5 if greedy else 1.0))
