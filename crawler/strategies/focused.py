"""The default order of a crawl with a topic: a link is scored by its text, the text around it, its URL, its page, what its kind of
URL has given, and what links of like words have led to. The crawl learns how much each of these tells."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE, FOCUSED_START
from crawler.strategies.grams import GramShares
from crawler.strategies.learning import (
    HostYields,
    LinkContext,
    LinkFeatures,
    LinkModel,
    PendingLink,
    PendingLinks,
    Yield,
)
from crawler.strategies.rising import RisingHosts
from crawler.strategies.topical import TopicalStrategy
from crawler.terms.expansion import TermLearner
from extractors.links.find import Link, surroundings
from extractors.links.urls import address_words, host_of
from extractors.page import Page
from extractors.topic.grams import grams
from extractors.topic.model import Topic
from extractors.topic.page_text import page_text
from extractors.topic.relevance import Judgement
from extractors.topic.words import has_han
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import URLS

_WEIGHTS = {"anchor": 0.35, "around": 0.25, "url": 0.09, "page": 0.35, "kind": 0.09, "grams": 0.3}
"""What a score is made of before anything is learned."""
_KIND, _GRAMS = list(_WEIGHTS).index("kind"), list(_WEIGHTS).index("grams")
"""What changes while a link waits."""
_NEW_HOST_BONUS = 0.06
"""For links to hosts of which little is known, falling as 1 / (1 + pages): something is to be learned there."""
_MIN_PAGES_FOR_SHARE = 100
"""Pages of the crawl from which a host's share of it counts."""
_MAX_EARLIER_PAGES = 20_000
_PROMISE_FACTOR = 0.8
"""Share of the best new link's score that its page is worth at least: lists of tags or years have no topic and lead to all."""
_HOST_BONUS, _MAX_RISING = 0.2, 20
"""When a host begins to give: for each of its best waiting links, times what the host yields above the mean; so many links."""
_MOST_CHARS = 10_000
"""Characters of a page that are looked at for its script."""
_MAX_JUDGED = 100
"""Pages that were judged and whose links were not scored yet."""


class FocusedStrategy(TopicalStrategy):
    """Best first by the relevance that is expected behind a link; it is learned from the pages of this crawl.

    Hosts whose best links differ little take turns; see `crawler.priorities.FOCUSED_SCALE`.
    """

    scale, start_score = FOCUSED_SCALE, FOCUSED_START

    def __init__(self, settings: BaseSettings, stored: Callable[[], Store], topic: Topic) -> None:
        super().__init__(settings, stored, topic)
        self._share = settings.getfloat("TOPIC_HOST_SHARE")
        self._learner = TermLearner(settings.getint("TOPIC_LEARN_PAGES"))
        self._model = LinkModel(tuple(_WEIGHTS.values()))
        self._grams = GramShares()
        self._pending = PendingLinks()
        self._context = LinkContext()
        self._rising = RisingHosts()
        self._judged: OrderedDict[str, tuple[PendingLink, float]] = OrderedDict()
        self._yields: HostYields | None = None
        self._read, self._sure = 0, 0

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
        """Count it for its host and kind, and for the link that led to it; strongly relevant ones teach new terms.

        A page on which the judge is not sure only counts as fetched: the order of its links is that of the first weights.
        """
        sure, link = self._is_sure(page), self._pending.take(url)
        self._read, self._sure = self._read + 1, self._sure + sure
        if link and sure:
            self._judged[url] = link, judgement.score if judgement.may_be_article else 0.0
            if len(self._judged) > _MAX_JUDGED:
                self._learn_from(next(iter(self._judged)), 0.0)
        self.yields.add(url, float(relevant) if sure else self.yields.mean)
        if self._live is not None:
            self._learner.learn(page.article, judgement, self._live.store)

    def _is_sure(self, page: Page) -> bool:
        """Whether the judge's probabilities hold for such a page: they were fitted to Chinese pages, and to the topic's examples."""
        text = page.once(page_text).text[:_MOST_CHARS]
        return has_han(text) or not text or self.relevance.examples is not None

    def finish(self) -> None:
        """The crawl is at its end: what it has seen proposes terms, even if that is little."""
        if self._live is not None:
            self._learner.finish(self._live.store)

    def _learn_from(self, url: str, promise: float) -> None:
        """What the link was worth that led to a page, now that its links are known too."""
        if judged := self._judged.pop(url, None):
            link, own = judged
            values, gram = link.arrays()
            self._model.learn(values, max(own, promise))
            self._grams.add(gram, max(own, promise))

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The relevance that is expected behind each link, less for hosts that take more than their share; 0 for links
        that were found before and of which this page says nothing better."""
        inherited = self._context.add(host_of(item.requested_url), [link.url for link in links], item.lead or 0.0)
        asked = np.flatnonzero(inherited.better)
        scores, promise = [0.0] * len(links), 0.0
        if len(asked):
            better = [links[number] for number in asked.tolist()]
            urls, texts = [link.url for link in better], [link.text for link in better]
            yields = self.yields.at(urls)
            around = surroundings(item.page, better)
            features = self._features(urls, texts, around, inherited.values[asked], yields)
            expected = np.maximum(self._model.scores(features.values), 0.0)
            promise = float(expected[inherited.first[asked]].max(initial=0.0))
            self._pending.add(urls, features)
            self._rising.found(urls)
            for number, yielded, score in zip(asked.tolist(), yields, expected.tolist(), strict=True):
                scores[number] = self._bounded(yielded, score)
        self._learn_from(item.requested_url, _PROMISE_FACTOR * promise)
        return scores

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """By the words in the URL and what its kind has given."""
        yields = self.yields.at(urls)
        features = self._features(urls, ("",) * len(urls), ("",) * len(urls), np.zeros(len(urls)), yields)
        self._pending.add(urls, features, listed=True)
        self._rising.found(urls)
        return self._expected(features, yields)

    def present_score(self, url: str) -> float | None:
        """By what the crawl has learned since the link was scored; None if it learns from few of its pages."""
        known = self._pending.get(url)
        if known is None or 2 * self._sure < self._read:
            return None
        yielded, (values, gram) = self.yields.of(url), known.arrays()
        values[_KIND], values[_GRAMS] = yielded.of_kind, self._grams.surplus_of_one(gram)
        return self._bounded(yielded, max(0.0, float(self._model.scores(values))))

    def _present(self, links: Sequence[PendingLink], yields: Sequence[Yield]) -> list[float]:
        features = LinkFeatures.of(links)
        features.values[:, _KIND] = [yielded.of_kind for yielded in yields]
        features.values[:, _GRAMS] = self._grams.surplus(features.link, features.gram, len(links))
        return self._expected(features, yields)

    def _expected(self, features: LinkFeatures, yields: Sequence[Yield]) -> list[float]:
        expected = self._model.scores(features.values).tolist()
        return [self._bounded(yielded, max(0.0, score)) for yielded, score in zip(yields, expected, strict=True)]

    def risen(self, url: str) -> Iterable[tuple[str, float]]:
        """The best waiting links of the page's host, if that has begun to give; a little more than their present scores."""
        yielded = self.yields.of(url)
        rising = self._rising.risen(host_of(url), yielded.of_host, self.yields.mean)
        waiting = {other: known for other in rising if (known := self._pending.get(other)) is not None}
        if not waiting:
            return ()
        scores = zip(self._present([*waiting.values()], self.yields.at(waiting)), waiting, strict=True)
        bonus = _HOST_BONUS * (yielded.of_host - self.yields.mean)
        return [(other, min(1.0, score + bonus)) for score, other in nlargest(_MAX_RISING, scores)]

    def _features(
        self,
        urls: Sequence[str],
        texts: Sequence[str],
        around: Sequence[str],
        page: NDArray[np.float64],
        yields: Sequence[Yield],
    ) -> LinkFeatures:
        words = [address_words(url) for url in urls]
        scores = self.relevance.score_texts([*texts, *around, *words]).reshape(3, len(urls))
        text, gram = grams([*chain.from_iterable(zip(texts, words, strict=True))], (0, 1) * len(urls))
        link = text // 2
        kind = np.array([yielded.of_kind for yielded in yields])
        values = np.stack([*scores, page, kind, self._grams.surplus(link, gram, len(urls))], axis=1)
        return LinkFeatures(values, link, gram)

    def _bounded(self, yielded: Yield, score: float) -> float:
        """A little more for new hosts, and half for those that take more than their share."""
        pages, fetched = self.yields.pages, yielded.fetched
        takes_much = pages > _MIN_PAGES_FOR_SHARE and fetched > self._share * pages
        half = takes_much and yielded.of_host <= self.yields.mean
        return min(1.0, score + _NEW_HOST_BONUS / (1 + fetched)) * (0.5 if half else 1.0)
