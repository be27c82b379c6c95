"""A report as one self-contained HTML file: no scripts, no external resources, page text escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from analysis.mood import MoodSpread
from analysis.report.listed import pages_by_host, pages_by_mood, pages_by_tag, pages_within
from analysis.report.model import Report, ReportEvent, ReportPage
from analysis.spans import to_the_minute
from analysis.trend import Burst, trend_svg

_STYLE = (
    "body{font:15px/1.5 sans-serif;color:#111827;overflow-wrap:anywhere;max-width:760px;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.6em}h2{font-size:1.2em;border-bottom:1px solid #d1d5db;margin-top:2em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "td.n,th.n{text-align:right;white-space:nowrap}tr:nth-child(even){background:#f3f4f6}"
    "svg{width:100%;height:auto}.tags span{display:inline-block;margin:0 .5em;max-width:100%}"
    ".wide{overflow-x:auto}"
    "blockquote{margin:.5em 0;padding-left:1em;border-left:3px solid #d1d5db}"
    "small{color:#6b7280}@media print{body{max-width:none;margin:0}.wide{overflow:visible}"
    "a{color:inherit}h2{break-after:avoid}tr,blockquote{break-inside:avoid}}"
)
_MAX_TEXT = 300
_NUMBERS_SHOWN = 12
_MAX_CITED_PAGES = 2


def report_html(report: Report) -> str:
    """The HTML file."""
    name = f"{report.topic or 'All topics'}, {to_the_minute(report.since)} to {to_the_minute(report.until)}"
    parts = [
        '<!doctype html>\n<html><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{_text(name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{_text(name)}</h1>",
        *_overview(report),
        *_prose(report),
        *_events(report.events),
        *_sources(report),
        *_tags(report),
        *_moods(report),
        *_coverage(report),
        *_pages(report),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _text(text: str, most: int = _MAX_TEXT) -> str:
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return escape(clean if len(clean) <= most else f"{clean[: most - 1]}…")


def _overview(report: Report) -> list[str]:
    count, coming = int(report.trend.series.counts.sum()), report.trend.forecast
    error = "" if coming.error is None else f"; mean error of earlier forecasts {coming.error:.0%}"
    bursts = [
        f"<li>Burst from {to_the_minute(report.trend.at(burst.start))}, peak {to_the_minute(report.trend.at(burst.peak))}, "
        + ("continues" if burst.end is None else f"end {to_the_minute(report.trend.at(burst.end))}")
        + f": {burst.count} pages, usual {burst.usual:.0f} {_numbers(_pages_of(report, burst))}</li>"
        for burst in report.trend.bursts
    ]
    return [
        f'<p><a href="#pages">{count} pages</a> of <a href="#sources">{report.site_count} sites</a>, {report.posts} posts; '
        f"{report.before} pages in the period before. Collected in the last day: {report.trend.coverage:.2f} times the usual. "
        f"Next 24 hours: {coming.total:.0f} pages ({coming.low:.0f} to {coming.high:.0f}{error}).</p>",
        trend_svg(report.trend, f"Pages of {report.topic or 'all topics'}"),
        f"<ul>{''.join(bursts)}</ul>" if bursts else "<p>No burst.</p>",
    ]


def _pages_of(report: Report, burst: Burst) -> Sequence[int]:
    trend = report.trend
    end = report.until if burst.end is None else trend.at(burst.end)
    return pages_within(report, trend.at(burst.start), end)


def _numbers(numbers: Sequence[int], most: int = _NUMBERS_SHOWN) -> str:
    shown = " ".join(f'<a href="#p{number}">[{number}]</a>' for number in numbers[:most])
    return f"{shown} …" if len(numbers) > most else shown


def _events(events: Iterable[ReportEvent]) -> list[str]:
    rows = []
    for event in events:
        where = f", {_text(event.place)}" if event.place else ""
        source = f' <a href="#p{event.summary_page}">[{event.summary_page}]</a>' if event.summary_page else ""
        rows.append(
            f"<h3>{_text(event.name)}</h3><p><small>{event.first_at} to {event.last_at}{where}; {event.page_count} pages of "
            f"{event.site_count} sites</small><br>{_text(event.summary)}{source}<br><small>Pages: {_numbers(event.pages)}"
            f"<br>Mood: listed pages {event.page_moods.shown}; comments {event.post_moods.shown}</small></p>"
            f"{_digest(event)}"
        )
    return ["<h2>Events</h2>", *(rows or ["<p>None.</p>"])]


def _digest(event: ReportEvent) -> str:
    """The digest of an event, and numbers that differ between its pages."""
    said = "".join(f"<li>{_text(each.text)} {_numbers((each.page,))}</li>" for each in event.digest.sentences)
    differences = "".join(
        f"<li>{_text(each.what)}: {'; '.join(f'{value} {_numbers(pages)}' for value, pages in each.values)}</li>"
        for each in event.digest.differences
    )
    return (f"<ul>{said}</ul>" if said else "") + (
        f"<p><small>Numbers that differ:</small></p><ul>{differences}</ul>" if differences else ""
    )


def _prose(report: Report) -> list[str]:
    if report.prose is None or not report.prose.sentences:
        return []
    lines = " ".join(f"{_text(text, 400)} {_numbers(pages)}" for text, pages in report.prose.sentences)
    note = (
        f"Written by a machine: {_text(report.prose.by)}. Each sentence cites pages of this report and was compared with their words and "
        f"numbers; {report.prose.dropped} sentences were dropped. Read the pages before you rely on it."
    )
    return ["<h2>In short</h2>", f"<blockquote>{lines}<br><small>{note}</small></blockquote>"]


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int) -> str:
    def line(tag: str, cells: Sequence[object]) -> str:
        joined = (
            f"<{tag}{' class=n' if place >= numbers_from else ''}>{cell}</{tag}>" for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(joined)}</tr>"

    return f"<div class=wide><table>{line('th', headings)}{''.join(line('td', row) for row in rows)}</table></div>"


def _sources(report: Report) -> list[str]:
    listed = pages_by_host(report)
    rows = [(_text(host), _numbers(listed.get(host, ())), count) for host, count in report.sites]
    return ['<h2 id="sources">Sources</h2>', _table(("Site", "Pages listed below", "Pages"), rows, 2)]


def _tags(report: Report) -> list[str]:
    most, listed = max((tag.weight for tag in report.tags.tags), default=1.0), pages_by_tag(report)
    tags = [
        f'<span style="font-size:{0.8 + 1.2 * tag.weight / most:.2f}em" title="{tag.kind}, {tag.before} before">'
        f"{_text(tag.text, 40)} <small>{tag.count}, ×{2**tag.change:.1f} "
        f"{_numbers(listed.get((tag.kind, tag.text), ()), _MAX_CITED_PAGES)}</small></span>"
        for tag in report.tags.tags
    ]
    counted = f"Titles of {report.tags.pages} pages; × is the change of the share against {report.tags.pages_before} pages before."
    note = f"<p><small>{counted}</small></p>"
    return ["<h2>Words, places, people</h2>", f'<p class="tags">{" ".join(tags)}</p>', note]


def _moods(report: Report) -> list[str]:
    rows = [
        _mood_row("Pages", report.page_moods, pages_by_mood(report)),
        _mood_row("Posts", report.post_moods, report.post_pages),
    ]
    found = [
        "<h2>Mood</h2>",
        _table(("", "positive", "neutral", "negative", "unsure", "negative share (95 %)"), rows, 1),
    ]
    found.append("<p><small>By words of opinion in Chinese and English; irony is not understood.</small></p>")
    if report.complaints:
        found.append(
            "<p>Complaints: "
            + ", ".join(
                f"{_text(word, 40)} ({count}) {_numbers(pages, _MAX_CITED_PAGES)}"
                for word, count, pages in report.complaints
            )
            + "</p>"
        )
    found += [
        f'<blockquote>{_text(quote.text)}<br><small>{_text(quote.author, 40)}, {quote.mood} <a href="#p{quote.page}">'
        f"[{quote.page}]</a></small></blockquote>"
        for quote in report.quotes
    ]
    return found


def _mood_row(name: str, spread: MoodSpread, pages: Mapping[str, Sequence[int]]) -> Sequence[object]:
    share = f"{spread.negative_share:.0%} ({spread.low:.0%} to {spread.high:.0%})" if spread.total else "–"
    counts = (
        f"{count} <small>{_numbers(pages.get(label, ()), _MAX_CITED_PAGES)}</small>"
        for label, count in spread.texts.items()
    )
    return (name, *counts, share)


def _coverage(report: Report) -> list[str]:
    coverage = report.coverage
    rows = [
        ("requested: URLs and queries", coverage.asked),
        ("blocked by rules or engines", coverage.blocked),
        ("missed: no usable response", coverage.missed),
    ]
    rows += [(f"addresses {state}", count) for state, count in coverage.urls.items() if count]
    rows += [(f"queries of engines: {state}", count) for state, count in coverage.queries.items() if count]
    rows += [("runs ended", coverage.runs), ("runs that failed", coverage.runs_failed)]
    note = "<p><small>URLs and runs cover all topics in this time.</small></p>"
    return ["<h2>Coverage</h2>", _table(("What", "Number"), rows, 1), note]


def _pages(report: Report) -> list[str]:
    rows = [
        (f'<span id="p{page.number}">{page.number}</span>', page.at, _text(page.host), _link(page), page.mood)
        for page in report.pages
    ]
    left = f"<p><small>{report.left_out} more pages are counted and not listed.</small></p>" if report.left_out else ""
    return ['<h2 id="pages">Pages</h2>', _table(("", "Time", "Site", "Title", "Mood"), rows, 9), left]


def _link(page: ReportPage) -> str:
    """Only web addresses become links."""
    title = _text(page.title, 120)
    if not page.url.startswith(("http://", "https://")):
        return title
    return f'<a href="{escape(page.url)}" rel="noreferrer noopener nofollow">{title}</a>'
