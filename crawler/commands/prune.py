"""`scrapy prune`: removes old rows while crawls run."""

import argparse
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command_line import PassingLine, QuietCommand, is_confirmed, say, say_aside
from pipelines.pruning import PRUNABLE, PruneTarget, complete, prune, prune_target_of
from pipelines.removed_rows import RemovedRows
from pipelines.stores.base import Store, StoreError
from pipelines.stores.filters import comparison
from pipelines.stores.tables import TABLES


class Command(QuietCommand):
    """Counts, asks, removes, and releases the disk space."""

    examples = (
        "scrapy prune --before 90d --dry-run                      rows that would be removed, by table",
        "scrapy prune --before 90d                                pages last collected over 90 days ago, with their rows",
        "scrapy prune --before 30d --where 'relevance < 0.5' --yes    without confirmation, for a scheduled job",
        "scrapy prune --before 7d --table sources,versions        only these tables",
        "scrapy prune --before 90d --export old --yes             first export them to Parquet files by month, for DuckDB",
    )
    usage = "--before TIME [options]"
    summary = "Remove old rows: pages with all that belongs to them, or other tables"
    description = (
        "Remove old rows in small steps while crawls run. A page is removed with its source, links, records, versions and "
        "reposts, and from the search index. Seen addresses stay known, so that a crawl does not fetch removed pages "
        "again; --table urls removes them from the database too. With --export each row is durable in a Parquet file "
        "before it is removed. After Ctrl-C or a kill, run it again to continue."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What goes")
        group.add_argument(
            "--before", default="", metavar="TIME", help="2026-08-01, 2026-08-01T08:30 or an age: 24h, 90d"
        )
        group.add_argument("--table", default="pages", metavar="A,B,…", help=f"{', '.join(PRUNABLE)} (default: pages)")
        group.add_argument(
            "--where",
            action="append",
            default=[],
            metavar="'COLUMN OPERATOR VALUE'",
            help="only rows that match, as for scrapy export; several --where must all match",
        )
        group.add_argument(
            "--by", default="", metavar="COLUMN", help="the time column of --before (default: when collected)"
        )
        group.add_argument(
            "--export",
            default="",
            metavar="FOLDER",
            help="write the rows to FOLDER/TABLE/month=YYYY-MM/*.parquet before they are removed",
        )
        group.add_argument("--dry-run", action="store_true", help="only count what would be removed")
        group.add_argument("--yes", action="store_true", help="remove without confirmation")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not opts.before:
            raise UsageError("name an age, for instance --before 90d", print_help=False)
        with self.reporting(StoreError, stopped="stopped; run the same command again to continue"):
            self._prune(opts)

    def _prune(self, opts: argparse.Namespace) -> None:
        now = datetime.now(UTC)
        aims = [_aim(name.strip(), opts, now) for name in opts.table.split(",") if name.strip()]
        with self.store() as store:
            if opts.dry_run or not opts.yes:
                counts = _done(store, aims, dry=True)
                say(_table("would go" if opts.dry_run else "will go", counts))
                if opts.dry_run or not counts:
                    return
                _confirm(store)
            with _archive(opts.export) as archive:
                if archive:
                    complete(store, archive)
                say(_table("removed", _done(store, aims, dry=False, archive=archive)))
                if archive:
                    say_aside(f"{archive.rows:,} rows are in {opts.export}")
            if sentence := store.give_back():
                say_aside(sentence)


def _aim(name: str, opts: argparse.Namespace, now: datetime) -> PruneTarget:
    where = [comparison(TABLES[name], text) for text in opts.where] if name in TABLES else []
    return prune_target_of(name, opts.before, opts.by, where, now)


def _archive(folder: str) -> AbstractContextManager[RemovedRows | None]:
    """Raises StoreError if the folder cannot be used."""
    return RemovedRows(Path(folder)) if folder else nullcontext()


def _done(store: Store, aims: list[PruneTarget], *, dry: bool, archive: RemovedRows | None = None) -> Counter[str]:
    total, line, count = Counter[str](), PassingLine(), "{:,} rows found" if dry else "{:,} rows removed"

    def report(counts: Counter[str]) -> None:
        line.show(count, total.total() + counts.total())

    for aim in aims:
        total += prune(store, aim, report, dry=dry, archive=archive)
    line.end()
    return total


def _table(verb: str, counts: Counter[str]) -> str:
    lines = [f"{count:>14,}  {name}" for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]
    return "\n".join([f"{verb}:", *lines]) if lines else "nothing is that old"


def _confirm(store: Store) -> None:
    """Raises StoreError unless the user confirms."""
    answer = is_confirmed(f"Remove them from {store.location}?")
    if answer is None:
        raise StoreError("There is no terminal to confirm on; add --yes to remove these rows.")
    if not answer:
        raise StoreError("nothing was removed")
