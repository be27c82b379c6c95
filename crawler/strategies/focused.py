"""The default order of a focused crawl: what a link says, what stands around it, its page, what its kind has given, and what
links of like words have led to; how much each of these tells is learned while the crawl runs."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE
from crawler.strategies.gram_shares import GramShares
from crawler.strategies.grams import grams
from crawler.strategies.link_model import LinkModel
from crawler.strategies.remembered import RememberedLinks, SeenLinks
from crawler.strategies.sightings import Sightings
from crawler.strategies.topical import TopicalStrategy, url_words
from crawler.strategies.yields import HostYields
from crawler.terms.expansion import TermLearner
from extractors.links.find import Link
from extractors.links.surroundings import surroundings
from extractors.links.urls import host_of
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import URLS

_WEIGHTS = {"anchor": 0.35, "around": 0.25, "url": 0.09, "page": 0.35, "kind": 0.09, "grams": 0.3}
"""What a score is made of before anything is learned."""
_NEW_HOST = 0.06
"""For links to hosts of which little is known, falling as 1 / (1 + pages): something is to be learned there."""
_GREEDY = 100
"""Pages from which a host's share of the crawl is looked at."""
_REMEMBERED = 20_000
_PROMISE = 0.8
"""A page that leads to something new is worth so much of it: lists of tags or years are of no topic, and lead to all."""
_AWAITED = 100
"""Pages that were judged and whose links have not been seen yet."""


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
        self._waiting = RememberedLinks()
        self._sightings = Sightings()
        self._awaited: OrderedDict[str, tuple[NDArray[Any], NDArray[Any], float]] = OrderedDict()
        self._yields: HostYields | None = None

    @property
    def yields(self) -> HostYields:
        """What earlier runs have found is in the URL table."""
        if self._yields is None:
            self._yields = HostYields()
            known = self._store().select(
                URLS, [Condition("relevance", ">=", 0)], [Order("fetched_at", descending=True)], _REMEMBERED
            )
            for row in known:
                kept = row["state"] != "irrelevant" and row["relevance"] >= self.topic.threshold
                self._yields.add(row["url"], float(kept))
        return self._yields

    def learn(self, item: PageItem, judgement: Judgement) -> None:
        """Count it for its host and kind, and for the link that led to it; strongly relevant ones teach new terms."""
        if seen := self._waiting.take(item.requested_url):
            self._awaited[item.requested_url] = *seen, judgement.score
            if len(self._awaited) > _AWAITED:
                self._learn_from(next(iter(self._awaited)), 0.0)
        self.yields.add(item.requested_url, float(item.relevant))
        if self._live is not None:
            self._learner.learn(item.page.article, judgement, self._live.store)

    def finish(self) -> None:
        """The crawl is at its end: what it has seen proposes terms, even if that is little."""
        if self._live is not None:
            self._learner.finish(self._live.store)

    def _learn_from(self, url: str, promise: float) -> None:
        """What the link was worth that led to a page, now that its links are known too."""
        if awaited := self._awaited.pop(url, None):
            parts, found, relevance = awaited
            self._model.learn(parts, max(relevance, promise))
            self._grams.add(found, max(relevance, promise))

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The relevance that is expected behind each link, less for hosts that take more than their share."""
        texts, urls = [link.text for link in links], [link.url for link in links]
        around = self.relevance.score_texts(surroundings(item.page, links))
        page, first = self._sightings.add(host_of(item.requested_url), urls, item.relevance or 0.0)
        scores = self._expected(urls, texts, self.relevance.score_texts(texts), around, page)
        self._learn_from(item.requested_url, _PROMISE * max(compress(scores, first), default=0.0))
        new = [_NEW_HOST / (1 + self.yields.fetched(url)) for url in urls]
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
        worded = [url_words(url) for url in urls]
        link, gram = _grams_of(texts or (), worded)
        kind = np.array([self.yields.expected(url) for url in urls], dtype=np.float64)
        surplus = self._grams.surplus(link, gram, len(urls))
        parts = np.stack([anchor, around, self.relevance.score_texts(worded), page, kind, surplus], axis=1)
        self._waiting.add(urls, SeenLinks(parts, link, gram), listed=texts is None)
        scores: list[float] = np.maximum(self._model.scores(parts), 0.0).tolist()
        return scores

    def _bounded(self, url: str, score: float) -> float:
        fetched = self.yields.fetched(url)
        greedy = self.yields.pages > _GREEDY and fetched > self._share * self.yields.pages
        return min(1.0, score) * (0.5 if greedy and self.yields.host(url) <= self.yields.mean else 1.0)


def _grams_of(texts: Sequence[str], worded: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of anchors and URLs together, by the number of the link."""
    said, named = grams(texts), grams(worded, salt=1)
    link, gram = np.concatenate((said[0], named[0])), np.concatenate((said[1], named[1]))
    order = np.argsort(link, kind="stable")
    return link[order], gram[order]
