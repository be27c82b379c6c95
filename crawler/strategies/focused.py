"""The default order of a crawl with a topic: a link is scored by its text, the text around it, its URL, its page, what its kind of
URL has given, and what links of like words have led to. The crawl learns how much each of these tells."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE
from crawler.strategies.grams import GramShares
from crawler.strategies.learning import HostYields, LinkContext, LinkFeatures, LinkModel, PendingLinks
from crawler.strategies.topical import TopicalStrategy
from crawler.terms.expansion import TermLearner
from extractors.links.find import Link, surroundings
from extractors.links.urls import address_words, host_of
from extractors.page import Page
from extractors.topic.grams import grams
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import URLS

_WEIGHTS = {"anchor": 0.35, "around": 0.25, "url": 0.09, "page": 0.35, "kind": 0.09, "grams": 0.3}
"""What a score is made of before anything is learned."""
_NEW_HOST_BONUS = 0.06
"""For links to hosts of which little is known, falling as 1 / (1 + pages): something is to be learned there."""
_MIN_PAGES_FOR_SHARE = 100
"""Pages of the crawl from which a host's share of it counts."""
_MAX_EARLIER_PAGES = 20_000
_PROMISE_FACTOR = 0.8
"""Share of the best new link's score that its page is worth at least: lists of tags or years have no topic and lead to all."""
_MAX_JUDGED = 100
"""Pages that were judged and whose links were not scored yet."""


class FocusedStrategy(TopicalStrategy):
    """Best first by the relevance that is expected behind a link; it is learned from the pages of this crawl.

    Hosts whose best links differ little take turns; see `crawler.priorities.FOCUSED_SCALE`.
    """

    scale = FOCUSED_SCALE

    def __init__(self, settings: BaseSettings, stored: Callable[[], Store], topic: Topic) -> None:
        super().__init__(settings, stored, topic)
        self._share = settings.getfloat("TOPIC_HOST_SHARE")
        self._learner = TermLearner(settings.getint("TOPIC_LEARN_PAGES"))
        self._model = LinkModel(tuple(_WEIGHTS.values()))
        self._grams = GramShares()
        self._pending = PendingLinks()
        self._context = LinkContext()
        self._judged: OrderedDict[str, tuple[NDArray[Any], NDArray[Any], float]] = OrderedDict()
        self._yields: HostYields | None = None

    @property
    def yields(self) -> HostYields:
        """What earlier runs have found is in the URL table."""
        if self._yields is None:
            self._yields = HostYields()
            known = self._store().select(
                URLS, [Condition("relevance", ">=", 0)], [Order("fetched_at", descending=True)], _MAX_EARLIER_PAGES
            )
            for row in known:
                kept = row["state"] != "irrelevant" and row["relevance"] >= self.topic.threshold
                self._yields.add(row["url"], float(kept))
        return self._yields

    def learn(self, url: str, page: Page, judgement: Judgement, *, relevant: bool) -> None:
        """Count it for its host and kind, and for the link that led to it; strongly relevant ones teach new terms."""
        if link := self._pending.take(url):
            self._judged[url] = *link, judgement.lead
            if len(self._judged) > _MAX_JUDGED:
                self._learn_from(next(iter(self._judged)), 0.0)
        self.yields.add(url, float(relevant))
        if self._live is not None:
            self._learner.learn(page.article, judgement, self._live.store)

    def finish(self) -> None:
        """The crawl is at its end: what it has seen proposes terms, even if that is little."""
        if self._live is not None:
            self._learner.finish(self._live.store)

    def _learn_from(self, url: str, promise: float) -> None:
        """What the link was worth that led to a page, now that its links are known too."""
        if judged := self._judged.pop(url, None):
            features, found, relevance = judged
            self._model.learn(features, max(relevance, promise))
            self._grams.add(found, max(relevance, promise))

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The relevance that is expected behind each link, less for hosts that take more than their share."""
        texts, urls = [link.text for link in links], [link.url for link in links]
        around = self.relevance.score_texts(surroundings(item.page, links))
        page, first = self._context.add(host_of(item.requested_url), urls, item.lead or 0.0)
        scores = self._expected(urls, texts, self.relevance.score_texts(texts), around, page)
        self._learn_from(item.requested_url, _PROMISE_FACTOR * max(compress(scores, first), default=0.0))
        new = [_NEW_HOST_BONUS / (1 + self.yields.fetched(url)) for url in urls]
        return [self._bounded(url, score + more) for url, score, more in zip(urls, scores, new, strict=True)]

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """By the words in the URL and what its kind has given."""
        nothing = np.zeros(len(urls))
        scores = self._expected(urls, None, nothing, nothing, nothing)
        return [self._bounded(url, score) for url, score in zip(urls, scores, strict=True)]

    def _expected(
        self,
        urls: Sequence[str],
        texts: Sequence[str] | None,
        anchor: NDArray[np.float64],
        around: NDArray[np.float64],
        page: NDArray[np.float64],
    ) -> list[float]:
        words_of_urls = [address_words(url) for url in urls]
        link, gram = _grams_of(texts or (), words_of_urls)
        kind = np.array([self.yields.expected(url) for url in urls], dtype=np.float64)
        surplus = self._grams.surplus(link, gram, len(urls))
        features = np.stack([anchor, around, self.relevance.score_texts(words_of_urls), page, kind, surplus], axis=1)
        self._pending.add(urls, LinkFeatures(features, link, gram), listed=texts is None)
        scores: list[float] = np.maximum(self._model.scores(features), 0.0).tolist()
        return scores

    def _bounded(self, url: str, score: float) -> float:
        fetched = self.yields.fetched(url)
        takes_much = self.yields.pages > _MIN_PAGES_FOR_SHARE and fetched > self._share * self.yields.pages
        return min(1.0, score) * (0.5 if takes_much and self.yields.host(url) <= self.yields.mean else 1.0)


def _grams_of(texts: Sequence[str], words_of_urls: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of anchors and URLs together, by the number of the link."""
    of_texts, of_urls = grams(texts), grams(words_of_urls, salt=1)
    link, gram = np.concatenate((of_texts[0], of_urls[0])), np.concatenate((of_texts[1], of_urls[1]))
    order = np.argsort(link, kind="stable")
    return link[order], gram[order]
