"""Hosts that keep giving relevant pages are proposed as sites, and let in up to a budget."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from extractors.links.urls import host_of
from pipelines.items import PageItem
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import SITES, URLS

_WORDS = 3


def text_relevance(title: str, text: str, terms: Iterable[str]) -> float:
    """0 … 1 by a search's terms where no topic judges: a term in the title is .7, each in the text .15 more."""
    title, text = title.lower(), text.lower()
    words = [term.lower() for term in terms]
    in_title, in_text = (any(word in title for word in words), sum(word in text for word in words))
    return min(1.0, 0.7 * in_title + 0.15 * in_text)


class SiteProposals:
    """Counts pages and relevant pages of each host; what is in the store counts too.

    Args:
        needed: relevant pages of a host after which it is proposed; budget: hosts that are let in without being asked for.
        threshold: relevance from which on a page is relevant.
    """

    def __init__(self, store: Store, crawl: str, needed: int, budget: int, threshold: float = 0.5) -> None:
        self._store = store
        self._crawl = crawl
        self._needed = needed
        self._threshold = threshold
        self._counts: dict[str, list[int]] = {}
        self._looked: dict[str, str] = {}
        self._found_by: dict[str, Counter[str]] = {}
        self._states = {row["host"]: row["state"] for row in store.select(SITES, [Condition("crawl", "=", crawl)])}
        self._budget = budget - sum(state == "let_in" for state in self._states.values())

    def let_in_before(self) -> list[str]:
        """Home pages of the hosts that are let in already, by this crawl or by people."""
        rows = self._store.select(SITES, [Condition("crawl", "=", self._crawl)])
        return [row["home"] for row in rows if row["state"] == "let_in" and row["home"]]

    def is_good(self, item: PageItem) -> bool:
        """Whether the page is of the topic."""
        return (item.relevance or 0.0) >= self._threshold

    def is_first(self, site: dict[str, Any]) -> bool:
        """Whether nobody has looked at the host in this state in this run."""
        is_first = bool(self._looked.get(site["host"]) != site["state"])
        self._looked[site["host"]] = site["state"]
        return is_first

    def learn(self, item: PageItem, words: str) -> dict[str, Any] | None:
        """A row of the sites table when a host is proposed, or better founded; its state tells if it is let in now.

        `words` are those of the query that found the page.
        """
        host = host_of(item.url)
        pages, relevant = self._count(host, self.is_good(item))
        if words:
            self._found_by.setdefault(host, Counter())[words] += 1
        state = self._states.get(host, "")
        if relevant < self._needed or state not in ("", "proposed") or not self.is_good(item):
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
        words = ", ".join(word for word, _ in self._found_by.get(host, Counter()).most_common(_WORDS))
        found = f", found by {words}" if words else ""
        return f"{relevant} of {pages} pages are relevant{found}, such as {url}"[:500]
