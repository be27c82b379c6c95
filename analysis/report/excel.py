"""A report as an Excel workbook: a sheet for each part. Text of pages is never a formula."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analysis.mood import MoodSpread
from analysis.report.listed import pages_by_host, pages_by_tag
from analysis.report.model import Report
from analysis.spans import to_the_minute
from analysis.summary import Difference

_SAFE = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
_MAX_TEXT_CHARS = 2_000
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
    for column, heading in enumerate(headings):
        sheet.write_string(0, column, heading, bold)
    for line, row in enumerate(rows, 1):
        for column, value in enumerate(row):
            _write_cell(sheet, line, column, value)
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(headings) - 1, 18)


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
    yield "Overview", ("What", "Value"), _overview(report)
    yield _events(report)
    yield _hours(report)
    yield from _sites_and_words(report)
    yield _moods(report)
    complaints = ((word, count, _cited(pages)) for word, count, pages in report.complaints)
    yield "Complaints", ("Word", "Negative posts", "Listed pages"), complaints
    yield "Quotes", ("Quote", "Author", "Mood", "Page"), ((q.text, q.author, q.mood, q.page) for q in report.quotes)
    yield (
        "Pages",
        ("Number", "Time", "Site", "Title", "Mood", "Address"),
        ((page.number, page.at, page.host, page.title, page.mood, page.url) for page in report.pages),
    )


_EVENT_HEADINGS = (
    *("Event", "Place", "First report", "Last report", "Pages", "Sites", "Summary", "Listed pages"),
    *("Numbers that differ", "Mood of listed pages", "Mood of comments"),
)


def _events(report: Report) -> _Sheet:
    return "Events", _EVENT_HEADINGS, (
        (each.name, each.place, each.first_at, each.last_at, each.page_count, each.site_count, each.summary,
         " ".join(map(str, each.pages)), "; ".join(_difference(one) for one in each.digest.differences),
         each.page_moods.shown, each.post_moods.shown)
        for each in report.events
    )  # fmt: skip


def _hours(report: Report) -> _Sheet:
    trend = report.trend
    counts = (trend.series.counts.tolist(), [round(each, 2) for each in trend.usual.tolist()], trend.total.tolist())
    hours = zip(trend.series.times(), *counts, strict=True)
    return "Hours", ("Hour", "Pages", "Usual", "All topics"), ((to_the_minute(hour), *rest) for hour, *rest in hours)


def _sites_and_words(report: Report) -> Iterator[_Sheet]:
    hosts, titles = pages_by_host(report), pages_by_tag(report)
    sites = ((host, count, _cited(hosts.get(host, ()))) for host, count in report.sites)
    yield "Sites", ("Site", "Pages", "Listed pages"), sites
    tags = (
        (
            tag.text,
            tag.kind,
            tag.count,
            tag.before,
            round(2**tag.change, 2),
            _cited(titles.get((tag.kind, tag.text), ())),
        )
        for tag in report.tags.tags
    )
    yield "Words", ("Word", "Kind", "Pages", "Before", "Change of share", "Listed pages"), tags


def _moods(report: Report) -> _Sheet:
    moods = (("Pages", report.page_moods), ("Posts", report.post_moods))
    headings = ("", "positive", "neutral", "negative", "unsure", "negative share", "from", "to")
    return "Mood", headings, ((name, *_mood(spread)) for name, spread in moods)


def _cited(pages: Sequence[int]) -> str:
    return " ".join(map(str, pages))


def _difference(found: Difference) -> str:
    values = ", ".join(f"{value} [{' '.join(map(str, pages))}]" for value, pages in found.values)
    return f"{found.what}: {values}"


def _overview(report: Report) -> Rows:
    coverage, coming = report.coverage, report.trend.forecast
    yield "Topic", report.topic or "All topics"
    yield "From", to_the_minute(report.since)
    yield "To", to_the_minute(report.until)
    yield "Pages", int(report.trend.series.counts.sum())
    yield "Pages in the period before", report.before
    yield "Posts", report.posts
    yield "Collected in the last day / usual", round(report.trend.coverage, 2)
    yield "Pages of the next 24 hours, forecast", round(coming.total)
    for burst in report.trend.bursts:
        yield f"Burst from {to_the_minute(report.trend.at(burst.start))}", burst.count
    for kind, counts in (("addresses", coverage.urls), ("queries", coverage.queries)):
        yield from ((f"{kind}: {state}", count) for state, count in counts.items() if count)
    yield "Requested: URLs and queries", coverage.asked
    yield "Blocked by rules or engines", coverage.blocked
    yield "Missed: no usable response", coverage.missed
    yield "Runs", coverage.runs
    yield "Runs that failed", coverage.runs_failed


def _mood(spread: MoodSpread) -> Sequence[object]:
    shares = (spread.negative_share, spread.low, spread.high) if spread.total else (0.0, 0.0, 0.0)
    return (*spread.texts.values(), *(round(share, 3) for share in shares))
