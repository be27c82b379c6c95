"""Shared by all commands: examples in the help, rejection of unknown arguments, and output that ends early."""

import argparse
import io
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, cast

from scrapy.commands import ScrapyCommand
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcessBase
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings, Settings
from scrapy.utils.conf import arglist_to_dict
from scrapy.utils.project import inside_project

from crawler.config import shown, translate_help
from crawler.config.given_settings import (
    ENVIRONMENT_PRIORITY,
    check_given,
    check_log_file,
    environment_pairs,
    unknown_names,
)
from crawler.config.settings_check import SettingError, check_settings, known_names
from crawler.excepthook import close_stdout, not_written
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store, store_address

_PAUSE_SECONDS = 1.0
_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {ord("\t"), ord("\n")})


class CommandWithExamples(ScrapyCommand):
    """A command whose help ends with examples, a line each.

    Attributes:
        usage: the arguments. summary: for the list of commands. description: a longer text for --help.
    """

    examples: ClassVar[tuple[str, ...]] = ()
    usage: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    description: ClassVar[str] = ""

    def syntax(self) -> str:
        return self.usage

    def short_desc(self) -> str:
        return shown(self.summary)

    def long_desc(self) -> str:
        return self.description or self.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        translate_help(parser)
        if self.examples:
            parser.epilog = "Examples:\n" + "\n".join(f"  {line}" for line in self.examples)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Scrapy's own, and a check of the settings.

        Scrapy's versions, parts and statistics are logged with --loglevel DEBUG only.

        Raises UsageError for a setting that is unknown or not valid.
        """
        if isinstance(sys.stdout, io.TextIOWrapper):
            # an error in writing ends the command, not Python's last moments
            sys.stdout.reconfigure(line_buffering=True)
        known, inherited = known_names(self.values), environment_pairs(os.environ)
        try:
            check_given(self.values, [*inherited, *opts.set])
            self.values.setdict(arglist_to_dict(inherited), priority=ENVIRONMENT_PRIORITY)
            super().process_options(args, opts)
            logging.setLogRecordFactory(PrintableRecord if self.values["LOG_FILE"] else ShownRecord)
            check_settings(self.values, (given.partition("=")[0] for given in [*inherited, *opts.set]), known)
            check_log_file(self.values)
        except SettingError as error:
            raise UsageError(str(error), print_help=False) from None
        for sentence in unknown_names(known, [*inherited, *opts.set]):
            say_aside(sentence)
        if self.values["LOG_LEVEL"] != "DEBUG":
            hide_details(self.values)

    def fail(self, sentence: object, code: int = 1) -> None:
        """Print the error to stderr, in the reader's language, and set the exit code of the command."""
        say_aside(sentence)
        self.exitcode = code

    @property
    def values(self) -> BaseSettings:
        if self.settings is None:
            raise RuntimeError("the command has no settings yet")
        return self.settings

    @property
    def process(self) -> CrawlerProcessBase:
        """Runs the reactor. Created on first use, since it installs an event loop and some commands rarely fetch."""
        if self.crawler_process is None:
            self.crawler_process = AsyncCrawlerProcess(cast(Settings, self.values))
        return self.crawler_process


def hide_details(settings: BaseSettings) -> None:
    """Leave Scrapy's versions, settings, parts and statistics out of the log."""
    for name in (
        "scrapy.utils.log",
        "scrapy.addons",
        "scrapy.middleware",
    ):  # Scrapy resets their levels, not their filters
        logging.getLogger(name).addFilter(lambda record: record.levelno > logging.INFO)
    logging.getLogger("scrapy.crawler").addFilter(lambda record: "Overridden settings" not in str(record.msg))
    settings.set("STATS_DUMP", False, priority="command")


class OutsideProject(ScrapyCommand):
    """Replaces each command outside topicrawl's project, and says where the command works."""

    requires_crawler_process = False

    def short_desc(self) -> str:
        return shown("(only in topicrawl's folder)")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        raise UsageError(shown(_where_it_works()), print_help=False)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Never reached."""


class CrawlOutsideProject(ScrapyCrawl):
    """Scrapy's own command in another project; outside any project, says where the command works."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError outside any project."""
        if not inside_project():
            raise UsageError(shown(_where_it_works()), print_help=False)
        super().process_options(args, opts)


def _where_it_works() -> str:
    folder = Path(__file__).resolve().parent.parent
    where = folder if (folder / "scrapy.cfg").is_file() else "a folder made by `topicrawl init FOLDER`"
    return f"this command works in {where}: change to that folder, or set SCRAPY_SETTINGS_MODULE=settings.base"


class QuietCommand(CommandWithExamples):
    """A command that fetches nothing: no reactor, no log by default, results on stdout, messages on stderr.

    `takes_arguments` says whether arguments other than options are allowed.
    """

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    takes_arguments: ClassVar[bool] = False

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for unknown options and arguments."""
        unknown = [word for word in args if word.startswith("-") or not self.takes_arguments]
        if unknown:
            raise UsageError(f"unknown: {' '.join(unknown)}; --help lists all options and arguments")
        super().process_options(args, opts)

    @contextmanager
    def reporting(self, *errors: type[Exception], stopped: str = "") -> Iterator[None]:
        """End with a sentence on stderr at one of these errors, and with `stopped` at Ctrl-C, if it is given.

        A reader of the output that has ended, such as `head`, is not an error.
        """
        try:
            yield
        except BrokenPipeError:
            close_stdout()
        except errors as error:
            if isinstance(error, OSError):
                close_stdout()
            self.fail(not_written(error) if isinstance(error, OSError) else error)
        except KeyboardInterrupt:
            if not stopped:
                raise
            self.fail(stopped, 130)

    @contextmanager
    def store(self, *, must_exist: bool = True) -> Iterator[Store]:
        """The store of the settings. Raises StoreError if it cannot be opened."""
        with closing(open_store(store_address(self.values), must_exist=must_exist)) as store:
            yield store


class FetchingCommand(CommandWithExamples):
    """A command that fetches pages: results on stdout, and no log below its own LOG_LEVEL by default."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """The project's LOG_LEVEL is meant for crawls, so only --loglevel changes the level of this command."""
        super().process_options(args, opts)
        if self.settings is not None and not opts.loglevel:
            self.settings.set("LOG_LEVEL", self.default_settings["LOG_LEVEL"], priority="cmdline")


def printable(text: str) -> str:
    """Crawled text without control characters, which could control a terminal; tabs and line breaks stay."""
    return text.translate(_CONTROLS)


class PrintableRecord(logging.LogRecord):
    """A line of the log without control characters."""

    def getMessage(self) -> str:  # noqa: N802  # the standard library's name
        return printable(super().getMessage())

    def __setattr__(self, name: str, value: object) -> None:
        """Also cleans the text of a traceback, which may quote a page."""
        super().__setattr__(name, printable(value) if name == "exc_text" and isinstance(value, str) else value)


class ShownRecord(PrintableRecord):
    """A line for a terminal, in the reader's language; a file of the log is also read by programs, and stays English."""

    def getMessage(self) -> str:  # noqa: N802  # the standard library's name
        message = super().getMessage()
        return shown(message) if (self.levelno or 0) >= logging.INFO else message


def say(sentence: object) -> None:
    """Print it in the reader's language; a reader that has ended is not an error."""
    write_out(shown(str(sentence)))


def say_aside(sentence: object) -> None:
    """Print it to standard error in the reader's language."""
    print(printable(shown(str(sentence))), file=sys.stderr, flush=True)


def write_out(text: str) -> None:
    """Print data without control characters. A reader that has ended, such as `head`, is not an error."""
    try:
        print(printable(text), flush=True)
    except BrokenPipeError:
        close_stdout()


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """A file that gets its name only once it is complete; anything but a regular file is written directly."""
    if Path(path).exists() and not Path(path).is_file():
        with open(path, "wb") as out:
            yield out
        return
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as out:
            yield out
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class PassingLine:
    """A line on standard error that is replaced at most once a second; nothing is shown if `shows` is false or without a terminal."""

    def __init__(self, *, shows: bool = True) -> None:
        self._shows, self._shown_at = shows and sys.stderr.isatty(), time.monotonic()

    def show(self, text: str, *values: object) -> None:
        """The text with the values in the places of its `{}`."""
        if self._shows and time.monotonic() > self._shown_at + _PAUSE_SECONDS:
            self._shown_at = time.monotonic()
            print(f"\r{shown(text.format(*values))}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shows:
            print("\r", end="", file=sys.stderr)


def is_confirmed(question: str) -> bool | None:
    """Whether the person at the terminal says yes; None without a terminal."""
    if not sys.stdin.isatty():
        return None
    return input(f"{shown(question)} [y/N] ").strip().lower() in ("y", "yes")
