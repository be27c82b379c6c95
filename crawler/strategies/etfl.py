"""The published order: pages by R over their tag blocks, links as their page."""

from collections.abc import Sequence

from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from extractors.topic.etfl import EtflRelevance
from extractors.topic.relevance import Judgement, Relevance
from pipelines.items import PageItem

_LOW, _TOPICAL = 0.1, 0.15
"""What links of other pages are worth beside their page's R; R from which a page counts as of the topic."""


class EtflOrder(TopicalStrategy):
    """A relevant page's links go before; those of others follow, for a bounded number of steps."""

    _made_for: Relevance | None = None

    def learn(self, item: PageItem, judgement: Judgement) -> None:
        """Judge again, as published."""
        if self._made_for is not self.relevance:
            self._made_for = self.relevance
            self._published = EtflRelevance(self._made_for.topic)
        item.relevance = round(self._published.score(item.page), 4)
        item.relevant = item.relevance >= _TOPICAL
        item.reason = f"R {item.relevance:.2f}; {item.reason}"

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's R, lowered where it is not of the topic."""
        score = item.relevance or 0.0
        return [score if item.relevant else _LOW * score] * len(links)
