"""Hosts that keep giving relevant pages are proposed as sites, and let in up to a budget."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from crawler.items import PageItem
from extractors.urls import host_of


def term_relevance(item: PageItem, terms: Iterable[str]) -> float:
    """0 … 1 by the topic's terms where no strategy has judged: a term in the title is .7, each in the text .15 more."""
    article = item.page.article
    title, text = article.title.lower(), article.text.lower()
    words = [term.lower() for term in terms]
    in_title, in_text = (any(word in title for word in words), sum(word in text for word in words))
    return min(1.0, 0.7 * in_title + 0.15 * in_text)


class SiteProposals:
    """Counts pages and relevant pages of each host."""

    def __init__(self, crawl: str, needed: int, budget: int, threshold: float = 0.5) -> None:
        self._crawl = crawl
        self._needed = needed
        self._budget = budget
        self._threshold = threshold
        self._pages: Counter[str] = Counter()
        self._relevant: Counter[str] = Counter()
        self._let_in: set[str] = set()

    def learn(self, item: PageItem) -> dict[str, Any] | None:
        """A row of the sites table when a host is proposed, or better founded; its state tells if it is let in."""
        host = host_of(item.url)
        self._pages[host] += 1
        if (item.relevance or 0.0) < self._threshold:
            return None
        self._relevant[host] += 1
        if self._relevant[host] < self._needed or host in self._let_in:
            return None
        lets_in = len(self._let_in) < self._budget
        if lets_in:
            self._let_in.add(host)
        return {
            "crawl": self._crawl,
            "host": host,
            "home": "/".join([*item.url.split("/")[:3], ""]),
            "state": "let_in" if lets_in else "proposed",
            "reason": f"{self._relevant[host]} of {self._pages[host]} pages are relevant, such as {item.url}"[:500],
            "pages": self._pages[host],
            "relevant": self._relevant[host],
        }
