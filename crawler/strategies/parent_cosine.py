"""Every link is worth what its page is worth."""

from collections.abc import Sequence

from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from pipelines.items import PageItem


class ParentCosine(TopicalStrategy):
    """Fish search's and Nutch's way (P. De Bra and R. Post, 1994)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The page's relevance for all of its links."""
        return [item.relevance or 0.0] * len(links)
