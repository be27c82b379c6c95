"""Counts over time, bursts, spreads and tags as text, CSV and plain values."""

import csv
import io
from datetime import datetime, tzinfo
from typing import Any

from analysis.counts import series_of_times
from analysis.mood import MoodSpread
from analysis.spans import LOCAL, to_the_minute
from analysis.trend.event_spread import EventSpread
from analysis.trend.spread_facts import local
from analysis.trend.tag_counts import read_tags
from analysis.trend.trend import Trend
from crawler.command_line import say, write_out
from crawler.config import shown
from crawler.printed_tables import print_table
from pipelines.stores.base import Store

_SHOWN_REPORTS = 12


def name_of(topic: str, dimension: str, value: str, measure: str) -> str:
    """A label of what is counted."""
    what = f"{measure} of {topic}" if topic else f"{measure} of all topics"
    return what if dimension == "all" else f"{what}, {dimension} {value}"


def print_trend(trend: Trend, name: str, zone: tzinfo = LOCAL) -> None:
    """The hours, sums, bursts and forecast."""
    say(_hours(trend.series.start, trend.series.end, zone))
    counts, total = int(trend.series.counts.sum()), int(trend.total.sum())
    usual, coming = float(trend.usual.sum()), trend.forecast
    said = f", usual {usual:.0f}" if trend.knows_usual else ""
    say(f"{name}: {counts}{said}; {counts / max(1, total):.1%} of {total} collected")
    if trend.knows_usual:
        say(f"collected in the last 24 hours: {trend.coverage:.2f} times the usual")
        error = "no error known" if coming.error is None else f"mean error {coming.error:.0%} in {coming.trials} days"
        say(f"next 24 hours: {coming.total:.0f} ({coming.low:.0f} to {coming.high:.0f}; {error})")
    else:
        say("less than a week was collected: too little to compare with the usual, or to forecast")
    rows = [
        [
            entry["start"],
            entry["noticed"],
            entry["peak"],
            entry["end"] or shown("continues"),
            entry["count"],
            entry["usual"],
        ]
        for entry in burst_facts(trend, zone)
    ]
    if rows:
        print_table(("burst from", "noticed", "peak", "end", "count", "usual"), rows, right_from=4)
    else:
        say("no burst")


def _hours(start: datetime, end: datetime, zone: tzinfo) -> str:
    return f"hours from {to_the_minute(start, zone)} to {to_the_minute(end, zone)}, {zone}"


def print_spread(spread: EventSpread, mood: MoodSpread, zone: tzinfo = LOCAL) -> None:
    """Sums, the first reports, the next day, and the mood of comments."""
    row, coming = spread.row, spread.forecast
    write_out(f"{row['name']}:")
    say(f"{row['pages']} pages of {row['site_count']} sites since {row['first_at']}")
    error = (
        f"mean error {coming.error:.1f} in {coming.trials} such days" if coming.error is not None else "no error known"
    )
    if coming.trials:
        say(f"next 24 hours: {coming.total:.1f} pages ({coming.low:.0f} to {coming.high:.0f}; {error})")
    else:
        say("no such day before: too little to forecast")
    say(f"mood of comments read: {mood.shown}")
    rows = [[local(each.at, zone), number, each.site, each.title] for number, each in enumerate(spread.reports, 1)]
    print_table(("first report", "sites", "site", "title"), rows[:_SHOWN_REPORTS])
    if len(rows) > _SHOWN_REPORTS:
        say(f"and {len(rows) - _SHOWN_REPORTS} more sites: --json lists forty, --csv counts all by hour")


def trend_facts(trend: Trend, zone: tzinfo = LOCAL) -> dict[str, object]:
    """Values for JSON: times are local ISO 8601; usual, coverage and forecast are None with too little history."""
    coming, is_known = trend.forecast, trend.knows_usual
    return {
        "from": local(trend.series.start, zone),
        "to": local(trend.series.end, zone),
        "count": int(trend.series.counts.sum()),
        "usual": round(float(trend.usual.sum()), 1) if is_known else None,
        "total": int(trend.total.sum()),
        "coverage": round(trend.coverage, 3) if is_known else None,
        "bursts": burst_facts(trend, zone),
        "forecast": {"total": round(coming.total, 1), "low": round(coming.low, 1), "high": round(coming.high, 1),
                     "error": None if coming.error is None else round(coming.error, 3), "trials": coming.trials}
        if is_known else None,
    }  # fmt: skip


def burst_facts(trend: Trend, zone: tzinfo = LOCAL) -> list[dict[str, Any]]:
    """Each burst; `end` is None while it continues."""
    return [
        {
            "start": local(trend.at(burst.start), zone),
            "noticed": local(trend.at(burst.noticed), zone),
            "peak": local(trend.at(burst.peak), zone),
            "end": None if burst.end is None else local(trend.at(burst.end), zone),
            "count": burst.count,
            "usual": round(burst.usual, 1),
        }
        for burst in trend.bursts
    ]


def trend_csv(trend: Trend) -> str:
    """A line for each hour: its beginning in UTC, count, usual count (if known), total of all topics, share of the total."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("hour", "count", "usual", "total", "share"))
    columns = (trend.series.counts.tolist(), trend.usual.tolist(), trend.total.tolist(), trend.share.tolist())
    for time, count, usual, total, share in zip(trend.series.times(), *columns, strict=True):
        writer.writerow((time.isoformat(), count, f"{usual:.3f}" if trend.knows_usual else "", total, f"{share:.5f}"))
    return out.getvalue()


def print_tags(store: Store, topic: str, since: datetime, now: datetime, zone: tzinfo = LOCAL) -> None:
    """A table of tags, with what they were counted in."""
    cloud, whole = read_tags(store, since, now, topic=topic), series_of_times((), since, now)
    say(_hours(whole.start, whole.end, zone))
    say(f"titles of {cloud.pages} pages, and of {cloud.pages_before} in as long a time before")
    rows = [[tag.text, shown(tag.kind), tag.count, tag.before, f"x{2**tag.change:.1f}"] for tag in cloud.tags]
    print_table(("tag", "kind", "pages", "before", "change of share"), rows, right_from=2)
