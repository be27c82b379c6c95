"""`scrapy trend`: how much was published of something, against what is usual."""

import argparse
import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from analysis.counts.series import DIMENSIONS, Measure
from analysis.happenings.moods import event_mood
from analysis.mood import MoodSpread
from analysis.spans import since_of
from analysis.trend.chart import spread_svg, trend_svg
from analysis.trend.event_spread import EventSpread, read_event_spread
from analysis.trend.spread_facts import local, spread_csv, spread_facts
from analysis.trend.tags import days_back, read_tags
from analysis.trend.trend import Trend, read_trend
from crawler.command_line import QuietCommand, write_out
from crawler.tables import print_table
from pipelines.stores.base import Store, StoreError
from pipelines.stores.opening import open_store, store_address

_KINDS = ", ".join((*DIMENSIONS[1:], "event"))
_SHOWN_REPORTS = 12


class Command(QuietCommand):
    """Prints bursts and the forecast of a series of counts; its hours as CSV; its picture as SVG; the tags of a topic."""

    examples = (
        "scrapy trend quake                                bursts of a topic in the last 7 days, and the next day",
        "scrapy trend quake --of term=余震 --since 30d      of a term in titles; also place, person, host, kind, mood",
        "scrapy trend quake --of event=KEY                 how an event spread: sites, first reports, the next day",
        "scrapy trend quake --csv > quake.csv              every hour: count, usual, total, share",
        "scrapy trend quake --svg quake.svg                a picture",
        "scrapy trend quake --tags                         terms, places and people with their change",
    )
    usage = "[TOPIC] [options]"
    summary = "Counts over time, bursts, forecast, tags"
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--since",
            default="7d",
            metavar="SPAN",
            help="such as 12h, 7d, 4w, or a day (default: 7d); an event is shown whole",
        )
        parser.add_argument("--of", default="all", metavar="KIND=VALUE", help=f"one of {_KINDS}")
        parser.add_argument("--posts", action="store_true", help="count posts, comments and reviews instead of pages")
        parser.add_argument("--csv", action="store_true", help="print the hours as CSV")
        parser.add_argument("--json", action="store_true", help="print bursts and forecast as JSON")
        parser.add_argument("--svg", default="", metavar="FILE", help="write a picture")
        parser.add_argument("--tags", action="store_true", help="print the tag cloud of the topic")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 if the store cannot be read."""
        if len(args) > 1:
            raise UsageError("Use: scrapy trend [TOPIC]; --help shows examples", print_help=False)
        now, topic = datetime.now(UTC), (args or [""])[0]
        since = since_of(opts.since, now)
        dimension, _, value = opts.of.partition("=")
        if dimension not in (*DIMENSIONS, "event") or (dimension != "all" and not value):
            raise UsageError(f"--of: write one of {_KINDS}, as in --of term=余震", print_help=False)
        if dimension == "event" and (opts.tags or opts.posts):
            raise UsageError("--of event=KEY counts pages, and has no --tags or --posts", print_help=False)
        try:
            with store_of(self.values) as store:
                if dimension == "event":
                    self._show_event(store, topic, value, now, opts)
                    return
                if opts.tags:
                    print_tags(store, topic, since, now)
                    return
                measure: Measure = "posts" if opts.posts else "pages"
                trend = read_trend(
                    store, since, now, topic=topic, dimension=dimension, value=value, measure=measure
                )  # fmt: skip
        except StoreError as error:
            self.fail(error)
            return
        self._show(trend, name_of(topic, dimension, value, measure), opts)

    def _show(self, trend: Trend, name: str, opts: argparse.Namespace) -> None:
        if opts.svg:
            self._write_picture(trend_svg(trend, name), opts.svg)
        if opts.csv:
            write_out(trend_csv(trend).rstrip("\n"))
        elif opts.json:
            write_out(json.dumps(trend_facts(trend), ensure_ascii=False))
        elif not opts.svg:
            print_trend(trend, name)

    def _show_event(self, store: Store, topic: str, key: str, now: datetime, opts: argparse.Namespace) -> None:
        spread = read_event_spread(store, key, now)
        if topic and spread.row["topic"] != topic:
            self.fail(f"the event {key} is not of the topic {topic}, but of {spread.row['topic'] or 'none'}")
            return
        if opts.svg:
            self._write_picture(spread_svg(spread, spread.row["name"] or key), opts.svg)
        if opts.csv:
            write_out(spread_csv(spread).rstrip("\n"))
        elif opts.json:
            write_out(json.dumps(spread_facts(spread, event_mood(store, spread.row["event"])), ensure_ascii=False))
        elif not opts.svg:
            print_spread(spread, event_mood(store, spread.row["event"]))

    def _write_picture(self, picture: str, path: str) -> None:
        try:
            Path(path).write_text(picture, encoding="utf-8")
        except OSError as error:
            self.fail(f"{path} cannot be written: {error}")


@contextmanager
def store_of(settings: BaseSettings) -> Iterator[Store]:
    """The store of the settings, closed at the end."""
    with closing(open_store(store_address(settings), must_exist=True)) as store:
        yield store


def name_of(topic: str, dimension: str, value: str, measure: str) -> str:
    """What is counted, for people."""
    what = f"{measure} of {topic}" if topic else f"{measure} of all topics"
    return what if dimension == "all" else f"{what}, {dimension} {value}"


def print_trend(trend: Trend, name: str) -> None:
    """Sums, bursts and forecast."""
    counts, total = int(trend.series.counts.sum()), int(trend.total.sum())
    usual, coming = float(trend.usual.sum()), trend.forecast
    write_out(f"{name}: {counts}, usual {usual:.0f}; {counts / max(1, total):.1%} of {total} collected")
    write_out(f"collected in the last 24 hours: {trend.coverage:.2f} times the usual")
    error = "no error known" if coming.error is None else f"mean error {coming.error:.0%} in {coming.trials} days"
    write_out(f"next 24 hours: {coming.total:.0f} ({coming.low:.0f} to {coming.high:.0f}; {error})")
    rows = [
        [entry["start"], entry["noticed"], entry["peak"], entry["end"] or "goes on", entry["count"], entry["usual"]]
        for entry in burst_facts(trend)
    ]
    if rows:
        print_table(("burst from", "noticed", "peak", "end", "count", "usual"), rows, right_from=4)
    else:
        write_out("no burst")


def print_spread(spread: EventSpread, mood: MoodSpread) -> None:
    """Sums, the first reports, the next day, and the mood of comments."""
    row, coming = spread.row, spread.forecast
    write_out(f"{row['name']}: {row['pages']} pages of {row['site_count']} sites since {row['first_at']}")
    error = (
        f"mean error {coming.error:.1f} in {coming.trials} such days" if coming.error is not None else "no error known"
    )
    write_out(f"next 24 hours: {coming.total:.1f} pages ({coming.low:.0f} to {coming.high:.0f}; {error})")
    write_out(f"mood of comments read: {mood.shown}")
    rows = [[local(each.at), number, each.site, each.title] for number, each in enumerate(spread.reports, 1)]
    print_table(("first report", "sites", "site", "title"), rows[:_SHOWN_REPORTS])
    if len(rows) > _SHOWN_REPORTS:
        write_out(f"and {len(rows) - _SHOWN_REPORTS} more sites: --json lists forty, --csv counts all by hour")


def trend_facts(trend: Trend) -> dict[str, object]:
    """What JSON shows: times are local ISO 8601."""
    coming = trend.forecast
    return {
        "count": int(trend.series.counts.sum()),
        "usual": round(float(trend.usual.sum()), 1),
        "total": int(trend.total.sum()),
        "coverage": round(trend.coverage, 3),
        "bursts": burst_facts(trend),
        "forecast": {"total": round(coming.total, 1), "low": round(coming.low, 1), "high": round(coming.high, 1),
                     "error": None if coming.error is None else round(coming.error, 3), "trials": coming.trials},
    }  # fmt: skip


def burst_facts(trend: Trend) -> list[dict[str, Any]]:
    """Each burst; `end` is None while it goes on."""
    return [
        {
            "start": local(trend.at(burst.start)),
            "noticed": local(trend.at(burst.noticed)),
            "peak": local(trend.at(burst.peak)),
            "end": None if burst.end is None else local(trend.at(burst.end)),
            "count": burst.count,
            "usual": round(burst.usual, 1),
        }
        for burst in trend.bursts
    ]


def trend_csv(trend: Trend) -> str:
    """A line for each hour: its beginning in UTC, count, usual count, total of all topics, share of the total."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("hour", "count", "usual", "total", "share"))
    columns = (trend.series.counts.tolist(), trend.usual.tolist(), trend.total.tolist(), trend.share.tolist())
    for time, count, usual, total, share in zip(trend.series.times(), *columns, strict=True):
        writer.writerow((time.isoformat(), count, f"{usual:.3f}", total, f"{share:.5f}"))
    return out.getvalue()


def print_tags(store: Store, topic: str, since: datetime, now: datetime) -> None:
    """A table of tags, with what they were counted in."""
    until = days_back(now, 0) + timedelta(days=1)
    cloud = read_tags(store, days_back(since, 0), until, topic=topic)
    write_out(f"titles of {cloud.pages} pages, and of {cloud.pages_before} in as many days before")
    rows = [[tag.text, tag.kind, tag.count, tag.before, f"x{2**tag.change:.1f}"] for tag in cloud.tags]
    print_table(("tag", "kind", "pages", "before", "change of share"), rows, right_from=2)
