"""A report as one self-contained HTML file: no scripts, no external resources, page text escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from analysis.counts import MAX_MOODS
from analysis.mood import LABELS, MoodSpread
from analysis.report._comparing import change_said, counts_said, outlook_said
from analysis.report.listed import pages_by_host, pages_by_mood, pages_by_tag, pages_within
from analysis.report.model import Report, ReportEvent, ReportPage
from analysis.report.report_words import ReportWords
from analysis.trend import Burst, trend_svg

_STYLE = (
    "body{font:15px/1.5 sans-serif;color:#111827;overflow-wrap:anywhere;max-width:760px;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.6em}h2{font-size:1.2em;border-bottom:1px solid #d1d5db;margin-top:2em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "td.n,th.n{text-align:right;white-space:nowrap}tr:nth-child(even){background:#f3f4f6}"
    "a{color:#1a58cc;text-decoration-color:#d1d5db}svg{width:100%;height:auto}.tags span{display:inline-block;margin:0 .5em;max-width:100%}"
    ".wide{overflow-x:auto}"
    "blockquote{margin:.5em 0;padding-left:1em;border-left:3px solid #d1d5db}"
    "small{color:#6b7280}@media print{body{max-width:none;margin:0}.wide{overflow:visible}"
    "a{color:inherit;text-decoration:none}h2,h3{break-after:avoid}tr,blockquote,svg{break-inside:avoid}thead{display:table-header-group}}"
    "@page{size:A4;margin:18mm 15mm;@bottom-right{content:counter(page) ' / ' counter(pages);font-size:9pt;color:#6b7280}}"
)
_MAX_TEXT = 300
_NUMBERS_SHOWN = 12
_MAX_CITED_PAGES = 2
_MAX_DIFFERENCES = 3


def report_html(report: Report) -> str:
    """The HTML file."""
    w = report.words
    since, until = map(report.clock, (report.since, report.until))
    name = w("span", name=report.name, since=since, until=until, zone=report.zone_name)
    parts = [
        f'<!doctype html>\n<html lang="{"zh-CN" if w.language == "zh" else "en"}"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{_text(name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{_text(name)}</h1>",
        *_overview(report),
        *_prose(report),
        *_events(w, report.events),
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
    w, trend, count = report.words, report.trend, int(report.trend.series.counts.sum())
    pages, sites = w("count_pages", n=count), w("count_sites", n=report.site_count)
    counts = counts_said(report, f'<a href="#pages">{pages}</a>', f'<a href="#sources">{sites}</a>')
    said = w("sentences", first=counts, second=outlook_said(report))
    bursts = [f"<li>{_burst(report, burst)} {_numbers(_pages_of(report, burst))}</li>" for burst in trend.bursts]
    none = f"<p>{w('no_burst')}</p>" if trend.knows_usual else ""
    return [
        f"<p>{said}</p>",
        trend_svg(trend, w("chart", name=report.name), report.zone, w.language),
        f"<p class=legend><small>{w('legend' if trend.knows_usual else 'legend.short')}</small></p>",
        f"<ul>{''.join(bursts)}</ul>" if bursts else none,
    ]


def _burst(report: Report, burst: Burst) -> str:
    w, trend = report.words, report.trend
    end = w("burst.continues") if burst.end is None else w("burst.end", end=report.clock(trend.at(burst.end)))
    start, peak = (report.clock(trend.at(each)) for each in (burst.start, burst.peak))
    return w("burst", start=start, peak=peak, end=end, count=burst.count, usual=f"{burst.usual:.0f}")


def _pages_of(report: Report, burst: Burst) -> Sequence[int]:
    trend = report.trend
    end = report.until if burst.end is None else trend.at(burst.end)
    return pages_within(report, trend.at(burst.start), end)


def _numbers(numbers: Sequence[int], most: int = _NUMBERS_SHOWN) -> str:
    shown = " ".join(f'<a href="#p{number}">[{number}]</a>' for number in numbers[:most])
    return f"{shown} …" if len(numbers) > most else shown


def _events(w: ReportWords, events: Iterable[ReportEvent]) -> list[str]:
    rows = []
    for event in events:
        place = f"{w('comma')}{_text(event.place)}" if event.place else ""
        source = f' <a href="#p{event.summary_page}">[{event.summary_page}]</a>' if event.summary_page else ""
        facts = w(
            "event.facts", first=event.first_at, last=event.last_at, place=place, pages=event.page_count, sites=event.site_count
        )  # fmt: skip
        mood = w("event.mood", pages=w.spread(event.page_moods), posts=w.spread(event.post_moods))
        rows.append(
            f"<h3>{_text(event.name)}</h3><p><small>{facts}</small><br>{_text(event.summary)}{source}<br>"
            f"<small>{w('event.pages')} {_numbers(event.pages)}<br>{mood}</small></p>{_digest(w, event)}"
        )
    return [f"<h2>{w('events')}</h2>", *(rows or [f"<p>{w('none')}</p>"])]


def _digest(w: ReportWords, event: ReportEvent) -> str:
    """The digest of an event, and the first numbers that differ between its pages."""
    said = "".join(f"<li>{_text(each.text)} {_numbers((each.page,))}</li>" for each in event.digest.sentences)
    differences = "".join(
        f"<li>{_text(each.what)}: {'; '.join(f'{value} {_numbers(pages)}' for value, pages in each.values)}</li>"
        for each in event.digest.differences[:_MAX_DIFFERENCES]
    )
    return (f"<ul>{said}</ul>" if said else "") + (
        f"<p><small>{w('differ')}</small></p><ul>{differences}</ul>" if differences else ""
    )


def _prose(report: Report) -> list[str]:
    if report.prose is None or not report.prose.sentences:
        return []
    w = report.words
    lines = " ".join(f"{_text(text, 400)} {_numbers(pages)}" for text, pages in report.prose.sentences)
    note = w("machine", by=_text(report.prose.by), dropped=report.prose.dropped)
    return [f"<h2>{w('in_short')}</h2>", f"<blockquote>{lines}<br><small>{note}</small></blockquote>"]


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int) -> str:
    def line(tag: str, cells: Sequence[object]) -> str:
        joined = (
            f"<{tag}{' class=n' if place >= numbers_from else ''}>{cell}</{tag}>" for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(joined)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<div class=wide><table><thead>{line('th', headings)}</thead><tbody>{body}</tbody></table></div>"


def _sources(report: Report) -> list[str]:
    w, listed = report.words, pages_by_host(report)
    rows = [(_text(host), _numbers(listed.get(host, ())), count) for host, count in report.sites]
    return [f'<h2 id="sources">{w("sources")}</h2>', _table((w("site"), w("listed"), w("pages")), rows, 2)]


def _tags(report: Report) -> list[str]:
    w = report.words
    most, listed = max((tag.weight for tag in report.tags.tags), default=1.0), pages_by_tag(report)
    tags = []
    for tag in report.tags.tags:
        kind, has_before = w.known("kind", tag.kind), report.trend.has_before
        title = w("tag.title", kind=kind, before=tag.before) if has_before else kind
        numbers = _numbers(listed.get((tag.kind, tag.text), ()), _MAX_CITED_PAGES)
        tags.append(
            f'<span style="font-size:{0.8 + 1.2 * tag.weight / most:.2f}em" title="{title}">{_text(tag.text, 40)} '
            f"<small>{tag.count} {change_said(report, tag.change)} {numbers}</small></span>"
        )
    counted = w(
        "tags.note" if report.trend.has_before else "tags.note.short",
        pages=report.tags.pages,
        before=report.tags.pages_before,
    )
    note = f"<p><small>{counted}</small></p>"
    return [f"<h2>{w('tags')}</h2>", f'<p class="tags">{" ".join(tags)}</p>', note]


def _moods(report: Report) -> list[str]:
    w = report.words
    rows = [
        _mood_row(w, "pages", report.page_moods, pages_by_mood(report)),
        _mood_row(w, "posts", report.post_moods, report.post_pages),
    ]
    found = [
        f"<h2>{w('moods')}</h2>",
        _table(("", *(w(f"mood.{label}") for label in LABELS), w("mood.share")), rows, 1),
        f"<p><small>{w('mood.note', most=MAX_MOODS)}</small></p>",
    ]
    if report.complaints:
        found.append(
            f"<p>{w('complaints', n=report.posts_read)}"
            + ", ".join(
                f"{_text(word, 40)} ({count}) {_numbers(pages, _MAX_CITED_PAGES)}"
                for word, count, pages in report.complaints
            )
            + "</p>"
        )
    found += [
        f'<blockquote>{_text(quote.text)}<br><small>{_text(quote.author, 40)}, {w.known("mood", quote.mood)} <a href="#p{quote.page}">'
        f"[{quote.page}]</a></small></blockquote>"
        for quote in report.quotes
    ]
    return found


def _mood_row(w: ReportWords, name: str, spread: MoodSpread, pages: Mapping[str, Sequence[int]]) -> Sequence[object]:
    counts = (
        f"{count} <small>{_numbers(pages.get(label, ()), _MAX_CITED_PAGES)}</small>"
        for label, count in spread.texts.items()
    )
    return (w(name), *counts, w.share(spread))


def _coverage(report: Report) -> list[str]:
    w, coverage = report.words, report.coverage
    rows = [
        (w("coverage.asked"), coverage.asked),
        (w("coverage.blocked"), coverage.blocked),
        (w("coverage.missed"), coverage.missed),
    ]
    for kind, counts in (("urls", coverage.urls), ("queries", coverage.queries)):
        named = ((w(f"coverage.{kind}", state=w.known("state", state)), count) for state, count in counts.items())
        rows += [(name, count) for name, count in named if count]
    rows += [(w("coverage.runs"), coverage.runs), (w("coverage.failed"), coverage.runs_failed)]
    note = f"<p><small>{w('coverage.note')}</small></p>"
    return [f"<h2>{w('coverage')}</h2>", _table((w("coverage.what"), w("coverage.number")), rows, 1), note]


def _pages(report: Report) -> list[str]:
    w = report.words
    rows = [
        (f'<span id="p{page.number}">{page.number}</span>', page.at, _text(page.host), _link(page), w.known("mood", page.mood))
        for page in report.pages
    ]  # fmt: skip
    left = f"<p><small>{w('left_out', n=report.left_out)}</small></p>" if report.left_out else ""
    headings = ("", w("time"), w("site"), w("title"), w("mood"))
    return [f'<h2 id="pages">{w("pages")}</h2>', _table(headings, rows, 9), left]


def _link(page: ReportPage) -> str:
    """Only web addresses become links."""
    title = _text(page.title, 120)
    if not page.url.startswith(("http://", "https://")):
        return title
    return f'<a href="{escape(page.url)}" rel="noreferrer noopener nofollow">{title}</a>'
