"""`scrapy seal`: months that are over move out of the database into Parquet files, and back."""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import QuietCommand
from crawler.tables import print_table
from crawler.uncaught import not_written
from pipelines.lease import Lease, LeaseLostError
from pipelines.sealing.parts import file_of, parts, sealed_folder
from pipelines.stores.base import Store, StoreError
from pipelines.stores.filters import before
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import TABLES

_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
_PROGRESS_SECONDS = 1.0


class Command(QuietCommand):
    """Seals, opens again, or lists."""

    examples = (
        "scrapy seal --before 2026-05 --dry-run            how many pages each month has that would be sealed",
        "scrapy seal --before 90d                          months that ended 90 days ago or earlier",
        "scrapy seal --list                                sealed months, their files and sizes",
        "scrapy seal --open 2026-03                        back into the database, for instance to forget a name",
    )
    usage = "--before TIME | --open MONTH | --list"
    summary = "Move old months into Parquet files that export, search and analysis still read"
    description = (
        "Move the pages of old months out of the database into Parquet files in SEALED_DIR (default: the folder sealed in "
        "DATA_DIR), with their sources, links, records and earlier versions, while crawls go on. scrapy export, search, "
        "analysis and report read them there. Stopped with Ctrl-C or killed, it goes on when it is run again."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to do")
        group.add_argument(
            "--before", default="", metavar="TIME", help="months that ended before 2026-05, 2026-05-01 or an age: 90d"
        )
        group.add_argument("--open", default="", metavar="MONTH", help="move this month back into the database")
        group.add_argument("--list", action="store_true", help="print which months are sealed")
        group.add_argument("--dry-run", action="store_true", help="with --before: only say how many pages")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if sum(map(bool, (opts.before, opts.open, opts.list))) != 1:
            raise UsageError("say what to do: --before TIME, --open MONTH or --list", print_help=False)
        if opts.open and not _MONTH.fullmatch(opts.open):
            raise UsageError(f"--open: {opts.open!r} is no month; write for instance 2026-03", print_help=False)
        try:
            with closing(open_store(store_address(self.values), must_exist=True)) as store:
                self._do(store, sealed_folder(self.values), opts)
        except (StoreError, LeaseLostError) as error:
            self.fail(error)
        except OSError as error:
            self.fail(not_written(error))
        except KeyboardInterrupt:
            self.fail("stopped; nothing is lost; run it again to go on", 130)

    def _do(self, store: Store, folder: Path, opts: argparse.Namespace) -> None:
        from pipelines.sealing import sealing  # needs pyarrow

        if opts.list:
            _list(store, folder)
        elif opts.dry_run and opts.before:
            months = sorted(sealing.sealable(store, _first_day(opts.before)).items())
            print_table(("month", "pages"), months, right_from=1)
        else:
            with _alone(store) as report:
                if opts.open:
                    _refuse_unsealed(store, opts.open)
                    counts = sealing.unseal(store, folder, opts.open, report)
                else:
                    counts = sealing.seal(store, folder, _first_day(opts.before), report)
            if opts.before and not counts:
                print(
                    f"No page that is still in the database belongs to a month before {opts.before}.", file=sys.stderr
                )
            print_table(("table", "rows moved"), sorted(counts.items()), right_from=1)
            if opts.before and counts and (sentence := store.give_back()):
                print(sentence, file=sys.stderr)


def _refuse_unsealed(store: Store, month: str) -> None:
    if not parts(store, month):
        raise StoreError(f"{month} is not sealed; scrapy seal --list names the months that are")


def _first_day(text: str) -> str:
    """The first day of the month that this time is in; StoreError if it is no time, or that month has not begun."""
    now = datetime.now(UTC)
    month = text if _MONTH.fullmatch(text) else str(before("fetched_at", text, now).value)[:7]
    if month > now.isoformat()[:7]:
        raise StoreError(f"{text!r} is in the future; only months that are over can be sealed")
    return f"{month}-01"


@contextmanager
def _alone(store: Store) -> Iterator[Callable[[Counter[str]], None]]:
    """What shows how far the work is, while no other process seals; StoreError if one does."""
    lease, shown = Lease(store, "seal"), time.monotonic()
    if not lease.gain():
        raise StoreError(
            "another process seals this database now; try again when it is done, or in a minute if it was killed"
        )

    def report(counts: Counter[str]) -> None:
        nonlocal shown
        lease.renew()
        if sys.stderr.isatty() and time.monotonic() > shown + _PROGRESS_SECONDS:
            shown = time.monotonic()
            print(f"\r{counts.total():,} rows moved", end="", file=sys.stderr, flush=True)

    try:
        yield report
    finally:
        lease.release()
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)


def _list(store: Store, folder: Path) -> None:
    months: dict[str, Counter[str]] = {}
    for row in parts(store):
        total = months.setdefault(row["month"], Counter())
        total.update(row["rows"])
        total["parts"] += 1
        total["bytes"] += sum(
            _size(file_of(folder, row["part"], TABLES[name])) for name, rows in row["rows"].items() if rows
        )
    columns = ("parts", "pages", "records", "sources")
    lines: list[list[Any]] = [
        [month, *(f"{total[name]:,}" for name in columns), f"{total['bytes'] / 1e6:,.1f}"]
        for month, total in sorted(months.items())
    ]
    print_table(("month", *columns, "MB"), lines, right_from=1)
    print(f"Files: {folder.absolute()}", file=sys.stderr)


def _size(file: Path) -> int:
    """0 for one that is not there."""
    return file.stat().st_size if file.exists() else 0
