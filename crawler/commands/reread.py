"""`scrapy reread`: reads stored pages again from their sources."""

import argparse

from scrapy.exceptions import UsageError

from crawler.command_line import PassingLine, QuietCommand, say
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.documents import document_limits
from crawler.printed_tables import print_table
from pipelines.rereading import RereadOutcome, RereadPlan, reread
from pipelines.site_boilerplate import SiteMemories
from pipelines.stores.base import StoreError
from pipelines.stores.filters import comparison
from pipelines.stores.tables import PAGES

_KINDS = ("changed", "filled", "emptied")


class Command(QuietCommand):
    """Reads pages, writes changed rows, and reports the changes."""

    examples = (
        "scrapy reread --dry-run --limit 200                      what would change, tried on 200 pages",
        "scrapy reread                                            all pages; after Ctrl-C run it again to continue",
        "scrapy reread --where 'host = news.example'              one site, once its repeated lines are known",
        "scrapy reread --where 'kind = list' --again              lists, from the beginning even after a stopped run",
    )
    usage = "[options]"
    summary = "Read stored pages again, after an upgrade or once the repeated lines of their sites are known"
    description = (
        "Read stored pages again from their sources, in place: text, title, author, times, kind, records. Do it after an "
        "upgrade, and after the first crawl of a site, when the lines that its pages repeat are known. Relevance stays as "
        "it was. Ends with a table of the changes. After Ctrl-C or a kill, run it again with the same conditions to continue."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to read")
        group.add_argument(
            "--where",
            action="append",
            default=[],
            metavar="'COLUMN OPERATOR VALUE'",
            help="only pages that match, as for scrapy export; several --where must all match",
        )
        group.add_argument("--limit", type=int, default=0, metavar="N", help="at most N pages")
        group.add_argument("--again", action="store_true", help="start from the beginning even after a stopped run")
        group.add_argument("--dry-run", action="store_true", help="only report what would change")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.limit < 0:
            raise UsageError("--limit must be 1 or more", print_help=False)
        with (
            self.reporting(StoreError, DeclarationError, stopped="stopped; run it again to continue"),
            self.store() as store,
        ):
            line = PassingLine()

            def report(outcome: RereadOutcome) -> None:
                pages = outcome.pages
                line.show("{:,} pages read, {:,} changed", pages["read"], pages["changed"])

            found = reread(store, self._plan(opts), report, again=opts.again)
            line.end()
            _print(found, dry=opts.dry_run)
            if opts.where and not store.count(PAGES, [comparison(PAGES, text) for text in opts.where], limit=1):
                self.fail("no stored page meets these conditions")

    def _plan(self, opts: argparse.Namespace) -> RereadPlan:
        settings = self.values
        records = settings.getbool("DISCUSSION_ENABLED", True)
        memories = SiteMemories(records=records)
        return RereadPlan(
            tuple(comparison(PAGES, text) for text in opts.where),
            opts.limit,
            records=records,
            markdown=settings.getbool("KEEP_MARKDOWN"),
            memories=memories if settings.getbool("SITE_MEMORY", True) else None,
            queue=settings.getbool("ANALYSIS_ENABLED", True),
            dry=opts.dry_run,
            limits=document_limits(settings),
            rules=read_sites(settings).rules,
        )


def _print(outcome: RereadOutcome, *, dry: bool) -> None:
    """A sentence about pages, a table of columns, a sentence about records."""
    pages, records = outcome.pages, outcome.records
    read, changed = pages["read"], pages["changed"]
    say(f"{read:,} pages read, {changed:,} would change" if dry else f"{read:,} pages read, {changed:,} changed")
    for name, sentence in (
        ("without source", "pages have no stored source (KEEP_SOURCE); they stay as they are"),
        ("failed", "pages could not be read; they stay as they are"),
        ("fetched again", "pages were fetched in the meantime; they stay as the crawl has read them"),
    ):
        if pages[name]:
            say(f"{pages[name]:,} {sentence}")
    names = sorted({name.rpartition(" ")[0] for name in outcome.columns})
    rows = [(name, *(outcome.columns[f"{name} {kind}"] for kind in _KINDS)) for name in names]
    if rows:
        print_table(("column", *_KINDS), rows, right_from=1)
    if records.total():
        say(f"records: {records['new']:,} new, {records['changed']:,} changed, {records['removed']:,} removed")
