"""`scrapy export`: rows of the database for spreadsheets, scripts and analysis."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, tzinfo
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from analysis.delivery.message import DeliveryError
from analysis.pushing import Cursor, Following, cursor_name, open_receiver, without_secrets
from analysis.spans import zone_of
from crawler.command_line import PassingLine, QuietCommand, printable, say_aside, whole_file
from pipelines.authors import AUTHORS, author_rows
from pipelines.corrections import AFTER, CORRECTIONS, stored_columns, with_texts_after
from pipelines.exporting import WRITERS as ROW_WRITERS
from pipelines.exporting import RowWriter, with_readable_source
from pipelines.rankings import OBSERVATIONS, observations
from pipelines.stores.base import Column, Condition, Order, Store, StoreError, Table
from pipelines.stores.checked import CheckedStore, noting_malformed
from pipelines.stores.filters import comparison, has_time, since, time_column, until
from pipelines.stores.instant_columns import instant_column
from pipelines.stores.tables import TABLES
from pipelines.warc.stored_sources import WarcRowWriter, archived_rows

WRITERS: dict[str, type[RowWriter]] = {**ROW_WRITERS, "warc": WarcRowWriter}
_LOOK_SECONDS = 5.0
_BINARY = {"parquet": "Parquet", "warc": "An archive"}
_TABLES = {**TABLES, AUTHORS.name: AUTHORS, OBSERVATIONS.name: OBSERVATIONS}


class Command(QuietCommand):
    """Streams one table to stdout or a file."""

    examples = (
        "scrapy export > pages.csv                                    all pages, for a spreadsheet",
        "scrapy export --format jsonl --since 7d > week.jsonl         what was collected in the last seven days",
        "scrapy export --where 'title contains 地震' --where 'relevance >= 0.5' > quake.csv",
        "scrapy export --by published --since 2026-11-01 --until 2026-11-30 --columns published,title,url > november.csv",
        "scrapy export --table records --format parquet --output posts.parquet",
        "scrapy export --table authors --mask > authors.csv           posts per author and site, names as codes",
        "scrapy export --table versions > corrections.csv              corrected pages: text before and after, with times",
        "scrapy export --table rankings --since 7d > ranks.csv          rank and heat of hot lists' items at each visit",
        "scrapy export --follow --to https://my.host/rows --secret-from ROWS_SECRET   each new page, as it comes",
        "scrapy export --follow --to postgresql://me@my.host/news#pages   each page once in a table, its newest state",
        "scrapy export --follow --to kafka://my.host:9092/pages --where 'relevance >= 0.5'",
        "scrapy export --format warc --since 30d -o november.warc.gz   the sources of pages, as web archives",
    )
    usage = "[options] > FILE"
    summary = "Write pages, records and other tables as CSV, JSON lines or Parquet, sources as WARC"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to write")
        group.add_argument(
            "--table", default="", metavar="NAME", help=f"{', '.join(_TABLES)} (default: pages; of warc: sources)"
        )
        group.add_argument("--mask", action="store_true", help="authors: codes for names and addresses of profiles")
        group.add_argument("--format", default="csv", metavar="FORMAT", help=f"{', '.join(WRITERS)} (default: csv)")
        group.add_argument("--columns", default="", metavar="A,B,…", help="only these columns, in this order")
        group.add_argument(
            "--where",
            action="append",
            default=[],
            metavar="'COLUMN OPERATOR VALUE'",
            help="only rows that match; operators: = != < <= > >= contains; several --where must all match",
        )
        group.add_argument(
            "--since", default="", metavar="TIME", help="2026-11-20, 2026-11-20T08:30 or an age: 24h, 7d"
        )
        group.add_argument("--until", default="", metavar="TIME", help="the same; a date includes the whole day")
        group.add_argument(
            "--by",
            default="",
            metavar="COLUMN",
            help="the column of --since and --until (default: when the page was collected)",
        )
        group.add_argument("--sort", default="", metavar="COLUMN", help="sort by this column, a time by its instant")
        group.add_argument("--descending", action="store_true", help="sort the largest or latest first")
        group.add_argument("--limit", type=int, default=0, metavar="N", help="at most N rows")
        group.add_argument("--output", "-o", default="", metavar="FILE", help="write there instead of to stdout")

        pushing = parser.add_argument_group("Where to push rows to, each at least once, as JSON")
        pushing.add_argument(
            "--to", default="", metavar="FILE|URL", help="a file, a webhook, postgresql://…/DB#TABLE or kafka://…/TOPIC"
        )
        pushing.add_argument("--follow", action="store_true", help="go on with rows that come later, until Ctrl-C")
        pushing.add_argument("--cursor", default="", metavar="FILE", help="keeps the place (default: in DATA_DIR)")
        pushing.add_argument(
            "--secret-from", default="", metavar="NAME", help="environment variable: password, or key of signatures"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        with self.reporting(OSError, StoreError, DeliveryError, stopped="stopped; the output is not complete"):
            if opts.to or opts.follow:
                self._push(opts)
            else:
                self._export(opts)

    def _push(self, opts: argparse.Namespace) -> None:
        if not opts.to:
            raise StoreError("--follow needs --to FILE or --to URL")
        table = _table(opts.table or "pages")
        if table is AUTHORS or table.name == CORRECTIONS.name:
            raise StoreError(f"{table.name} is computed from other rows; choose another --table")
        where = _conditions(table, opts, zone_of(self.values))
        following = Following(table, time_column(table, opts.by), _columns(table, opts.columns), where)
        cursor = Cursor(Path(opts.cursor or Path(self.values["DATA_DIR"]) / cursor_name(opts.to, table)))
        allow_private = self.values.getbool("ALLOW_PRIVATE_ADDRESSES")
        receiver = open_receiver(
            opts.to, table, _columns(table, opts.columns), opts.secret_from, allow_private=allow_private
        )
        with closing(receiver), self.store() as store:
            while True:
                count = following.push(store, cursor, receiver)
                if count or not opts.follow:
                    _print_message(f"{count:,} rows of {table.name} to {without_secrets(opts.to)}")
                if not opts.follow:
                    return
                time.sleep(_LOOK_SECONDS)

    def _export(self, opts: argparse.Namespace) -> None:
        if opts.format not in WRITERS:
            raise StoreError(f"{opts.format!r} is not a format; choose one of {', '.join(WRITERS)}")
        if opts.format == "warc" and opts.columns:
            raise StoreError("an archive holds whole pages; omit --columns")
        table = _table(opts.table or ("sources" if opts.format == "warc" else "pages"))
        columns = _columns(CORRECTIONS if table.name == CORRECTIONS.name else table, opts.columns)
        where, order = _conditions(table, opts, zone_of(self.values)), _order(table, opts)
        if opts.limit < 0:
            raise StoreError("--limit must be 1 or more")
        if opts.mask and table is not AUTHORS:
            raise StoreError("--mask is for --table authors")
        with self.store() as opened, noting_malformed() as malformed:
            store = CheckedStore(opened)
            if opts.format == "warc":
                rows = archived_rows(store, table, where, order, opts.limit)
            elif table is AUTHORS:
                rows = islice(author_rows(store, masked=opts.mask), opts.limit or None)
            elif table is OBSERVATIONS:
                rows = islice(observations(store, where), opts.limit or None)
            else:
                rows = _rows(store, table, columns, where, order, opts.limit)
            count, left_out = self._write(opts, columns, rows)
            _print_message(f"{count:,} rows of {table.name} from {store.location}")
            if malformed:
                _print_message(
                    f"malformed values are left empty, among others in {malformed[0]['table']} {malformed[0]['key']}"
                )
            if left_out:
                _print_message(
                    f"{left_out:,} pages are left out: their sources or their addresses are not stored, or cannot be read"
                )

    def _write(
        self, opts: argparse.Namespace, columns: Sequence[Column], rows: Iterator[dict[str, Any]]
    ) -> tuple[int, int]:
        """The number of rows written, and of rows that the format cannot express."""
        if opts.output:
            with whole_file(opts.output) as out:
                return _write_rows(opts.format, out, columns, rows)
        if opts.format in _BINARY and sys.stdout.isatty():
            raise StoreError(f"{_BINARY[opts.format]} is not text; add > FILE or --output FILE")
        if sys.stdout.isatty():
            rows = ({name: _printable(value) for name, value in row.items()} for row in rows)
        return _write_rows(opts.format, sys.stdout.buffer, columns, rows)


def _table(name: str) -> Table:
    if name not in _TABLES:
        raise StoreError(f"there is no table {name!r}; choose one of {', '.join(_TABLES)}")
    return _TABLES[name]


def _columns(table: Table, names: str) -> list[Column]:
    if names:
        return [table.column(name.strip()) for name in names.split(",") if name.strip()]
    return list(table.columns)


def _conditions(table: Table, opts: argparse.Namespace, zone: tzinfo) -> list[Condition]:
    if table is AUTHORS and (opts.where or opts.since or opts.until or opts.sort):
        raise StoreError(
            "authors are counted from all records, those with most first; omit --where, --since, --until and --sort"
        )
    if table is OBSERVATIONS and opts.sort:
        raise StoreError("rankings are in the order of list and time; omit --sort")
    conditions = [comparison(table, text) for text in opts.where]
    now, by = datetime.now(zone), opts.by or ("at" if table is OBSERVATIONS else "")
    if opts.since:
        conditions.append(since(time_column(table, by), opts.since, now, zone))
    if opts.until:
        column = time_column(table, by)
        conditions += [until(column, opts.until, now, zone), has_time(column)]
    return conditions


def _order(table: Table, opts: argparse.Namespace) -> list[Order]:
    return [Order(instant_column(table, opts.sort), opts.descending)] if opts.sort else []


def _rows(
    store: Store,
    table: Table,
    columns: Sequence[Column],
    where: Sequence[Condition],
    order: Sequence[Order],
    limit: int,
) -> Iterator[dict[str, Any]]:
    names = [column.name for column in columns]
    if table.name == CORRECTIONS.name and not set(AFTER).isdisjoint(names):
        return with_texts_after(store, store.select(table, where, order, limit, stored_columns(names)))
    decoded = table.name == "sources" and "body" in names
    wanted = list(dict.fromkeys([*names, "compression", "charset"])) if decoded else names
    rows = store.select(table, where, order, limit, wanted)
    return map(with_readable_source, rows) if decoded else rows


def _printable(value: Any) -> Any:
    """A text for a terminal; files and pipes get it unchanged."""
    return printable(value) if isinstance(value, str) else value


def _write_rows(kind: str, out: BinaryIO, columns: Sequence[Column], rows: Iterator[dict[str, Any]]) -> tuple[int, int]:
    writer, count, line = WRITERS[kind](out, columns), 0, PassingLine(shows=not out.isatty())
    for count, row in enumerate(rows, 1):
        writer.write(row)
        line.show("{:,} rows", count)
    writer.close()
    line.end()
    return count - writer.left_out, writer.left_out


def _print_message(sentence: str) -> None:
    say_aside(sentence)
