"""Orders from the literature, for comparison: each judges pages by the topic and scores links in its own way."""

from collections.abc import Sequence
from dataclasses import replace

from crawler.strategies.base import PageVerdict
from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from extractors.page import Page
from extractors.topic.etfl import EtflRelevance
from extractors.topic.relevance import Relevance
from pipelines.items import PageItem

_OFF_TOPIC_FACTOR, _TOPICAL = 0.1, 0.15
"""What links of other pages are worth beside their page's R; R from which a page counts as of the topic."""


class BreadthFirst(TopicalStrategy):
    """Every link in the order in which it was found: the topic decides what is kept, never where to go."""

    promotes = False

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """Less with each step from the start."""
        return [1 / (2 + item.depth)] * len(links)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """What a sitemap lists is one step from the start."""
        return [0.5] * len(urls)


class ParentCosine(TopicalStrategy):
    """Every link is worth what its page is worth: fish search and Nutch (P. De Bra and R. Post, 1994)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's relevance for all of its links."""
        return [item.lead or 0.0] * len(links)


class AnchorParent(TopicalStrategy):
    """Half by what a link says, half by its page: shark search without its inheritance (M. Hersovici and others, 1998)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The mean of the anchor's and the page's relevance."""
        anchors = self.relevance.score_texts([link.text for link in links])
        return [float(score) for score in 0.5 * anchors + 0.5 * (item.lead or 0.0)]


class EtflOrder(TopicalStrategy):
    """Pages by R over their tag blocks, links as their page; a relevant page's links go before those of others."""

    _published: tuple[Relevance, EtflRelevance] | None = None

    def judge(self, url: str, page: Page) -> PageVerdict:
        """By R, as published."""
        verdict = super().judge(url, page)
        score = round(self._etfl().score(page), 4)
        reason = f"R {score:.2f}; {verdict.reason}"
        return replace(verdict, relevance=score, relevant=score >= _TOPICAL, reason=reason, lead=score)

    def _etfl(self) -> EtflRelevance:
        """Made anew when people have accepted other terms."""
        relevance = self.relevance
        if self._published is None or self._published[0] is not relevance:
            self._published = relevance, EtflRelevance(relevance.topic)
        return self._published[1]

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's R, lowered where it is not of the topic."""
        score = item.relevance or 0.0
        return [score if item.relevant else _OFF_TOPIC_FACTOR * score] * len(links)
