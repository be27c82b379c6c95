"""One source: what it brings, how fast its pages are found, who copies whom, and on which days it brought nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby, pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from console.queries.event_membership import with_keys
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES, PROPAGATION

DAYS = 30
_MAX_PAGES = 300
_MAX_COUNTED = 100_000
_NAMED = 8
_SHOWN_PAGES = 12
_COLUMNS = (
    *(
        "key",
        "title",
        "url",
        "kind",
        "topic",
        "language",
        "published",
        "published_at",
        "published_precision",
        "first_seen",
    ),
    *("fetched_at", "counted_at"),
)
_EXACT = ("minute", "second")
_COPIES = [Condition("verdict", "in", ["repost", "suspected"])]


def source_profile(store: Store, host: str, zone: ZoneInfo, now: datetime) -> dict[str, Any] | None:
    """The profile of a host from its last 300 pages and the counts of thirty days; None if no page of it is stored."""
    newest = [Order("fetched_at", True)]
    pages = list(store.select(PAGES, [Condition("host", "=", host)], newest, _MAX_PAGES, _COLUMNS))
    if not pages:
        return None
    return {
        "host": host,
        "count": store.count(PAGES, [Condition("host", "=", host)], _MAX_COUNTED),
        "looked": len(pages),
        "pages": pages[:_SHOWN_PAGES],
        "kinds": _most(row["kind"] for row in pages),
        "topics": _most(row["topic"] for row in pages),
        "delay": _delays(pages),
        **_copying(store, [row["key"] for row in pages], host),
        **_days(store, host, zone, now),
    }


def _most(values: Iterable[str | None]) -> list[dict[str, Any]]:
    found = Counter(value for value in values if value)
    return [{"name": name, "count": count} for name, count in found.most_common(_NAMED)]


def _delays(pages: Sequence[Row]) -> dict[str, Any]:
    """Seconds from publication to the first sight of pages that appeared after the host was first looked at."""
    seen = [(row, _seconds(row["first_seen"])) for row in pages if row["first_seen"]]
    begun = min((at for _, at in seen if at), default=0.0)
    known = [
        at - published
        for row, at in seen
        if row["published_precision"] in _EXACT and begun <= (published := _seconds(row["published_at"])) <= at
    ]
    if not known:
        return {"count": 0, "median": None, "most": None}
    median, most = np.quantile(known, (0.5, 0.9)).tolist()
    return {"count": len(known), "median": median, "most": most}


def _seconds(at: str | None) -> float:
    """Unix seconds of a stored instant, 0 if it is none."""
    try:
        found = datetime.fromisoformat(at or "")
    except ValueError:
        return 0.0
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _copying(store: Store, keys: Sequence[str], host: str) -> dict[str, Any]:
    """Copies among these pages with their sources, and copies of them by others."""
    columns = ("page", "site", "matched", "story")
    own = list(with_keys(store, PROPAGATION, "page", keys, _COPIES, columns))
    sources = {
        row["page"]: row["site"] for row in with_keys(store, PROPAGATION, "page", map(_source, own), columns=columns)
    }
    others = [row for row in with_keys(store, PROPAGATION, "story", keys, _COPIES, columns) if row["site"] != host]
    taken = [site for row in own if (site := sources.get(_source(row))) and site != host]
    return {
        "copies": {"count": len(taken), "sites": _most(taken)},
        "copied": {"count": len({_source(row) for row in others}), "times": len(others), "sites": _most(row["site"] for row in others)},
    }  # fmt: skip


def _source(row: Row) -> str:
    return str(row["matched"] or row["story"] or "")


def _days(store: Store, host: str, zone: ZoneInfo, now: datetime) -> dict[str, Any]:
    """Pages by day of the reader, and the spans of days without any since the first of them; today is not over."""
    last = now.astimezone(zone).date()
    days = [last - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    edges = [datetime(day.year, day.month, day.day, tzinfo=zone) for day in [*days, last + timedelta(days=1)]]
    spans = [_span(*pair) for pair in pairwise(edges)]
    counts = [store.count(PAGES, [Condition("host", "=", host), *span], _MAX_COUNTED) for span in spans]
    first = next((place for place, count in enumerate(counts) if count), DAYS)
    gaps = [place for place in range(first + 1, DAYS - 1) if not counts[place]]
    empty = [days[place] for place in gaps if store.count(PAGES, spans[place], 1)]
    return {
        "days": [{"day": day.isoformat(), "count": count} for day, count in zip(days, counts, strict=True)],
        "gaps": [
            {"from": begin.isoformat(), "to": end.isoformat(), "days": (end - begin).days + 1}
            for begin, end in _spans(empty)
        ],
    }


def _span(begin: datetime, end: datetime) -> list[Condition]:
    return [Condition("counted_at", ">=", utc_text(begin)), Condition("counted_at", "<", utc_text(end))]


def _spans(days: Sequence[date]) -> list[tuple[date, date]]:
    """Days in a row, the latest first."""
    rows = (list(group) for _, group in groupby(enumerate(days), lambda each: each[1].toordinal() - each[0]))
    return [(group[0][1], group[-1][1]) for group in rows][::-1]
