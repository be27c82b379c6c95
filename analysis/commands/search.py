"""`scrapy search`: full-text search over collected pages and posts."""

import argparse
import csv
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from analysis.spans import zone_of
from crawler.command_line import QuietCommand, printable, say_aside, write_out
from crawler.config import shown
from crawler.printed_tables import print_table
from pipelines.exporting import spreadsheet_cell
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Store, StoreError

if TYPE_CHECKING:
    from analysis.search import Found, Hit, ZeroReasons

_FORMATS = ("table", "jsonl", "csv")
_COLUMNS = ("score", "at", "host", "kind", "title", "url", "passage", "page", "record", "topic")
_FILTERS = ("host", "kind", "topic", "language", "since", "until")


class Command(QuietCommand):
    """Prints hits, best first, or counts them."""

    examples = (
        "scrapy search 地铁 开通                                  both words, the best pages first",
        "scrapy search '\"地铁三号线\" OR 轻轨 -事故' --since 7d      a phrase or a word, without another word",
        "scrapy search 'title:地铁 host:example.com kind:article'  in titles of one site",
        "scrapy search 地铁 --count day --format csv              how many hits each day",
        "scrapy search 侨务 --format jsonl --limit 0 > hits.jsonl  all hits, for a program",
    )
    usage = "QUERY [options]"
    summary = "Search titles, texts and posts of everything collected"
    description = (
        'All words must match; use OR, NOT (or -), brackets and "exact phrases". Fields: title: author: site: '
        "kind: topic: language: since: until:, excluded as in -site:. Chinese words may be of any length, simplified or traditional. "
        "The index is written by `scrapy analysis run`."
    )
    takes_arguments = True

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        for name, metavar, meaning in (
            ("host", "HOST", "only this host and those below it"),
            ("kind", "KIND", "only this kind: article, list, …; of records post, comment, …"),
            ("topic", "TOPIC", "only pages of this topic"),
            ("language", "LANGUAGE", "only pages in this language: zh, en, …"),
            ("since", "TIME", "published since then: 2026-11-20, 2026-11-20T08:30 or an age: 24h, 7d"),
            ("until", "TIME", "the same; a date includes the whole day"),
        ):
            parser.add_argument(f"--{name}", default="", metavar=metavar, help=meaning)
        parser.add_argument("--limit", type=int, default=10, metavar="N", help="at most N hits (10); 0: all")
        parser.add_argument("--offset", type=int, default=0, metavar="N", help="leave out the first N hits")
        parser.add_argument("--count", choices=("day", "host"), help="print the number of hits per day or host")
        parser.add_argument("--format", choices=_FORMATS, default="table", help="table (default), jsonl or csv")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Words that begin with "-" and are not options belong to the query."""
        unknown = [word for word in args if word.startswith("--")]
        super().process_options(unknown, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Exit code 1 if nothing is found or the query is invalid."""
        from analysis.search import QueryError  # loads numpy and dictionaries

        stopped = "stopped; the output is not complete"
        with self.reporting(StoreError, QueryError, stopped=stopped), self.store() as store:
            self._search(store, _query(args, opts), opts)

    def _search(self, store: Store, query: str, opts: argparse.Namespace) -> None:
        from analysis.search import Searcher, hits, verified, zero_reasons

        if opts.limit < 0 or opts.offset < 0:
            raise StoreError("--limit and --offset must not be negative")
        searcher, zone = Searcher(store), zone_of(self.values)
        now = datetime.now(zone)
        found = verified(store, searcher.search(query, now), query)
        if opts.count:
            counts = found.per_day(zone) if opts.count == "day" else found.per_host()
            rows: Iterator[Mapping[str, Any]] = ({opts.count: name, "hits": count} for name, count in counts.items())
            _print_rows((opts.count, "hits"), rows, opts.format)
        else:
            end = opts.offset + opts.limit if opts.limit else None
            shown_hits = itertools.islice(hits(store, found, query, exact=found.exact), opts.offset, end)
            _print_hits(shown_hits, opts.format, zone)
        say_aside(_sentence(store, found))
        if not len(found):
            print_reasons(zero_reasons(store, searcher, query, now))
            self.exitcode = 1


def _query(args: list[str], opts: argparse.Namespace) -> str:
    """The words, and the options as fields. An argument with a space inside may be a whole query."""
    fields = [f'{name}:"{getattr(opts, name)}"' for name in _FILTERS if getattr(opts, name)]
    words = " ".join(args)
    return " ".join([f"({words})" if fields and words else words, *fields])


def _sentence(store: Store, found: "Found") -> str:
    waiting = store.count(ANALYSIS_QUEUE)
    late = f"; {waiting:,} changed pages are not indexed yet: run scrapy analysis run" if waiting else ""
    return f"{'' if found.exact else 'about '}{len(found):,} hits in {store.location}{late}"


def print_reasons(reasons: "ZeroReasons") -> None:
    """Why nothing was found."""
    for title, parts in (("alone", reasons.alone), ("without", reasons.without), ("near", reasons.near)):
        for part in parts:
            say_aside(f"  {shown(title)}  {part.text}: {part.count:,} hits")


def _print_hits(found: Iterable["Hit"], kind: str, zone: tzinfo) -> None:
    if kind == "table":
        for hit in found:
            day = f"{datetime.fromisoformat(hit.at).astimezone(zone):%Y-%m-%d}" if hit.at else ""
            write_out(f"{hit.title or hit.url}\n  {day}  {hit.kind}  {hit.url}\n  {hit.marked()}\n")
    else:
        _print_rows(_COLUMNS, (_row(hit, kind) for hit in found), kind)


def _row(hit: "Hit", kind: str) -> Mapping[str, Any]:
    return asdict(hit) | ({"passage": hit.marked()} if kind == "csv" else {})


def _print_rows(columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]], kind: str) -> None:
    if kind == "jsonl":
        for row in rows:
            write_out(json.dumps(row, ensure_ascii=False))
    elif kind == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([spreadsheet_cell(printable(str(row[name]))) for name in columns] for row in rows)
    else:
        print_table(columns, ([row[name] for name in columns] for row in rows), right_from=1)
