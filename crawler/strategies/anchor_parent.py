"""Half by what a link says, half by the page that it stands on."""

from collections.abc import Sequence

from crawler.strategies.topical import TopicalStrategy
from extractors.links.find import Link
from pipelines.items import PageItem


class AnchorParent(TopicalStrategy):
    """Shark search without its inheritance (M. Hersovici and others, 1998)."""

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        """The mean of the anchor's and the page's relevance."""
        anchors = self.relevance.score_texts([link.text for link in links])
        return [float(score) for score in 0.5 * anchors + 0.5 * (item.relevance or 0.0)]
