"""The words, places and people of the last seven days with their change against the seven before."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from analysis.search import Finder, QueryError, count_pages, pages_having
from analysis.trend.tag_counts import KINDS, tag_cloud
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Condition, Store

DAYS = 7
_MAX_TAGS = 45
_MAX_READ = 300
"""Texts that are read to check one word."""
_MAX_ROWS = 20_000
_MIN_PAGES_IF_MANY = 3


def cloud(store: Store, finder: Finder | None, topics: Sequence[str], now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """Tags, the weightiest first, on days of the reader; `pages` were counted, `least` is how many titles of a day must have a word to
    be counted. Words are chosen by the counts of titles (days in UTC), and with an index counted as search finds them."""
    last = now.astimezone(UTC).date()
    first, middle, end = ((last - timedelta(days=back)).isoformat() for back in (2 * DAYS - 1, DAYS - 1, -1))
    many = store.count(COUNTS, _where(topics, ["term"], first, end), _MAX_ROWS)
    least = _MIN_PAGES_IF_MANY if many >= _MAX_ROWS else 1
    before, now_ = _totals(store, topics, (first, middle, end), least)
    pages, pages_before = sum(now_["all"].values()), sum(before["all"].values())
    made = tag_cloud(now_, before, pages, pages_before, _MAX_TAGS)
    tags = [
        {"text": tag.text, "kind": tag.kind, "count": tag.count, "change": tag.count - tag.before, "is_exact": True}
        for tag in made.tags
    ]
    local = now.astimezone(zone).date()
    shown = {"from": (local - timedelta(days=DAYS - 1)).isoformat(), "to": local.isoformat()}
    if finder is not None:
        edges = [_midnight(local - timedelta(days=back), zone) for back in (2 * DAYS - 1, DAYS - 1, -1)]
        tags = [tag for tag in (_recounted(store, finder, tag, edges, topics[0]) for tag in tags) if tag["count"]]
        pages_before, pages = (count_pages(store, *pair, topics[0]) for pair in pairwise(edges))
    tags.sort(key=lambda tag: (-int(str(tag["count"])), str(tag["text"])))
    return {"tags": tags, "pages": pages, "pages_before": pages_before, "least": least, **shown}


def _recounted(
    store: Store, finder: Finder, tag: dict[str, Any], edges: Sequence[datetime], topic: str
) -> dict[str, Any]:
    try:
        found = pages_having(store, finder, tag["text"], edges[0], edges[-1], topic, most=_MAX_READ)
    except QueryError:
        return tag | {"count": 0}
    before, count = found.by_bucket(edges)
    return tag | {"count": count, "change": count - before, "is_exact": found.exact}


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def _where(topics: Sequence[str], dimensions: Sequence[str], first: str, end: str) -> list[Condition]:
    same = [Condition("topic", "in", list(topics)), Condition("dimension", "in", list(dimensions))]
    return [*same, Condition("day", ">=", first), Condition("day", "<", end)]


def _totals(
    store: Store, topics: Sequence[str], days: tuple[str, str, str], least: int
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """How many titles have each value by kind, before the middle day and from it on; "all" counts the pages."""
    first, middle, end = days
    before, now = ({kind: Counter[str]() for kind in (*KINDS, "all")} for _ in range(2))
    frequent = [*_where(topics, KINDS, first, end), Condition("pages_total", ">=", least)]
    all_pages = [""] if "" in topics else topics  # "" has the pages of every topic
    for where in (frequent, _where(all_pages, ["all"], first, end)):
        for row in store.select(COUNTS, where, columns=("dimension", "value", "day", "pages_total")):
            found = before if row["day"] < middle else now
            found[row["dimension"]][row["value"]] += row["pages_total"] or 0
    return _positive(before), _positive(now)


def _positive(found: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    return {kind: +counter for kind, counter in found.items()}
