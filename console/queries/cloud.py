"""The words, places and people of the last seven days with their change against the seven before."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from analysis.trend.tag_counts import KINDS, tag_cloud
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Condition, Store

DAYS = 7
_MAX_TAGS = 45
_MAX_ROWS = 20_000
_MIN_PAGES_IF_MANY = 3


def cloud(store: Store, topics: Sequence[str], now: datetime) -> dict[str, Any]:
    """Tags, the weightiest first; `pages` were counted, `least` is how many titles of a day must have a word to be counted."""
    last = now.astimezone(UTC).date()
    first, middle, end = ((last - timedelta(days=back)).isoformat() for back in (2 * DAYS - 1, DAYS - 1, -1))
    many = store.count(COUNTS, _where(topics, ["term"], first, end), _MAX_ROWS)
    least = _MIN_PAGES_IF_MANY if many >= _MAX_ROWS else 1
    before, now_ = _totals(store, topics, (first, middle, end), least)
    pages, pages_before = sum(now_["all"].values()), sum(before["all"].values())
    made = tag_cloud(now_, before, pages, pages_before, _MAX_TAGS)
    tags = [
        {"text": tag.text, "kind": tag.kind, "count": tag.count, "change": tag.count - tag.before} for tag in made.tags
    ]
    tags.sort(key=lambda tag: (-int(str(tag["count"])), str(tag["text"])))
    return {"tags": tags, "pages": pages, "pages_before": pages_before, "least": least}


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
