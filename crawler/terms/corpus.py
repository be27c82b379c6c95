"""Texts of stored pages: of the authoritative sites, of the search entry, or the most relevant of all."""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from crawler.terms.progress import shown
from extractors.links.urls import url_key
from extractors.topic.relevance import Relevance
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES, RESULTS, SITES

_TEACHES = 500
"""Characters of text from which a page shows how its topic is written of; a list of a tag has the tag in its title, and little
else."""
_COLUMNS = ("url", "host", "title", "body")


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A stored page's title and text, and how relevant it is as far as somebody has judged."""

    score: float
    url: str
    title: str
    body: str

    @property
    def whole(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.body}"


def texts(store: Store, what: str, hosts: Iterable[str] = ()) -> Iterator[Text]:
    """All stored pages with text, or those of these hosts and of hosts under them; progress is shown as `what`."""
    wanted = frozenset(hosts)
    rows = store.select(PAGES, columns=_COLUMNS)
    for row in shown(rows, store.count(PAGES), what):
        if row["body"] and (not wanted or _is_of(row["host"] or "", wanted)):
            yield Text(0.0, row["url"] or "", row["title"] or "", row["body"])


def _is_of(host: str, wanted: frozenset[str]) -> bool:
    labels = host.removeprefix("www.").split(".")
    return host in wanted or any(".".join(labels[start:]) in wanted for start in range(len(labels)))


def most_relevant(store: Store, relevance: Relevance, most: int) -> list[Text]:
    """The stored pages on which the topic's concepts stand most, best first; none of which none stands. Pages with little
    text come behind all others."""
    judged = (
        Text(relevance.judge_text(text.title, text.body, most=0).score, text.url, text.title, text.body)
        for text in texts(store, "judging pages")
    )
    found = (text for text in judged if text.score > 0)
    return heapq.nlargest(most, found, key=lambda text: (len(text.body) >= _TEACHES, text))


def found_by_search(store: Store, topic: str, most: int) -> list[Text]:
    """Stored pages that engines answered to the topic's queries, by rank."""
    rows = store.select(
        RESULTS, [Condition("crawl", "=", f"metasearch-{topic}")], [Order("rank")], columns=("url", "target")
    )
    found: dict[str, Text] = {}
    for row in rows:
        key = url_key(row["target"] or row["url"] or "")
        page = store.get(PAGES, key) if key not in found else None
        if page and page["body"]:
            found[key] = Text(0.0, page["url"], page["title"] or "", page["body"])
        if len(found) == most:
            break
    return list(found.values())


def hosts_of(addresses: Iterable[str]) -> list[str]:
    """Hosts of addresses or of bare names, without "www."."""
    parts = (urlsplit(address if "://" in address else f"http://{address}") for address in addresses)
    return list(dict.fromkeys((part.hostname or "").removeprefix("www.") for part in parts if part.hostname))


def imported_sites(store: Store, topic: str) -> list[str]:
    """Home pages of the sites that were imported for a topic."""
    rows = store.select(SITES, [Condition("crawl", "=", site_list(topic))])
    return [row["home"] for row in rows if row["state"] == "let_in"]


def site_list(topic: str) -> str:
    """The name under which a topic's imported sites are stored."""
    return f"topic-{topic}"
