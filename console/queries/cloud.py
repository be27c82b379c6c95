"""The words, places and people of the last seven days with their change against the seven before."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from analysis.trend.tags import KINDS, tag_cloud
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Condition, Store

DAYS = 7
_MOST_TAGS = 45
_MOST_ROWS = 20_000
_LEAST_OF_MANY = 3


def cloud(store: Store, topics: Sequence[str], now: datetime) -> dict[str, Any]:
    """Tags, the weightiest first; `pages` were counted, `least` is how many titles of a day must have a word to be counted."""
    last = now.astimezone(UTC).date()
    edges = [(last - timedelta(days=back)).isoformat() for back in (2 * DAYS - 1, DAYS - 1, -1)]
    least = _LEAST_OF_MANY if _rows(store, topics, edges) >= _MOST_ROWS else 1
    before, now_ = (_totals(store, topics, a, b, least) for a, b in pairwise(edges))
    pages, pages_before = sum(now_["all"].values()), sum(before["all"].values())
    made = tag_cloud(now_, before, pages, pages_before, _MOST_TAGS)
    tags = [
        {"text": tag.text, "kind": tag.kind, "count": tag.count, "change": tag.count - tag.before} for tag in made.tags
    ]
    tags.sort(key=lambda tag: (-int(str(tag["count"])), str(tag["text"])))
    return {"tags": tags, "pages": pages, "pages_before": pages_before, "least": least}


def _rows(store: Store, topics: Sequence[str], edges: Sequence[str]) -> int:
    found = 0
    for topic in topics:
        found += store.count(COUNTS, _where(topic, "term", edges[0], edges[-1]), _MOST_ROWS - found)
        if found >= _MOST_ROWS:
            break
    return found


def _where(topic: str, dimension: str, first: str, end: str) -> list[Condition]:
    same = [Condition("topic", "=", topic), Condition("dimension", "=", dimension)]
    return [*same, Condition("day", ">=", first), Condition("day", "<", end)]


def _totals(store: Store, topics: Sequence[str], first: str, end: str, least: int) -> dict[str, Counter[str]]:
    """By kind how many titles have each value; "all" counts the pages."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in (*KINDS, "all")}
    for topic in topics:
        for kind, counter in found.items():
            where = _where(topic, kind, first, end)
            where += [Condition("pages_total", ">=", least)] if kind != "all" else []
            for row in store.select(COUNTS, where, columns=("value", "pages_total")):
                counter[row["value"]] += row["pages_total"] or 0
    return {kind: +counter for kind, counter in found.items()}
