"""A report as Markdown, with page text escaped."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

from analysis.mood import MoodSpread
from analysis.report.listed import pages_by_host, pages_by_tag
from analysis.report.model import Report
from analysis.spans import to_the_minute

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:@=])")
_MAX_TEXT = 300
_MAX_CITED_PAGES = 2


def report_markdown(report: Report) -> str:
    """The Markdown file."""
    return "\n".join(_lines(report)) + "\n"


def _text(text: str, most: int = _MAX_TEXT) -> str:
    clean = "".join(letter if letter.isprintable() else " " for letter in text[:most])
    return escape(_MARKUP.sub(r"\\\1", clean), quote=False)


def _lines(report: Report) -> Iterator[str]:
    for section in (_head, _prose, _events, _sources, _words, _moods, _coverage, _pages):
        yield from section(report)


def _head(report: Report) -> Iterator[str]:
    since, until = map(to_the_minute, (report.since, report.until))
    coming, count = report.trend.forecast, int(report.trend.series.counts.sum())
    yield f"# {_text(report.topic or 'All topics')}, {since} to {until}\n"
    yield f"{count} pages of {report.site_count} sites, {report.posts} posts; {report.before} pages in the period before."
    yield f"Collected in the last day: {report.trend.coverage:.2f} times the usual."
    error = "" if coming.error is None else f"; mean error of earlier forecasts {coming.error:.0%}"
    yield f"Next 24 hours: {coming.total:.0f} pages ({coming.low:.0f} to {coming.high:.0f}{error}).\n"
    for burst in report.trend.bursts:
        yield f"- Burst from {to_the_minute(report.trend.at(burst.start))}: {burst.count} pages, usual {burst.usual:.0f}"


def _prose(report: Report) -> Iterator[str]:
    if report.prose and report.prose.sentences:
        yield f"\n## In short\n\nWritten by a machine ({_text(report.prose.by)}); {report.prose.dropped} sentences were dropped.\n"
        yield from (f"> {_text(text)} {_cited(pages)}" for text, pages in report.prose.sentences)


def _events(report: Report) -> Iterator[str]:
    yield "\n## Events\n"
    for event in report.events:
        pages = " ".join(f"[{number}]" for number in event.pages[:12])
        yield f"- **{_text(event.name)}** ({event.first_at} to {event.last_at}): {event.page_count} pages of {event.site_count} sites"
        yield f"  {_text(event.summary)} {pages}"
        yield f"  - mood: listed pages {event.page_moods.shown}; comments {event.post_moods.shown}"
        yield from (f"  - {_text(each.text)} [{each.page}]" for each in event.digest.sentences)
        for each in event.digest.differences:
            values = "; ".join(f"{_text(value)} {_cited(numbers)}" for value, numbers in each.values)
            yield f"  - numbers differ, {_text(each.what)}: {values}"


def _sources(report: Report) -> Iterator[str]:
    hosts = pages_by_host(report)
    yield "\n## Sources\n\n| site | pages | listed below |\n|---|---|---|"
    yield from (f"| {_text(host)} | {number} | {_cited(hosts.get(host, ())[:12])} |" for host, number in report.sites)


def _words(report: Report) -> Iterator[str]:
    tags = pages_by_tag(report)
    yield f"\n## Words, places, people\n\nTitles of {report.tags.pages} pages, and of {report.tags.pages_before} before.\n"
    yield ", ".join(
        f"{_text(tag.text, 40)} {tag.count} (×{2**tag.change:.1f}) {_cited(tags.get((tag.kind, tag.text), ())[:_MAX_CITED_PAGES])}"
        for tag in report.tags.tags
    )


def _moods(report: Report) -> Iterator[str]:
    yield "\n## Mood\n\n| | positive | neutral | negative | unsure | negative share (95 %) |\n|---|---|---|---|---|---|"
    yield _mood_row("pages", report.page_moods)
    yield _mood_row("posts", report.post_moods)
    yield ""
    if report.complaints:
        said = (
            f"{_text(word, 40)} ({count}) {_cited(pages[:_MAX_CITED_PAGES])}"
            for word, count, pages in report.complaints
        )
        yield f"Complaints: {', '.join(said)}\n"
    yield from (f"> {_text(quote.text)} ({quote.mood}) [{quote.page}]\n" for quote in report.quotes)


def _coverage(report: Report) -> Iterator[str]:
    yield "## Coverage\n"
    coverage = report.coverage
    yield f"- requested: {coverage.asked} URLs and queries; blocked: {coverage.blocked}; missed: {coverage.missed}"
    yield from (f"- URLs {state}: {number}" for state, number in report.coverage.urls.items() if number)
    yield from (
        f"- queries of engines, {state}: {number}" for state, number in report.coverage.queries.items() if number
    )
    yield f"- runs ended: {report.coverage.runs}, failed: {report.coverage.runs_failed}"


def _pages(report: Report) -> Iterator[str]:
    yield "\n## Pages\n"
    yield from (
        f"- [{page.number}] {page.at} {_text(page.host)}: {_link(page.url, page.title)}" for page in report.pages
    )
    if report.left_out:
        yield f"\n{report.left_out} more pages are counted and not listed."


def _cited(pages: Iterable[int]) -> str:
    return " ".join(f"[{number}]" for number in pages)


def _mood_row(name: str, spread: MoodSpread) -> str:
    share = f"{spread.negative_share:.0%} ({spread.low:.0%} to {spread.high:.0%})" if spread.total else "–"
    return f"| {name} | {' | '.join(str(number) for number in spread.texts.values())} | {share} |"


def _link(url: str, title: str) -> str:
    """Only web addresses become links, with what would end a link encoded."""
    if not url.startswith(("http://", "https://")):
        return _text(title, 120)
    return f"[{_text(title, 120)}](<{quote(url, safe='/:?=&%#+,;@!*~.-_')}>)"
