"""Rows that rules look at."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pipelines.stores.analysis_tables import COUNTS, EVENTS, MEMBERS
from pipelines.stores.base import Store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def text(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds")


def put_event(store: Store, key: str, sites: Mapping[str, datetime], **columns: Any) -> None:
    """An event whose sites had their first reports at these times."""
    first, last = min(sites.values()), max(sites.values())
    row = {
        "event": key, "name": f"事件{key}", "state": "open", "topic": "quake", "first_at": text(first), "last_at": text(last),
        "first_page": key, "first_site": min(sites, key=lambda site: sites[site]), "pages": len(sites), "site_count": len(sites),
        "sites": [{"site": site, "at": text(at)} for site, at in sites.items()], "place": "", "comments": 0,
    }  # fmt: skip
    store.upsert(EVENTS, [row | columns]).result()
    store.upsert(MEMBERS, [{"page": key, "event": key, "url": f"https://a.example/{key}"}]).result()


def put_counts(
    store: Store, hours: Mapping[datetime, int], dimension: str = "all", value: str = "", topic: str = ""
) -> None:
    """So many pages in these hours."""
    days: dict[str, list[int]] = {}
    for at, count in hours.items():
        days.setdefault(at.date().isoformat(), [0] * 24)[at.hour] += count
    store.upsert(
        COUNTS,
        [
            {"topic": topic, "dimension": dimension, "value": value, "day": day, "pages": each, "pages_total": sum(each),
             "posts": [0] * 24, "posts_total": 0}
            for day, each in days.items()
        ],
    ).result()  # fmt: skip


def hourly(until: datetime, days: int, count: int) -> dict[datetime, int]:
    """The same count in each hour before."""
    return {until - place * HOUR: count for place in range(1, days * 24 + 1)}
