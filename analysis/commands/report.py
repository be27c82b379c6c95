"""`scrapy report`: what happened in a topic, as one file."""

import argparse
import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from scrapy.exceptions import UsageError

from analysis.spans import since_of
from crawler.command_line import QuietCommand, write_out
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address


class Command(QuietCommand):
    """Writes events, curve, sources, tags, mood, quotes, coverage and pages of a topic."""

    examples = (
        "scrapy report quake --since 7d --out quake.html     one HTML file that needs nothing else",
        "scrapy report quake --since 24h --format markdown   the same as Markdown, to standard output",
        "scrapy report --since 2026-11-01                    all pages without a topic, and counts of all topics",
    )
    usage = "[TOPIC] [options]"
    summary = "A report of a topic as one HTML or Markdown file"
    description = "Counts and events are those of the last `scrapy analysis run`."
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--since", default="7d", metavar="SPAN", help="such as 12h, 7d, 4w, or a day (default: 7d)")
        parser.add_argument(
            "--format", choices=("html", "markdown"), default="", help="default: by the name of the file, or html"
        )
        parser.add_argument("--out", default="", metavar="FILE", help="write to this file instead of standard output")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for wrong arguments; the exit code is 1 if the store cannot be read or the file not written."""
        from analysis.report import collect, report_html, report_markdown  # loads numpy and dictionaries

        if len(args) > 1:
            raise UsageError("Use: scrapy report [TOPIC]; --help shows examples", print_help=False)
        now = datetime.now(UTC)
        since = since_of(opts.since, now)
        try:
            with closing(open_store(store_address(self.values), must_exist=True)) as store:
                report = collect(store, (args or [""])[0], since, now)
        except StoreError as error:
            self.fail(error)
            return
        markdown = (opts.format or ("markdown" if opts.out.endswith(".md") else "html")) == "markdown"
        text = report_markdown(report) if markdown else report_html(report)
        if opts.out:
            self._write(Path(opts.out), text)
        else:
            write_out(text.rstrip("\n"))

    def _write(self, path: Path, text: str) -> None:
        """Wholly or not at all."""
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            half.write_text(text, encoding="utf-8")
            half.replace(path)
        except OSError as error:
            half.unlink(missing_ok=True)
            self.fail(f"{path} cannot be written: {error}")
