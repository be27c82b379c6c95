"""A report as an Excel workbook: a sheet for each part. Text of pages is never a formula."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.mood import LABELS, MoodSpread
from analysis.report._comparing import before_said
from analysis.report.listed import pages_by_host, pages_by_tag
from analysis.report.model import Report
from analysis.summary import Difference

_SAFE = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
_MAX_TEXT_CHARS = 2_000
_MAX_WIDTH = 60
_MAX_URL_CHARS = 2_000
Rows = Iterable[Sequence[object]]


class ExcelMissingError(Exception):
    """The package that writes workbooks is not installed; the message says how to install it."""


def report_excel(report: Report) -> bytes:
    """The workbook; raises ExcelMissingError without XlsxWriter."""
    try:
        from xlsxwriter import Workbook
    except ImportError:
        raise ExcelMissingError("Excel needs the extra package: pip install 'topicrawl[excel]'") from None
    out = io.BytesIO()
    with Workbook(out, _SAFE) as book:
        bold = book.add_format({"bold": True})
        for name, headings, rows in _sheets(report):
            _write(book.add_worksheet(name), headings, rows, bold)
    return out.getvalue()


def _write(sheet: Any, headings: Sequence[str], rows: Rows, bold: Any) -> None:
    widths = [_width(heading) for heading in headings]
    for column, heading in enumerate(headings):
        sheet.write_string(0, column, heading, bold)
    for line, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            _write_cell(sheet, line, column, value)
            widths[column] = max(widths[column], _width(value))
    sheet.freeze_panes(1, 0)
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(_MAX_WIDTH, width + 2))


def _width(value: object) -> int:
    """In letters; a Chinese one is as wide as two."""
    text = str(value)[:_MAX_WIDTH]
    return sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)


def _write_cell(sheet: Any, line: int, column: int, value: object) -> None:
    if isinstance(value, (int, float)):
        sheet.write_number(line, column, value)
        return
    text = "".join(letter for letter in str(value) if letter.isprintable() or letter == "\n")[:_MAX_TEXT_CHARS]
    if (
        text.startswith(("http://", "https://"))
        and len(text) < _MAX_URL_CHARS
        and sheet.write_url(line, column, text) == 0
    ):
        return
    sheet.write_string(line, column, text)


_Sheet = tuple[str, Sequence[str], Rows]
"""Name, headings, rows."""


def _sheets(report: Report) -> Iterator[_Sheet]:
    w = report.words
    yield w("sheet.overview"), (w("coverage.what"), w("value")), _overview(report)
    yield _events(report)
    yield _hours(report)
    yield from _sites_and_words(report)
    yield _moods(report)
    complaints = ((word, count, _cited(pages)) for word, count, pages in report.complaints)
    yield w("sheet.complaints"), (w("word"), w("negative_posts", n=report.posts_read), w("listed")), complaints
    quotes = ((each.text, each.author, w.known("mood", each.mood), each.page) for each in report.quotes)
    yield w("sheet.quotes"), (w("quote"), w("author"), w("mood"), w("page")), quotes
    yield (
        w("pages"),
        (w("number"), w("time"), w("site"), w("title"), w("mood"), w("address")),
        ((each.number, each.at, each.host, each.title, w.known("mood", each.mood), each.url) for each in report.pages),
    )


def _events(report: Report) -> _Sheet:
    w = report.words
    names = (
        "event",
        "place",
        "first",
        "last",
        "pages",
        "sites",
        "summary",
        "listed",
        "differ.short",
        "mood.pages",
        "mood.posts",
    )
    return w("events"), tuple(map(w, names)), (
        (each.name, each.place, each.first_at, each.last_at, each.page_count, each.site_count, each.summary,
         " ".join(map(str, each.pages)), "; ".join(_difference(one) for one in each.digest.differences),
         w.spread(each.page_moods), w.spread(each.post_moods))
        for each in report.events
    )  # fmt: skip


def _hours(report: Report) -> _Sheet:
    w, trend = report.words, report.trend
    usual = [round(each, 2) if trend.knows_usual else "" for each in trend.usual.tolist()]
    counts = (trend.series.counts.tolist(), usual, trend.total.tolist())
    hours = zip(trend.series.times(), *counts, strict=True)
    headings = tuple(map(w, ("hour", "pages", "usual", "all_topics")))
    return w("sheet.hours"), headings, ((report.clock(hour), *rest) for hour, *rest in hours)


def _sites_and_words(report: Report) -> Iterator[_Sheet]:
    w, hosts, titles = report.words, pages_by_host(report), pages_by_tag(report)
    sites = ((host, count, _cited(hosts.get(host, ()))) for host, count in report.sites)
    yield w("sheet.sites"), (w("site"), w("pages"), w("listed")), sites
    tags = (
        (
            tag.text,
            w.known("kind", tag.kind),
            tag.count,
            tag.before if report.trend.has_before else "",
            round(2**tag.change, 2) if report.trend.has_before else "",
            _cited(titles.get((tag.kind, tag.text), ())),
        )
        for tag in report.tags.tags
    )
    yield w("sheet.words"), tuple(map(w, ("word", "kind", "pages", "earlier", "change", "listed"))), tags


def _moods(report: Report) -> _Sheet:
    w = report.words
    moods = (("pages", report.page_moods), ("posts", report.post_moods))
    headings = ("", *(w(f"mood.{label}") for label in LABELS), w("share"), w("low"), w("high"))
    return w("moods"), headings, ((w(name), *_mood(spread)) for name, spread in moods)


def _cited(pages: Sequence[int]) -> str:
    return " ".join(map(str, pages))


def _difference(found: Difference) -> str:
    values = ", ".join(f"{value} [{' '.join(map(str, pages))}]" for value, pages in found.values)
    return f"{found.what}: {values}"


def _overview(report: Report) -> Rows:
    w, coverage, trend = report.words, report.coverage, report.trend
    yield w("topic"), report.name
    yield w("from"), report.clock(report.since)
    yield w("until"), report.clock(report.until)
    yield w("zone"), report.zone_name
    yield w("pages"), int(report.trend.series.counts.sum())
    yield w("before"), report.before if trend.has_before else before_said(report)
    yield w("posts"), report.posts
    yield w("usual_ratio"), round(trend.coverage, 2) if trend.knows_usual else w("too_little")
    yield w("forecast"), round(trend.forecast.total) if trend.knows_usual else w("too_little")
    if report.waiting:
        yield w("waiting.short"), report.waiting
    for burst in trend.bursts:
        yield w("burst.short", start=report.clock(trend.at(burst.start))), burst.count
    for kind, counts in (("urls", coverage.urls), ("queries", coverage.queries)):
        named = ((w(f"coverage.{kind}", state=w.known("state", state)), count) for state, count in counts.items())
        yield from ((name, count) for name, count in named if count)
    for name, number in (("asked", coverage.asked), ("blocked", coverage.blocked), ("missed", coverage.missed)):
        yield w(f"coverage.{name}"), number
    yield w("coverage.runs"), coverage.runs
    yield w("coverage.failed"), coverage.runs_failed


def _mood(spread: MoodSpread) -> Sequence[object]:
    shares = (spread.negative_share, spread.low, spread.high) if spread.total else (0.0, 0.0, 0.0)
    return (*spread.texts.values(), *(round(share, 3) for share in shares))
