"""Every link in the order in which it was found."""

from collections.abc import Sequence

from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from pipelines.items import PageItem


class BreadthFirst(TopicalStrategy):
    """The bound from below: the topic decides what is kept, never where to go."""

    promotes = False

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """Less with each step from the start."""
        return [1 / (2 + item.depth)] * len(links)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        """What a sitemap lists is one step from the start."""
        return [0.5] * len(urls)
