"""Learned terms of a topic, and the most informative pages to mark."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from console.frame.paging import Cursor, Part, in_order, part
from extractors.links.urls import host_of
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.tables import EXAMPLES, PAGES, TERMS, URLS

SORTS = ("score", "pages")
_COLUMNS = ("topic", "word", "shown", "class", "state", "origin", "example", "weight", "score", "pages", "history")
_MAX_READ = 1_000
_MAX_IRRELEVANT = 500
_MAX_DISTANCE_FROM_HALF = 0.4
_MAX_PAGES_PER_HOST = 3
_SHOWN_ROWS = 20
_MAX_MARKED = 1_000


def terms(store: Store, topic: str, state: str, sort: str, after: Cursor = ()) -> Part:
    """The next terms with this state, the best first."""
    order = [Order(sort, True), Order("word")]
    where = [Condition("topic", "=", topic), Condition("state", "=", state)]
    found = part(in_order(store, TERMS, where, order, after, _COLUMNS), order)
    for row in found.rows:
        row["last"] = (row.pop("history") or [dict.fromkeys(("at", "state", "by"), "")])[-1]
    return found


def doubtful(store: Store, topic: str) -> list[MutableRow]:
    """Unmarked pages of the last 1,000 collected and 500 left out, with a relevance nearest to one half."""
    rows = [row for row in _judged(store, topic) if abs((row["relevance"] or 0.0) - 0.5) <= _MAX_DISTANCE_FROM_HALF]
    rows.sort(key=lambda row: (abs(row["relevance"] - 0.5), row["url"]))
    hosts: Counter[str] = Counter()
    found: list[MutableRow] = []
    for row in rows:
        host = host_of(row["url"])
        if hosts[host] < _MAX_PAGES_PER_HOST and store.get(EXAMPLES, topic, row["key"]) is None:
            hosts[host] += 1
            found.append(row)
        if len(found) == _SHOWN_ROWS:
            break
    return found


def _judged(store: Store, topic: str) -> Iterator[MutableRow]:
    columns = ("key", "url", "title", "topic", "relevance", "relevance_reason", "language", "fetched_at")
    recent = store.select(PAGES, [], [Order("fetched_at", True)], limit=_MAX_READ, columns=columns)
    yield from (row | {"is_kept": True} for row in recent if row["topic"] == topic)
    left_out = store.select(URLS, [Condition("state", "=", "irrelevant")], limit=_MAX_IRRELEVANT)
    for row in left_out:
        yield {name: row[name] for name in ("key", "url", "relevance")} | {
            "title": "",
            "language": "",
            "relevance_reason": row["reason"],
            "is_kept": False,
        }


def marked_pages(store: Store, topic: str, after: Cursor = ()) -> Part:
    """The pages that people have marked, by key."""
    order = [Order("key")]
    return part(in_order(store, EXAMPLES, [Condition("topic", "=", topic)], order, after), order)


def mark_counts(store: Store, topic: str) -> Mapping[str, Any]:
    """How many pages are marked on each side, counted up to 1,000."""
    rows = store.select(EXAMPLES, [Condition("topic", "=", topic)], columns=["wanted"])
    found = Counter(bool(row["wanted"]) for row in islice(rows, _MAX_MARKED))
    return {"yes": found[True], "no": found[False]}
