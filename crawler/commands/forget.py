"""`scrapy forget`: removes the names of authors and keeps their texts."""

import argparse
from collections import Counter
from datetime import UTC, datetime

from crawler.command_line import PassingLine, QuietCommand, is_confirmed, say
from pipelines.forgetting import FORGETTABLE, ForgetRequest, forget, forget_request_of
from pipelines.stores.base import Store, StoreError


class Command(QuietCommand):
    """Counts, asks, and forgets."""

    examples = (
        "scrapy forget --before 90d --dry-run           count the names in posts collected more than 90 days ago",
        "scrapy forget --before 90d --yes               without a question, for a scheduled job",
        "scrapy forget --author 张三                     one person, in posts, bylines and rows of reposts",
        "scrapy forget --author http://a.site/user/7    the same person by the address of a profile",
    )
    usage = "--before TIME|--author NAME [options]"
    summary = "Forget the names of authors; their texts stay"
    description = (
        "Empties names and addresses of profiles, and removes the stored sources of those pages, in small steps while crawls "
        "run. Texts stay unchanged, even where they name people. A page that is collected again brings its names back. "
        "After Ctrl-C, run it again to continue; the audit records how many rows were changed."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to forget")
        group.add_argument(
            "--before",
            default="",
            metavar="TIME",
            help="collected before 2026-08-01, 2026-08-01T08:30 or an age: 24h, 90d",
        )
        group.add_argument("--author", default="", metavar="NAME", help="only this name, or this address of a profile")
        group.add_argument(
            "--table",
            default="",
            metavar="A,B,…",
            help=f"{', '.join(FORGETTABLE)} (default: records; with --author all)",
        )
        group.add_argument(
            "--keep-sources", action="store_true", help="keep the sources of pages, which contain the names too"
        )
        group.add_argument("--dry-run", action="store_true", help="only count what would be forgotten")
        group.add_argument("--yes", action="store_true", help="forget without a question")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """The exit code is 1 for contradictory options, and without confirmation."""
        with self.reporting(StoreError, stopped="stopped; run it again to continue"):
            self._forget(opts)

    def _forget(self, opts: argparse.Namespace) -> None:
        tables = [name.strip() for name in opts.table.split(",") if name.strip()]
        wish = forget_request_of(tables, opts.author, opts.before, datetime.now(UTC), sources=not opts.keep_sources)
        with self.store() as store:
            if opts.dry_run or not opts.yes:
                counts = _done(store, wish, dry=True)
                say(_table("would be forgotten" if opts.dry_run else "will be forgotten", counts))
                self.exitcode = int(bool(opts.author) and not counts)  # a name that nobody has may be misspelt
                if opts.dry_run or not counts:
                    return
                _confirm(store)
            say(_table("forgotten", _done(store, wish, dry=False)))


def _done(store: Store, wish: ForgetRequest, *, dry: bool) -> Counter[str]:
    line, found = PassingLine(), "{:,} rows found" if dry else "{:,} rows changed"
    counts = forget(store, wish, lambda counts: line.show(found, counts.total()), dry=dry)
    line.end()
    return counts


def _table(verb: str, counts: Counter[str]) -> str:
    what = {"sources": "sources of pages, removed", "list_states": "answers of lists, removed"}
    lines = [f"{count:>14,}  {what.get(name, f'names in {name}')}" for name, count in sorted(counts.items())]
    return "\n".join([f"{verb}:", *lines]) if lines else "there is no such name"


def _confirm(store: Store) -> None:
    """Raises StoreError unless the user confirms."""
    answer = is_confirmed(f"Forget them in {store.location}? This cannot be undone.")
    if answer is None:
        raise StoreError("There is no terminal to confirm on; add --yes to forget these names.")
    if not answer:
        raise StoreError("nothing was forgotten")
