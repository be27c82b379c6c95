"""For searches without a topic: judges pages by the search terms, and orders links by another strategy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crawler.strategies.base import LinkStrategy, PageVerdict
from extractors.links.find import Link
from extractors.page import Page
from pipelines.items import PageItem


@dataclass(slots=True)
class TermJudge:
    """A strategy that wraps another.

    Attributes:
        order: the strategy that scores links.
        terms: of the search. topic: the name of the search.
    """

    order: LinkStrategy
    terms: Sequence[str]
    topic: str
    scale: int
    promotes: bool
    start_score: float

    @classmethod
    def of(cls, order: LinkStrategy, terms: Sequence[str], topic: str) -> "TermJudge":
        """A judge with the scale of the strategy that scores links."""
        return cls(order, terms, topic, order.scale, order.promotes, order.start_score)

    def judge(self, url: str, page: Page) -> PageVerdict:
        """Judge by the terms in title and text, unless the wrapped strategy has judged."""
        verdict = self.order.judge(url, page)
        relevance = verdict.relevance
        if relevance is None:
            relevance = text_relevance(page.article.title, page.article.text, self.terms)
        return replace(verdict, relevance=relevance, topic=verdict.topic or self.topic)

    def score(self, item: PageItem, links: Sequence[Link]) -> Sequence[float]:
        return self.order.score(item, links)

    def score_listed(self, urls: Sequence[str]) -> Sequence[float]:
        return self.order.score_listed(urls)

    def present_score(self, url: str) -> float | None:
        return self.order.present_score(url)


def text_relevance(title: str, text: str, terms: Iterable[str]) -> float:
    """Relevance 0 … 1 without a topic: .7 for a term in the title, .15 more for each term in the text."""
    title, text = title.lower(), text.lower()
    words = [term.lower() for term in terms]
    in_title, in_text = (any(word in title for word in words), sum(word in text for word in words))
    return min(1.0, 0.7 * in_title + 0.15 * in_text)
