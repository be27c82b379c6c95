"""Hosts with several relevant pages are proposed as sites, and admitted up to a budget."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from extractors.links.urls import host_of
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import SITES, URLS

_MAX_QUERIES_IN_REASON = 3


def text_relevance(title: str, text: str, terms: Iterable[str]) -> float:
    """Relevance 0 … 1 without a topic: .7 for a term in the title, .15 more for each term in the text."""
    title, text = title.lower(), text.lower()
    words = [term.lower() for term in terms]
    in_title, in_text = (any(word in title for word in words), sum(word in text for word in words))
    return min(1.0, 0.7 * in_title + 0.15 * in_text)


class SiteProposals:
    """Counts pages and relevant pages of each host, including those in the store.

    Args:
        needed: number of relevant pages after which a host is proposed.
        budget: number of hosts that are admitted without a decision of a person.
        threshold: least relevance of a relevant page.
    """

    def __init__(self, store: Store, crawl: str, needed: int, budget: int, threshold: float = 0.5) -> None:
        self._store = store
        self._crawl = crawl
        self._needed = needed
        self._threshold = threshold
        self._counts: dict[str, list[int]] = {}
        self._inspected: dict[str, str] = {}
        self._found_by: dict[str, Counter[str]] = {}
        self._states = {row["host"]: row["state"] for row in store.select(SITES, [Condition("crawl", "=", crawl)])}
        self._budget = budget - sum(state == "let_in" for state in self._states.values())

    def admitted_homes(self) -> list[str]:
        """Home pages of the hosts that this crawl or people have admitted."""
        rows = self._store.select(SITES, [Condition("crawl", "=", self._crawl)])
        return [row["home"] for row in rows if row["state"] == "let_in" and row["home"]]

    def is_relevant(self, item: PageItem) -> bool:
        """Whether the page is of the topic."""
        return (item.relevance or 0.0) >= self._threshold

    def is_first_inspection(self, site: dict[str, Any]) -> bool:
        """Whether this run has not inspected the host in this state before; notes the inspection."""
        is_first = bool(self._inspected.get(site["host"]) != site["state"])
        self._inspected[site["host"]] = site["state"]
        return is_first

    def update(self, item: PageItem, words: str) -> dict[str, Any] | None:
        """Count a page; returns a row of the sites table if its host is proposed or admitted, with the state.

        Args:
            words: of the query that found the page.
        """
        host = host_of(item.url)
        pages, relevant = self._count(host, self.is_relevant(item))
        if words:
            self._found_by.setdefault(host, Counter())[words] += 1
        state = self._states.get(host, "")
        if relevant < self._needed or state not in ("", "proposed") or not self.is_relevant(item):
            return None
        self._states[host] = state = "let_in" if self._budget > 0 else "proposed"
        self._budget -= state == "let_in"
        home = "/".join([*item.url.split("/")[:3], ""])
        found = {"crawl": self._crawl, "host": host, "home": home, "state": state, "pages": pages, "relevant": relevant}
        return found | {"reason": self._reason(host, pages, relevant, item.url)}

    def _count(self, host: str, is_relevant: bool) -> list[int]:
        if host not in self._counts:
            judged = [Condition("host", "=", host), Condition("relevance", ">=", 0.0)]
            good = [judged[0], Condition("relevance", ">=", self._threshold)]
            self._counts[host] = [self._store.count(URLS, judged), self._store.count(URLS, good)]
        counts = self._counts[host]
        counts[0] += 1
        counts[1] += is_relevant
        return counts

    def _reason(self, host: str, pages: int, relevant: int, url: str) -> str:
        words = ", ".join(word for word, _ in self._found_by.get(host, Counter()).most_common(_MAX_QUERIES_IN_REASON))
        found = f", found by {words}" if words else ""
        return f"{relevant} of {pages} pages are relevant{found}, such as {url}"[:500]
