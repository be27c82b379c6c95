"""The default order of a crawl with a topic. A link is scored by its text, the surrounding text, its URL, its page, the yield
of its kind of URL, and the yield of links with similar words. The crawl learns the weight of each."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scrapy.settings import BaseSettings

from crawler.priorities import FOCUSED_SCALE, FOCUSED_START
from crawler.strategies.gram_shares import GramShares
from crawler.strategies.link_learning import (
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
"""Initial weights of the parts of a score."""
_KIND, _GRAMS = list(_WEIGHTS).index("kind"), list(_WEIGHTS).index("grams")
"""The features that change while a link is queued."""
_NEW_HOST_BONUS = 0.06
"""Exploration bonus for links to little-known hosts, falling as 1 / (1 + pages)."""
_MIN_PAGES_FOR_SHARE = 100
"""Pages of the crawl needed before a host's share of it counts."""
_MAX_EARLIER_PAGES = 20_000
_PROMISE_FACTOR = 0.8
"""A page is worth at least this share of its best new link's score: lists of tags or years have no topic of their own."""
_HOST_BONUS, _MAX_RISING = 0.2, 20
"""For a host with rising yield: bonus per unit of yield above the mean, and the number of its best queued links that get it."""
_MAX_SCRIPT_CHARS = 10_000
"""Characters of a page that are examined for its script."""
_MAX_UNSCORED_PAGES = 100
"""Judged pages whose links are not scored yet."""


class FocusedStrategy(TopicalStrategy):
    """Best first by the expected relevance of a link's target, learned from the pages of this crawl.

    Hosts with nearly equal best links take turns; see `crawler.priorities.FOCUSED_SCALE`.
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
        """The yields of hosts, starting with the results of earlier runs in the URL table."""
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
        """Count the page for its host, its kind, and the link that led to it; strongly relevant ones teach new terms.

        A page on which the judge is unsure only counts as fetched; its links are ordered by the initial weights.
        """
        sure, link = self._is_sure(page), self._pending.take(url)
        self._read, self._sure = self._read + 1, self._sure + sure
        if link and sure:
            self._judged[url] = link, judgement.score if judgement.may_be_article else 0.0
            if len(self._judged) > _MAX_UNSCORED_PAGES:
                self._learn_from(next(iter(self._judged)), 0.0)
        self.yields.add(url, float(relevant) if sure else self.yields.mean)
        if self._live is not None:
            self._learner.learn(page.article, judgement, self._live.store)

    def _is_sure(self, page: Page) -> bool:
        """Whether the judge's probabilities apply to the page: they were fitted to Chinese pages and to the topic's examples."""
        text = page.once(page_text).text[:_MAX_SCRIPT_CHARS]
        return has_han(text) or not text or self.relevance.examples is not None

    def finish(self) -> None:
        """Propose terms from all pages seen, even if few, at the end of the crawl."""
        if self._live is not None:
            self._learner.finish(self._live.store)

    def _learn_from(self, url: str, promise: float) -> None:
        """Learn the value of the link that led to a page, once the page's own links are known."""
        if judged := self._judged.pop(url, None):
            link, own = judged
            values, gram = link.arrays()
            self._model.learn(values, max(own, promise))
            self._grams.add(gram, max(own, promise))

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The expected relevance of each link's target, lowered for hosts above their share; 0 for links found before that
        this page does not improve."""
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
        """Scores by the words in the URL and the yield of its kind."""
        yields = self.yields.at(urls)
        features = self._features(urls, ("",) * len(urls), ("",) * len(urls), np.zeros(len(urls)), yields)
        self._pending.add(urls, features, listed=True)
        self._rising.found(urls)
        return self._expected(features, yields)

    def present_score(self, url: str) -> float | None:
        """The score by the present weights; None if the crawl learns from few of its pages."""
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
        """The best queued links of the page's host if its yield is rising, slightly above their present scores."""
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
        """The score with a bonus for new hosts, halved for hosts above their share."""
        pages, fetched = self.yields.pages, yielded.fetched
        takes_much = pages > _MIN_PAGES_FOR_SHARE and fetched > self._share * pages
        half = takes_much and yielded.of_host <= self.yields.mean
        return min(1.0, score + _NEW_HOST_BONUS / (1 + fetched)) * (0.5 if half else 1.0)
