"""The spread of an event for programs: lines of hours, and plain values. Times of JSON are local ISO 8601."""

import csv
import io
from datetime import datetime, tzinfo
from typing import Any

from analysis.mood import MoodSpread
from analysis.spans import LOCAL
from analysis.trend.event_spread import EventSpread

_REPORTS = 40


def spread_csv(spread: EventSpread) -> str:
    """A line for each hour: its beginning in UTC, pages, sites that were new, and sites reached until its end."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("hour", "pages", "new_sites", "sites"))
    before = 0
    for time, pages, sites in zip(
        spread.pages.times(), spread.pages.counts.tolist(), spread.sites.tolist(), strict=True
    ):
        writer.writerow((time.isoformat(), pages, sites - before, sites))
        before = sites
    return out.getvalue()


def spread_facts(spread: EventSpread, mood: MoodSpread, zone: tzinfo = LOCAL) -> dict[str, Any]:
    """The event, the first report of each of its first forty sites, the forecast, and the mood of comments."""
    row, coming = spread.row, spread.forecast
    return {
        "event": row["event"],
        "name": row["name"],
        "topic": row["topic"],
        "pages": row["pages"],
        "sites": row["site_count"],
        "reports": [
            {"site": each.site, "at": local(each.at, zone), "title": each.title, "url": each.url, "page": each.page}
            for each in spread.reports[:_REPORTS]
        ],
        "forecast": {
            "total": round(coming.total, 1), "low": round(coming.low, 1), "high": round(coming.high, 1),
            "error_pages": None if coming.error is None else round(coming.error, 2), "trials": coming.trials,
        },
        "mood": {
            **mood.texts, "total": mood.total, "negative_share": round(mood.negative_share, 3), "low": round(mood.low, 3),
            "high": round(mood.high, 3),
        },
    }  # fmt: skip


def local(time: datetime, zone: tzinfo) -> str:
    """To the minute."""
    return time.astimezone(zone).isoformat(timespec="minutes")
