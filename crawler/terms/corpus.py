"""Texts of stored pages: of authoritative sites, of search results, or the most relevant ones; and how general terms are in them."""

import heapq
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import numpy as np

from crawler.config import shown
from extractors.links.urls import url_key
from extractors.topic.model import Topic
from extractors.topic.relevance import Relevance
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES, RESULTS, SITES

_Row = TypeVar("_Row")
_MIN_TEXT_CHARS = 500
"""Pages with less text, such as tag lists, are not representative of a topic's language."""
_TERMINAL_SECONDS, _LOG_SECONDS = 0.5, 10.0
_COLUMNS = ("url", "host", "title", "body")
_COUNTED_PAGES, _MIN_COUNTED_PAGES, _COUNTED_CHARS = 400, 50, 20_000
_GENERAL_SHARE = 0.1
"""Share of other pages above which a term is general: topics with such terms are judged far less precisely."""
_FEW_TERMS = 5


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A stored page's title, text and relevance (0 if not judged)."""

    score: float
    url: str
    title: str
    body: str

    @property
    def whole(self) -> str:
        return f"{self.title}\n{self.body}"


@dataclass(frozen=True, slots=True)
class TermBreadth:
    """Whether a topic's terms are likely to describe it.

    Attributes:
        few: it has so few terms that pages with other words for it are missed.
        general: terms, with the share of the counted pages that have them, the most general first.
        pages: the stored pages of other subjects that were counted.
    """

    few: bool
    general: tuple[tuple[str, float], ...] = ()
    pages: int = 0


def term_breadth(store: Store, topic: Topic) -> TermBreadth:
    """Counts the topic's terms in the latest pages that were not kept for it; nothing is general where these are few."""
    finder, few = Relevance(topic).finder, 0 < len(topic.terms) < _FEW_TERMS
    latest = store.select(
        PAGES, order=[Order("fetched_at", True)], limit=_COUNTED_PAGES, columns=("topic", "title", "body")
    )
    others = [
        f"{row['title'] or ''}\n{row['body'][:_COUNTED_CHARS]}"
        for row in latest
        if row["body"] and row["topic"] != topic.name
    ]
    if not topic.terms or len(others) < _MIN_COUNTED_PAGES:
        return TermBreadth(few)
    place, concept = finder.find(others)
    _, found = np.unique(np.stack([place, concept]), axis=1)
    shares = zip(
        (term.word for term in finder.terms), np.bincount(found, minlength=len(finder.terms)) / len(others), strict=True
    )
    general = sorted(
        ((word, float(share)) for word, share in shares if share > _GENERAL_SHARE), key=lambda each: -each[1]
    )
    return TermBreadth(few, tuple(general), len(others))


def texts(store: Store, what: str, hosts: Iterable[str] = ()) -> Iterator[Text]:
    """All stored pages with text, or those of these hosts and their subdomains; shows progress as `what`."""
    wanted = frozenset(hosts)
    rows = store.select(PAGES, columns=_COLUMNS)
    for row in _with_progress(rows, store.count(PAGES), what):
        if row["body"] and (not wanted or _is_of(row["host"] or "", wanted)):
            yield Text(0.0, row["url"] or "", row["title"] or "", row["body"])


def _is_of(host: str, wanted: frozenset[str]) -> bool:
    labels = host.removeprefix("www.").split(".")
    return host in wanted or any(".".join(labels[start:]) in wanted for start in range(len(labels)))


def most_relevant(store: Store, relevance: Relevance, most: int) -> list[Text]:
    """At most `most` stored pages with a relevance above 0, the best first; short pages come last."""
    judged = (
        Text(relevance.judge_text(text.title, text.body, most=0).score, text.url, text.title, text.body)
        for text in texts(store, "judging pages")
    )
    found = (text for text in judged if text.score > 0)
    return heapq.nlargest(most, found, key=lambda text: (len(text.body) >= _MIN_TEXT_CHARS, text))


def found_by_search(store: Store, topic: str, most: int) -> list[Text]:
    """Stored pages from the results of the topic's queries, by rank."""
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
    """The name of the crawl under which a topic's imported sites are stored."""
    return f"topic-{topic}"


def _with_progress(rows: Iterable[_Row], total: int, what: str) -> Iterator[_Row]:
    """The rows, with the count and the remaining time on standard error, updated in place on a terminal."""
    live = sys.stderr.isatty()
    pause = _TERMINAL_SECONDS if live else _LOG_SECONDS
    started = said = time.monotonic()
    for count, row in enumerate(rows, 1):
        yield row
        now = time.monotonic()
        if now - said >= pause:
            said = now
            left = (now - started) / count * max(0, total - count)
            line = shown(f"{what}: {count:,} of {total:,}, {left:.0f} s left")
            print(f"\r{line}   " if live else line, end="" if live else "\n", file=sys.stderr, flush=True)
    if live and said > started:
        print(file=sys.stderr)
