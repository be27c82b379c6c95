"""`scrapy extract`: the results of the extractors on one page."""

import codecs
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any, ClassVar

from scrapy.exceptions import UsageError

from crawler.command_line import FetchingCommand, say_aside, write_out
from crawler.config import shown
from crawler.config.sites import read_sites
from crawler.config.yaml_file import DeclarationError
from crawler.documents import document_limits
from crawler.download.one_shot import fetch_page
from extractors.article import METHODS, Article, extract
from extractors.article.explain import BlockVerdict, explain
from extractors.documents import DocumentError, document_page, document_type, read_document
from extractors.links.urls import host_of
from extractors.page import Page, SiteRules
from extractors.records import Record

_MIN_SHOWN_PROBABILITY = 0.1
"""Blocks with less share one line."""
_MAX_FOLDED_BLOCKS = 6
_LINE_CHARS = 100
_MAX_RECORD_LINES = 12
"""Shown lines of one record's text; --json has all."""


@dataclass(frozen=True, slots=True)
class View:
    """The output of one method: values for --json, and lines for people."""

    values: Callable[[Page], Any]
    lines: Callable[[Page], Iterable[str]]


class Command(FetchingCommand):
    """Reads a URL, a file or standard input and prints what the extractors find."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}
    examples = (
        "scrapy extract https://some.site/news/1.html               the article, for people",
        "scrapy extract page.html --url https://some.site/ --json   the article of a saved page, for programs",
        "scrapy extract page.html --method blocks                   why each block is in the main text or not",
        "scrapy extract page.html --format markdown                 the main text with its structure, for language models",
        "scrapy extract report.pdf                                  the text of a document: PDF, plain text, Word",
        "scrapy extract thread.html --method records                posts, comments, reviews, lines of a list",
        "curl -s https://some.site/ | scrapy extract - --method density",
    )
    usage = "[options] URL|FILE|-"
    summary = "Show what the extractors find in one page"
    description = (
        "Show the article, its blocks with their scores and reasons, the records (posts, comments, reviews, lines "
        "of a thread list), the links or the source of one page: an address, a saved file, or standard input (-)."
    )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("What to show")
        group.add_argument(
            "--method",
            default="default",
            metavar="NAME",
            help=f"one of {', '.join(views())} (default: default)",
        )
        group.add_argument(
            "--captions",
            choices=("all", "none"),
            help="captions of pictures: all of those in the main text, or none (default: as the method judges each)",
        )
        group.add_argument(
            "--format",
            choices=("text", "markdown"),
            default="text",
            help="markdown: only the main text, with its headings, lists, quotes, code, tables, links and pictures",
        )
        group.add_argument("--json", action="store_true", help="print JSON instead of text")
        group.add_argument("--url", default="", help="the address of a FILE or of standard input, for relative links")
        group.add_argument("--charset", default="", help="the charset of the page (default: detected)")

    def run(self, args: list[str], opts: Namespace) -> None:
        _check_charset(opts.charset)
        if len(args) != 1:
            raise UsageError("Name one page: scrapy extract https://some.site/ (or a file, or -)", print_help=False)
        if opts.method not in views():
            message = f"There is no method {opts.method!r}. There are: {', '.join(views())}."
            raise UsageError(message, print_help=False)
        page = self._page(args[0], opts)
        if page is None:
            self.exitcode = 1
            return
        if opts.format == "markdown":
            write_out(page.markdown or shown("(no main text was found)"))
            return
        view = views({"all": True, "none": False}.get(opts.captions))[opts.method]
        if opts.json:
            write_out(json.dumps(view.values(page), ensure_ascii=False, indent=2, default=str))
        else:
            write_out("\n".join(view.lines(page)))

    def _page(self, source: str, opts: Namespace) -> Page | None:
        if source.startswith(("http://", "https://")):
            return self._fetched(source, opts.charset)
        try:
            body = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            hint = "" if Path(source).exists() else "; an address begins with http:// or https://"
            raise UsageError(f"{source} cannot be read: {reason}{hint}", print_help=False) from None
        said = "text/plain" if source.lower().endswith((".txt", ".text")) else ""
        found = self._read(body, opts.url or (source if source != "-" else ""), said)
        return found or Page(body, opts.url, charset=opts.charset, rules=self._rules(opts.url))

    def _read(self, body: bytes, url: str, content_type: str) -> Page | None:
        """The page of a document; None if the body is not a document. Raises UsageError for an unreadable one."""
        kind = document_type(body, content_type, url)
        if kind is None:
            return None
        try:
            content = read_document(body, kind, document_limits(self.values), content_type)
        except DocumentError as error:
            raise UsageError(f"The {kind} document cannot be read: {error}.", print_help=False) from None
        return document_page(body, url, content)

    def _fetched(self, url: str, charset: str) -> Page | None:
        fetched = fetch_page(self.process, url)
        if fetched.error:
            say_aside(f"{url} was not fetched: {fetched.error}")
            return None
        if fetched.status != 200:
            say_aside(f"{fetched.url} answered HTTP {fetched.status}; the body of that answer:")
            self.exitcode = 1
        found = self._read(fetched.body, fetched.url, fetched.content_type)
        if found:
            return found
        rules = self._rules(fetched.url)
        return Page(fetched.body, fetched.url, content_type=fetched.content_type, charset=charset, rules=rules)

    def _rules(self, url: str) -> SiteRules | None:
        """The rules of the site in its file in the settings. Raises UsageError for a mistake in a file."""
        try:
            return read_sites(self.values).rules(host_of(url)) if url else None
        except DeclarationError as error:
            raise UsageError(str(error), print_help=False) from None


def views(captions: bool | None = None) -> dict[str, View]:
    articles = {method: _article_view(method, captions) for method in METHODS}
    return articles | {
        "blocks": View(lambda page: [asdict(verdict) for verdict in explain(page)], _block_lines),
        "records": View(lambda page: {"url": page.url, **asdict(page.records)}, _record_lines),
        "links": View(
            lambda page: [asdict(link) for link in page.links],
            lambda page: (f"{link.url}\t{link.text}" for link in page.links),
        ),
        "source": View(lambda page: {"charset": page.charset, "source": page.text}, lambda page: [page.text]),
    }


def _article_view(method: str, captions: bool | None) -> View:
    def read(page: Page) -> Article:
        is_own = method == "default" and captions is None  # a document has only one article
        return page.article if is_own else extract(page, method, captions)

    return View(
        lambda page: {"url": page.url, "charset": page.charset, **asdict(read(page))},
        lambda page: _article_lines(page, read(page), counted=method == "default"),
    )


def _article_lines(page: Page, article: Article, counted: bool) -> Iterable[str]:
    values = asdict(article) | {"keywords": ", ".join(article.keywords), "confidence": f"{article.confidence:.2f}"}
    values |= {"url": page.url, "charset": page.charset}
    text = values.pop("text")
    if counted and page.records.records:
        values["records"] = shown(f"{len(page.records.records)} ({page.records.kind}); --method records shows them")
    width = max(map(len, values))
    yield from (f"{name:<{width}}  {value}" for name, value in values.items() if value)
    yield ""
    yield text or shown("(no main text was found)")


def _block_lines(page: Page) -> Iterable[str]:
    """Selected blocks (+) and likely ones, with reasons; adjacent unlikely blocks share a line."""
    verdicts = explain(page)
    chosen = sum(verdict.chosen for verdict in verdicts)
    yield shown(
        f"{len(verdicts)} blocks, {chosen} of them in the main text (+); each with probability, element and reasons"
    )
    for clear, run in groupby(
        verdicts, key=lambda verdict: not verdict.chosen and verdict.probability < _MIN_SHOWN_PROBABILITY
    ):
        if clear:
            yield from _folded(list(run))
        else:
            for verdict in run:
                yield f"{'+' if verdict.chosen else '-'} {verdict.probability:.2f}  {_one_line(verdict.text, 100)}"
                yield f"        {verdict.element[:60]}: {'; '.join(verdict.reasons)}"


def _folded(run: list[BlockVerdict]) -> Iterable[str]:
    texts = " / ".join(_one_line(verdict.text, 20) for verdict in run[:_MAX_FOLDED_BLOCKS])
    more = " / …" if len(run) > _MAX_FOLDED_BLOCKS else ""
    count = shown("1 block" if len(run) == 1 else f"{len(run)} blocks")
    yield f"        {count} < {_MIN_SHOWN_PROBABILITY}: {texts}{more}"


def _one_line(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _record_lines(page: Page) -> Iterable[str]:
    """The kind of page and its next page, then each record; nested records are indented."""
    found = page.records
    if not found.records:
        yield shown("(no records were found)")
        return
    yield shown(f"{found.kind}: {len(found.records)} records, confidence {found.confidence:.2f}")
    if found.first_page:
        yield shown(f"continues: {found.first_page}")
    if found.next_page:
        yield shown(f"next page: {found.next_page}")
    levels: list[int] = []
    for number, record in enumerate(found.records):
        levels.append(levels[record.parent] + 1 if 0 <= record.parent < number else 0)
        yield ""
        yield from ("    " * min(levels[-1], 8) + line for line in _one_record(number, record))


def _one_record(number: int, record: Record) -> Iterable[str]:
    counts = (("replies", record.replies), ("views", record.views), ("likes", record.likes), ("floor", record.floor))
    time = record.time if record.time in ("", record.time_text) else f"{record.time} ({record.time_text})"
    last = [shown(f"last answered {record.last_time or record.last_time_text}")] if record.last_time_text else []
    facts = [
        record.author,
        time or record.time_text,
        *last,
        *(f"{shown(name)} {value}" for name, value in counts if value),
    ]
    yield f"[{number + 1}] " + " · ".join(each for each in facts if each)
    if record.title or record.url:
        yield f"    {record.title}  {record.url}".rstrip()
    if record.quote:
        yield from (f"    > {line}" for line in _shortened(record.quote))
    if record.own_text:
        yield from (f"    {line}" for line in _shortened(record.own_text))


def _shortened(text: str) -> list[str]:
    lines = [part for line in text.split("\n") for part in wrap(line, _LINE_CHARS)]
    return lines if len(lines) <= _MAX_RECORD_LINES else [*lines[: _MAX_RECORD_LINES - 1], "…"]


def _check_charset(name: str) -> None:
    try:
        codecs.lookup(name or "utf-8")
    except LookupError:
        raise UsageError(f"{name!r} is not a charset that Python knows, such as gb18030.", print_help=False) from None
