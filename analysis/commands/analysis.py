"""`scrapy analysis`: what the analysis reads in a text."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand, print_table, write_out


class Command(QuietCommand):
    """Prints the names, places and times of a text with their offsets."""

    examples = (
        "scrapy analysis read article.txt                      names, places and times in a file of text",
        "scrapy extract page.html | scrapy analysis read -     of a saved page",
        "scrapy analysis read - --date 2026-05-10 --json       times as seen from that day; a line of JSON for each",
    )
    usage = "read FILE|- [options]"
    summary = "Names, places and times in a text"
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--date", default="", metavar="DAY", help="when the text was published (default: now)")
        parser.add_argument("--json", action="store_true", help="print a line of JSON for each")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError; "-" is an argument here: standard input."""
        super().process_options([word for word in args if word != "-"], opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 for a file that cannot be read."""
        if len(args) != 2 or args[0] != "read":
            raise UsageError("Use: scrapy analysis read FILE, or - for standard input", print_help=False)
        day = _day(opts.date)
        try:
            text = _text(args[1])
        except (OSError, UnicodeDecodeError) as error:
            self.fail(f"{args[1]} cannot be read: {error}")
            return
        _print_found(list(_found(text, day)), as_json=opts.json)


def _day(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None) if text else datetime.now(UTC).replace(tzinfo=None)
    except ValueError:
        raise UsageError(
            f"--date: {text!r} is no date; write 2026-05-10 or 2026-05-10T08:30", print_help=False
        ) from None


def _text(name: str) -> str:
    return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode()


def _found(text: str, day: datetime) -> Iterator[Mapping[str, Any]]:
    """What was found, in the order of the text."""
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
        print_table(columns, ([entry.get(name, "") for name in columns] for entry in found))
