"""`scrapy report`: the report of a topic as one file."""

import argparse
import os
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from analysis.commands._known_topic import check_topic
from analysis.spans import since_of, zone_of
from crawler.command_line import QuietCommand, say_aside, whole_file, write_out
from crawler.config import environment_language
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.base import Store, StoreError

if TYPE_CHECKING:
    from analysis.report import Prose, Report, Write
    from analysis.summary import SummarySentence
_LLM_SECONDS = 60.0
"""For the answer of a language model, after which the report has no paragraph."""
_BINARY = ("docx", "xlsx", "pdf")
_KINDS = {".html": "html", ".htm": "html", ".md": "markdown", ".xlsx": "xlsx", ".pdf": "pdf", ".docx": "docx"}


class Command(QuietCommand):
    """Writes events, curve, sources, tags, mood, quotes, coverage and pages of a topic."""

    examples = (
        "scrapy report quake --since 7d --out quake.html     one self-contained HTML file",
        "scrapy report quake --since 24h --format markdown   the same as Markdown, to standard output",
        "scrapy report quake --out quake.xlsx                an Excel workbook; needs topicrawl[excel]",
        "scrapy report quake --out quake.docx                a Word document to edit",
        "scrapy report quake --out quake.pdf                 printed by the browser of rendering; needs topicrawl[render]",
        "scrapy report quake --since 24h --send boss         to the channel boss of alerts.yaml: e-mail with the file attached",
        "scrapy report quake --language zh --folder reports  in Chinese, as a new file in this folder",
        "scrapy report --since 2026-11-01                    pages of all topics",
        "scrapy report quake -s TIME_ZONE=Europe/Berlin      with days and times of this zone",
    )
    usage = "[TOPIC] [options]"
    summary = "A report of a topic as one HTML, PDF, Word, Excel or Markdown file, or as a message"
    description = "Counts and events are those of the last `scrapy analysis run`."
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--since", default="7d", metavar="SPAN", help="such as 12h, 7d, 4w, or a day (default: 7d)")
        parser.add_argument(
            "--format",
            choices=("html", "markdown", "docx", "xlsx", "pdf"),
            default="",
            help="default: by the name of the file, or html",
        )
        parser.add_argument("--out", default="", metavar="FILE", help="write to this file instead of standard output")
        parser.add_argument("--folder", default="", metavar="FOLDER", help="write to a new file in this folder")
        parser.add_argument(
            "--language",
            choices=("zh", "en"),
            default=environment_language(os.environ),
            help="default: as TOPICRAWL_LANG or the locale says",
        )
        parser.add_argument("--send", action="append", default=[], metavar="CHANNEL", help="send it; may be repeated")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments; exit code 1 if the store cannot be read or the file cannot be written."""
        from analysis.report import collect  # loads numpy and dictionaries

        if len(args) > 1:
            raise UsageError("Use: scrapy report [TOPIC]; --help shows examples", print_help=False)
        topic, ending = (args or [""])[0], Path(opts.out).suffix.lower()
        if ending and not opts.format and ending not in _KINDS:
            raise UsageError(
                f"--out: no format ends in {ending}; there are {', '.join(_KINDS)}, or say which by --format",
                print_help=False,
            )
        kind = opts.format or _KINDS.get(ending, "html")
        if kind in _BINARY and not (opts.out or opts.folder):
            raise UsageError(f"This format needs a file: --out FILE.{kind}", print_help=False)
        now, zone = datetime.now(UTC), zone_of(self.values)
        since = since_of(opts.since, now, zone)
        with self.reporting(StoreError, DeclarationError):
            with self.store() as store:
                check_topic(store, self.values, topic)
                report = collect(store, topic, since, now, self._writer(), opts.language, zone)
                if opts.send:
                    self._send(store, report, opts.send)
            if opts.folder:
                opts.out = str(new_report_path(Path(opts.folder), report, kind))
            if opts.out or not opts.send:
                self._put(report, kind, opts.out)

    def _writer(self) -> "Write | None":
        """A function that asks the language model at LLM_URL; without a response the report has no paragraph."""
        from analysis.report import ProseError, ProseModel, write_prose

        settings = self.values
        if not settings.get("LLM_URL"):
            return None
        model = ProseModel(
            str(settings["LLM_URL"]), str(settings.get("LLM_MODEL") or ""), os.environ.get("LLM_KEY", ""),
            _LLM_SECONDS, settings.getbool("ALLOW_PRIVATE_ADDRESSES"),
        )  # fmt: skip

        def write(pages: "Sequence[SummarySentence]") -> "Prose | None":
            try:
                return write_prose(model, pages)
            except ProseError as error:
                say_aside(f"The report has no paragraph by {model.host}: {error}")
                return None

        return write

    def _put(self, report: "Report", kind: str, path: str) -> None:
        from analysis.report import (
            ExcelMissingError,
            PrintingError,
            report_excel,
            report_html,
            report_markdown,
            report_pdf,
            report_word,
        )

        if kind in _BINARY:
            makers: dict[str, Callable[[Report], bytes]] = {
                "docx": report_word,
                "xlsx": report_excel,
                "pdf": partial(report_pdf, settings=self.values),
            }
            try:
                self._write(Path(path), makers[kind](report))
            except (ExcelMissingError, PrintingError) as error:
                self.fail(error)
            return
        text = report_markdown(report) if kind == "markdown" else report_html(report)
        if path:
            self._write(Path(path), text.encode())
        else:
            write_out(text.rstrip("\n"))

    def _send(self, store: Store, report: "Report", names: list[str]) -> None:
        """Queue the report and send it now; `scrapy analysis run` retries failed messages."""
        from analysis.alerts import rule_set_of, unknown_channel
        from analysis.delivery.outbox import Outbox
        from analysis.report import report_message

        channels = rule_set_of(self.values).channels
        if unknown := [name for name in names if name not in channels]:
            raise StoreError(unknown_channel(unknown[0], channels))
        outbox = Outbox(store, channels, allow_private=self.values.getbool("ALLOW_PRIVATE_ADDRESSES"))
        for name in names:
            with_file = channels[name].kind == "email"
            message = report_message(report, str(self.values.get("CONSOLE_URL") or ""), with_file=with_file)
            outbox.put(message, name)
        sent, failed = outbox.deliver(60.0)
        say_aside(f"{sent} messages sent{f', {failed} not: they will be retried' if failed else ''}")
        self.exitcode = int(bool(failed))

    def _write(self, path: Path, content: bytes) -> None:
        """Write the file, complete or not at all."""
        try:
            with whole_file(str(path)) as file:
                file.write(content)
        except OSError as error:
            self.fail(f"{path} cannot be written: {error}")


def new_report_path(folder: Path, report: "Report", kind: str) -> Path:
    """A file named by topic and time; the folder is made if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    topic = re.sub(r"[^\w-]+", "-", report.topic)[:60] or "all"
    ending = next((each for each, name in _KINDS.items() if name == kind), ".html")
    return folder / f"{topic}-{report.until.astimezone(report.zone):%Y%m%d-%H%M%S}{ending}"
