"""`scrapy trend`: publication counts over time against their usual level."""

import argparse
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from scrapy.exceptions import UsageError

from analysis.commands._known_topic import check_topic
from analysis.spans import since_of, zone_of
from crawler.command_line import QuietCommand, write_out
from crawler.config import environment_language, shown
from pipelines.stores.base import Store, StoreError

if TYPE_CHECKING:
    from analysis.trend import Trend


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
        parser.add_argument("--of", default="all", metavar="KIND=VALUE", help=f"one of {_kinds()}")
        parser.add_argument("--posts", action="store_true", help="count posts, comments and reviews instead of pages")
        parser.add_argument("--csv", action="store_true", help="print the hours as CSV")
        parser.add_argument("--json", action="store_true", help="print bursts and forecast as JSON")
        parser.add_argument("--svg", default="", metavar="FILE", help="write a picture")
        parser.add_argument("--tags", action="store_true", help="print the tag cloud of the topic")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments; exit code 1 if the store cannot be read."""
        from analysis.counts import DIMENSIONS, Measure
        from analysis.trend import read_trend
        from analysis.trend.printing import name_of, print_tags

        if len(args) > 1:
            raise UsageError("Use: scrapy trend [TOPIC]; --help shows examples", print_help=False)
        now, topic, zone = datetime.now(UTC), (args or [""])[0], zone_of(self.values)
        since = since_of(opts.since, now, zone)
        dimension, _, value = opts.of.partition("=")
        if dimension not in (*DIMENSIONS, "event") or (dimension != "all" and not value):
            raise UsageError(f"--of: write one of {_kinds()}, as in --of term=余震", print_help=False)
        if value not in (known := _values().get(dimension, [value])):
            raise UsageError(f"--of: there is no {dimension} {value}; there are {', '.join(known)}", print_help=False)
        if dimension == "event" and (opts.tags or opts.posts):
            raise UsageError("--of event=KEY counts pages, and has no --tags or --posts", print_help=False)
        with self.reporting(StoreError), self.store() as store:
            if dimension == "event":
                self._show_event(store, topic, value, now, opts)
                return
            check_topic(store, self.values, topic)
            if opts.tags:
                print_tags(store, topic, since, now, zone)
            else:
                measure: Measure = "posts" if opts.posts else "pages"
                trend = read_trend(
                    store, since, now, topic=topic, dimension=dimension, value=value, measure=measure, zone=zone
                )
                self._show(trend, name_of(topic, dimension, value, measure), opts)

    def _show(self, trend: "Trend", name: str, opts: argparse.Namespace) -> None:
        from analysis.trend import trend_svg
        from analysis.trend.printing import print_trend, trend_csv, trend_facts

        zone = zone_of(self.values)
        if opts.svg:
            self._write_picture(trend_svg(trend, shown(name), zone, environment_language(os.environ)), opts.svg)
        if opts.csv:
            write_out(trend_csv(trend).rstrip("\n"))
        elif opts.json:
            write_out(json.dumps(trend_facts(trend, zone), ensure_ascii=False))
        elif not opts.svg:
            print_trend(trend, name, zone)

    def _show_event(self, store: Store, topic: str, key: str, now: datetime, opts: argparse.Namespace) -> None:
        from analysis.events.store.moods import event_mood
        from analysis.trend import read_event_spread, spread_svg
        from analysis.trend.printing import print_spread
        from analysis.trend.spread_facts import spread_csv, spread_facts

        spread, zone = read_event_spread(store, key, now), zone_of(self.values)
        if topic and spread.row["topic"] != topic:
            self.fail(f"the event {key} is not of the topic {topic}, but of {spread.row['topic'] or 'none'}")
            return
        if opts.svg:
            language = environment_language(os.environ)
            self._write_picture(spread_svg(spread, spread.row["name"] or key, zone, language), opts.svg)
        if opts.csv:
            write_out(spread_csv(spread).rstrip("\n"))
        elif opts.json:
            facts = spread_facts(spread, event_mood(store, spread.row["event"]), zone)
            write_out(json.dumps(facts, ensure_ascii=False))
        elif not opts.svg:
            print_spread(spread, event_mood(store, spread.row["event"]), zone)

    def _write_picture(self, picture: str, path: str) -> None:
        try:
            Path(path).write_text(picture, encoding="utf-8")
        except OSError as error:
            self.fail(f"{path} cannot be written: {error}")


def _values() -> dict[str, list[str]]:
    """Of series with a few known values: a misspelt one would be a series of zeros."""
    from analysis.mood import LABELS
    from extractors.article.kinds import Kind

    return {"kind": list(get_args(Kind)), "mood": list(LABELS), "verdict": ["repost"]}


def _kinds() -> str:
    from analysis.counts import DIMENSIONS

    return ", ".join((*DIMENSIONS[1:], "event"))
