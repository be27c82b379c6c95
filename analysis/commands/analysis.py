"""`scrapy analysis`: analyse stored pages incrementally or from scratch; read one text."""

import argparse
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from analysis.commands._known_topic import check_topic
from analysis.event_printing import FORMATS, decide_as_asked, print_event, print_events
from analysis.spans import zone_of
from crawler.command_line import QuietCommand, say, say_aside, write_out
from crawler.config import shown
from crawler.printed_tables import print_table
from pipelines.stores.base import StoreError

_PROGRESS_SECONDS = 5.0


class Command(QuietCommand):
    """Runs the analysis of the database, or prints the names, places and times of a text with their offsets."""

    examples = (
        "scrapy analysis run                                   analyse new and changed pages: search index, events",
        "scrapy analysis run --follow                          and keep running as pages arrive; stop with Ctrl-C",
        "scrapy analysis rebuild                               delete all results and compute them again",
        "scrapy analysis events --since 7d --pages 2           events with two pages or more, latest first",
        "scrapy analysis events --format graphml > web.graphml    events, their stories and pages as a graph",
        "scrapy analysis event KEY                             one event: when, where, who, and who reported it",
        "scrapy analysis merge KEY OTHER                       KEY is part of OTHER; also split KEY PAGE [PAGE OF THE NEW EVENT],",
        "                                                      rename KEY NAME, drop KEY (not of the topic), undo DECISION",
        "scrapy analysis train labelled.jsonl                  event thresholds from your own reports, see docs/events.md",
        "scrapy analysis read article.txt                      names, places and times in a file of text",
        "scrapy extract page.html | scrapy analysis read -     of a saved page",
        "scrapy analysis read - --date 2026-05-10 --json       times as seen from that day; a line of JSON for each",
    )
    usage = "run|rebuild|events|event KEY|merge|split|rename|drop|undo|train FILE|read FILE [options]"
    summary = "Analyse stored pages: search, events; names and times in a text"
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--date", default="", metavar="DAY", help="read: when the text was published (default: now)"
        )
        parser.add_argument("--json", action="store_true", help="read: print a line of JSON for each")
        parser.add_argument("--follow", action="store_true", help="run: keep running as pages arrive")
        for name, metavar, meaning in (
            ("since", "TIME", "events: reported since then: 2026-11-20, 2026-11-20T08:30 or an age: 24h, 7d"),
            ("until", "TIME", "events: last reported before; a date includes the whole day"),
            ("topic", "TOPIC", "events: only of this topic"),
        ):
            parser.add_argument(f"--{name}", default="", metavar=metavar, help=meaning)
        parser.add_argument("--pages", type=int, default=1, metavar="N", help="events: with at least N pages (1)")
        parser.add_argument("--limit", type=int, default=20, metavar="N", help="events: at most N (20); 0: all")
        parser.add_argument("--dropped", action="store_true", help="events: include those dropped from the topic")
        parser.add_argument(
            "--format", choices=FORMATS, default="table", help="events: table (default), jsonl, csv or graphml"
        )
        parser.add_argument(
            "--out", default="", metavar="FILE", help="train: the file of thresholds (default: EVENTS_WEIGHTS)"
        )
        parser.add_argument(
            "--folds", type=int, default=5, metavar="N", help="train: number of cross-validation folds (5)"
        )
        parser.add_argument(
            "--by", default="", metavar="NAME", help="merge, split, rename, drop: name of the person who decides"
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError; "-" is an argument here: standard input."""
        super().process_options([word for word in args if word != "-"], opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments; exit code 1 if a file cannot be read."""
        if args in (["run"], ["rebuild"]):
            self._analyse(args[0], follow=opts.follow)
        elif len(args) == 2 and args[0] == "read":
            self._read(args[1], opts)
        elif len(args) == 2 and args[0] == "train":
            self._train(Path(args[1]), opts)
        elif args == ["events"] or (len(args) == 2 and args[0] == "event"):
            self._show(args, opts)
        elif args and args[0] in ("merge", "split", "rename", "drop", "undo"):
            self._decide(args[0], args[1:], opts)
        else:
            raise UsageError(
                "Use: scrapy analysis run, rebuild, events, event KEY, train FILE, or read FILE (- for standard input); see --help",
                print_help=False,
            )

    def _show(self, args: list[str], opts: argparse.Namespace) -> None:
        with self.reporting(StoreError), self.store() as store:
            if args == ["events"]:
                check_topic(store, self.values, opts.topic)
                print_events(store, opts, zone_of(self.values))
            else:
                print_event(store, args[1], zone_of(self.values))

    def _decide(self, action: str, words: list[str], opts: argparse.Namespace) -> None:
        with self.reporting(StoreError), self.store() as store:
            say_aside(decide_as_asked(store, action, words, opts.by))

    def _read(self, name: str, opts: argparse.Namespace) -> None:
        day = _day(opts.date)
        try:
            text = _text(name)
        except (OSError, UnicodeDecodeError) as error:
            self.fail(f"{name} cannot be read: {error}")
            return
        _print_found(list(_found(text, day)), as_json=opts.json)

    def _train(self, source: Path, opts: argparse.Namespace) -> None:
        from analysis.train import train_from  # reads dictionaries, which other commands do not need

        target = opts.out or str(self.values.get("EVENTS_WEIGHTS") or "")
        if not target:
            raise UsageError("train needs --out FILE, or the setting EVENTS_WEIGHTS", print_help=False)
        with self.reporting(StoreError, stopped="stopped; no thresholds were written"):
            for line in train_from(source, Path(target), opts.folds, say_aside):
                say(line)

    def _analyse(self, what: str, *, follow: bool) -> None:
        from analysis import running  # loads numpy and dictionaries, which other commands do not need
        from analysis.alerts.opening import alert_steps
        from analysis.configured_steps import steps_of
        from analysis.events.weights import WeightsError
        from pipelines.lease import LeaseLostError
        from pipelines.titles.holder import titles_decided

        ended, progress = threading.Event(), _AnalysisProgress()
        try:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # a stopped service releases its leases
            with self.store(must_exist=not follow) as store:
                own = steps_of(self.values)
                with titles_decided(self.values, store, follow=follow):
                    if what == "rebuild":
                        running.rebuild(store, progress.report, own)
                    elif follow:
                        running.follow(store, ended, progress.report, {**own, **alert_steps(self.values)})
                    else:
                        running.run(store, progress.report, {**own, **alert_steps(self.values)})
            progress.end()
        except (StoreError, WeightsError, running.BusyError, LeaseLostError) as error:
            self.fail(error)
        except KeyboardInterrupt:
            progress.end()


class _AnalysisProgress:
    """Prints progress at intervals."""

    def __init__(self) -> None:
        self._done, self._said = 0, time.monotonic()

    def report(self, done: int, waiting: int) -> None:
        self._done = done
        if time.monotonic() - self._said > _PROGRESS_SECONDS:
            self._said = time.monotonic()
            say_aside(f"{done:,} pages analysed, {waiting:,} wait")

    def end(self) -> None:
        say_aside(f"{self._done:,} pages analysed")


def _day(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None) if text else datetime.now(UTC).replace(tzinfo=None)
    except ValueError:
        raise UsageError(
            f"--date: {text!r} is not a date; write 2026-05-10 or 2026-05-10T08:30", print_help=False
        ) from None


def _text(name: str) -> str:
    return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode()


def _found(text: str, day: datetime) -> Iterator[Mapping[str, Any]]:
    """Findings in text order."""
    from analysis.names import find_names  # reads dictionaries, which other commands do not need
    from analysis.times import find_times

    names: list[dict[str, Any]] = [
        {"start": each.start, "end": each.end, "kind": each.kind, "text": each.text} for each in find_names(text)
    ]
    times: list[dict[str, Any]] = [
        {
            "start": each.start, "end": each.end, "kind": "time", "text": each.text,
            "from": each.interval.start.isoformat(), "to": each.interval.end.isoformat(),
        }
        for each in find_times(text, day)
    ]  # fmt: skip
    yield from sorted([*names, *times], key=lambda entry: (entry["start"], entry["end"]))


def _print_found(found: list[Mapping[str, Any]], *, as_json: bool) -> None:
    if as_json:
        for entry in found:
            write_out(json.dumps(entry, ensure_ascii=False))
    else:
        columns = ("kind", "text", "start", "end", "from", "to")
        print_table(
            columns,
            (
                [shown(str(entry.get(name, ""))) if name == "kind" else entry.get(name, "") for name in columns]
                for entry in found
            ),
        )
