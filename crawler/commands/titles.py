"""`scrapy titles`: compare two titles, explain a repost, rebuild all stories, write the graph of reposts."""

import argparse
import io
import sys
from collections.abc import Mapping
from typing import Any

from scrapy.exceptions import UsageError

from crawler.command_line import PassingLine, QuietCommand, say, say_aside, whole_file, write_out
from crawler.config import shown
from extractors.links.urls import host_of, url_key
from extractors.titles import Rule, TitleIndex, cosine, objection, title_text
from extractors.titles.wording import agreement
from pipelines.lease import Lease, LeaseLostError
from pipelines.originals import known_delay
from pipelines.propagation import GRAPHS
from pipelines.stores.base import Condition, Order, StoreError
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.comparer import TitleComparer
from pipelines.titles.opening import JOB, generation_of, load, new_comparer
from pipelines.titles.rebuilding import compare_all
from pipelines.titles.title_requests import UNDECIDED

_ACTIONS = {"rebuild": 0, "check": 2, "explain": 1, "graph": 0}
_BUSY = (
    "another process decides on titles of this database: stop its crawls and its analysis first, or wait for half a "
    "minute if one of them was killed"
)
_NOT_COMPARED = (
    "no process could compare titles when the page was stored; the next crawl or `scrapy analysis run` does it"
)
_GONE = "like a page that is no longer stored"
_UNLIKE = "no earlier title is similar"


class Command(QuietCommand):
    """Reads and rebuilds the decisions on titles."""

    takes_arguments = True
    examples = (
        "scrapy titles check '新华侨涌入-移民-滴答网' '新华侨涌入 - 无忧雅思网'     whether these are the same news, and why",
        "scrapy titles explain https://some.site/news/1.html        why this page is a repost (by URL or key)",
        "scrapy titles rebuild                                      compare all titles of the store again",
        "scrapy titles graph --format graphml -o spread.graphml     who reposts whom, for Gephi or networkx",
    )
    usage = "rebuild | check TITLE TITLE | explain URL-OR-KEY | graph  [options]"
    summary = "Find reposts by title: check, explain, rebuild, and the graph of reposts"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("Graph")
        group.add_argument("--format", choices=tuple(GRAPHS), default="graphml", help="default: graphml")
        group.add_argument("--output", "-o", default="", metavar="FILE", help="write there instead of to stdout")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args or args[0] not in _ACTIONS or len(args) - 1 != _ACTIONS[args[0]]:
            raise UsageError(f"Use: scrapy titles {self.syntax()}; --help shows examples")
        stopped = "stopped; what is stored is complete; run it again to continue"
        with self.reporting(OSError, StoreError, LeaseLostError, ValueError, stopped=stopped):
            getattr(self, f"_{args[0]}")(*args[1:], opts)

    def _check(self, one: str, other: str, _: argparse.Namespace) -> None:
        self._compare((one, ""), (other, ""))

    def _compare(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        new_comparer(self.values)  # wrong settings are reported first
        with self.store(must_exist=False) as store:
            comparer, _ = load(self.values, store, generation_of(Lease(store, JOB)))
        write_out(comparison(comparer, one, other))

    def _explain(self, page: str, _: argparse.Namespace) -> None:
        with self.store() as store:
            row = store.get(PROPAGATION, url_key(page) if "://" in page else page)
            if row is None:
                raise StoreError(f"no titled page {page!r} in {store.location}; give its URL or its key")
            write_out(_page_lines(row))
            original = (
                store.get(PROPAGATION, row["original"]) if row["original"] not in (None, "", row["page"]) else None
            )
            if original is not None:
                write_out(f"{shown('story of')}: {_page_lines(original)}")
            matched = store.get(PROPAGATION, row["matched"]) if row["matched"] else None
            if matched is None:
                say(_NOT_COMPARED if row["verdict"] == UNDECIDED else _GONE if row["matched"] else _UNLIKE)
                return
            write_out(f"{shown('like')}: {matched['title']}\n  {matched['url']}\n{shown(_body_line(row))}")
            self._compare((row["title"], host_of(row["url"])), (matched["title"], host_of(matched["url"])))

    def _rebuild(self, _: argparse.Namespace) -> None:
        new_comparer(self.values)
        with self.store() as store:
            lease = Lease(store, JOB)
            if not lease.gain():
                raise StoreError(_BUSY)
            try:
                with self.store(must_exist=False) as pages:
                    line, total = PassingLine(), store.count(PAGES)
                    count = compare_all(
                        self.values, store, pages, lease, lambda done: line.show("{:,} of {:,} titles", done, total)
                    )
            finally:
                lease.release()
            stories = store.count(PROPAGATION, [Condition("verdict", "=", "original")])
            say_aside(f"{count:,} titles compared, {stories:,} stories with reposts, in {store.location}")

    def _graph(self, opts: argparse.Namespace) -> None:
        with self.store() as store:
            rows = store.select(PROPAGATION, [Condition("reposts", ">", 0)], [Order("story"), Order("published")])
            if opts.output:
                with whole_file(opts.output) as file, io.TextIOWrapper(file, encoding="utf-8") as out:
                    count = GRAPHS[opts.format](rows, out)
            else:
                count = GRAPHS[opts.format](rows, sys.stdout)
            say_aside(f"{count:,} reposts")


def _body_line(row: Mapping[str, Any]) -> str:
    """The separate verdicts of title and first sentences."""
    said = {"same": "the texts are the same", "different": "the texts have nothing in common"}
    body = said.get(row["by_body"] or "", "the texts do not decide")
    return f"by title alone: {row['by_title'] or 'unknown'}; {body} (likeness {row['body_likeness'] or 0:.2f})"


def _page_lines(row: Mapping[str, Any]) -> str:
    facts = [str(row["published"] or ""), str(row["site"] or "")]
    delay = known_delay(row["delay_hours"])
    facts += [shown(f"{delay:g} hours after the original")] if delay else []
    facts += [shown(f"a story of {row['reposts'] + 1} pages")] if row["reposts"] else []
    return f"{shown(row['verdict'])}: {row['title']}\n  {row['url']}\n  {', '.join(filter(None, facts))}"


def comparison(comparer: TitleComparer, one: tuple[str, str], other: tuple[str, str]) -> str:
    """The comparison of two titles with their hosts, term by term, and the verdict."""
    index = comparer.index
    clean = [comparer.learner.without_suffix(*titled) for titled in (one, other)]
    texts = [title_text(title, comparer.segmenter) for title in clean]
    named = [index.named(text) for text in texts]
    numbers = {term: number for number, term in enumerate(sorted({*named[0], *named[1]}))}
    value = cosine(*({numbers[term]: weight for term, weight in weights.items()} for weights in named))
    rule = objection(index.rules, texts[0], texts[1], None, value) if value else ""
    lines = [
        f"{shown('compared')}: {clean[0]}",
        f"     {shown('and')}: {clean[1]}",
        shown(f"among {len(index):,} titles"),
    ]
    for term in sorted(numbers, key=lambda term: -max(named[0].get(term, 0.0), named[1].get(term, 0.0))):
        weights = " ".join(f"{weights.get(term, 0.0):6.2f}" for weights in named)
        lines.append(f"  {weights}  {term}")
    letters = f"letter pairs in common {agreement(texts[0].letters, texts[1].letters):.2f}"
    verdict = shown(_verdict(index, value, rule))
    return "\n".join([*lines, shown(f"cosine {value:.4f}, threshold {index.threshold}, {letters}: {verdict}")])


def _verdict(index: TitleIndex, value: float, rule: Rule) -> str:
    if value >= index.min_cosine and not rule:
        return "repost"
    return f"suspected: the rule on {rule} objects" if value >= index.threshold else "different"
