"""Crawl orders from the literature, for comparison; all judge pages by the topic and differ in the scores of links."""

from collections.abc import Sequence
from dataclasses import replace

from crawler.strategies.base import PageVerdict
from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from extractors.page import Page
from extractors.topic.etfl import EtflRelevance
from extractors.topic.relevance import Relevance
from pipelines.items import PageItem

_OFF_TOPIC_FACTOR, _MIN_TOPICAL_R = 0.1, 0.15
"""Factor on R for links of off-topic pages; R of an on-topic page."""


class BreadthFirst(TopicalStrategy):
    """Links in order of discovery: the topic decides which pages are kept, not which are followed."""

    promotes = False

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """Scores fall with each step from the start."""
        return [1 / (2 + item.depth)] * len(links)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """Pages in a sitemap are one step from the start."""
        return [0.5] * len(urls)


class ParentCosine(TopicalStrategy):
    """Every link has the score of its page: fish search and Nutch (P. De Bra and R. Post, 1994)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's relevance for all of its links."""
        return [item.lead or 0.0] * len(links)


class AnchorParent(TopicalStrategy):
    """Half by the link's text, half by its page: shark search without inheritance (M. Hersovici and others, 1998)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The mean of the anchor's and the page's relevance."""
        anchors = self.relevance.score_texts([link.text for link in links])
        return [float(score) for score in 0.5 * anchors + 0.5 * (item.lead or 0.0)]


class EtflOrder(TopicalStrategy):
    """Pages by R over their tag blocks, links by their page; links of relevant pages come first."""

    _published: tuple[Relevance, EtflRelevance] | None = None

    def judge(self, url: str, page: Page) -> PageVerdict:
        """Judge by R, as published."""
        verdict = super().judge(url, page)
        score = round(self._etfl().score(page), 4)
        reason = f"R {score:.2f}; {verdict.reason}"
        return replace(verdict, relevance=score, relevant=score >= _MIN_TOPICAL_R, reason=reason, lead=score)

    def _etfl(self) -> EtflRelevance:
        """The judge, rebuilt when the accepted terms have changed."""
        relevance = self.relevance
        if self._published is None or self._published[0] is not relevance:
            self._published = relevance, EtflRelevance(relevance.topic)
        return self._published[1]

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's R, lowered for off-topic pages."""
        score = item.relevance or 0.0
        return [score if item.relevant else _OFF_TOPIC_FACTOR * score] * len(links)
