"""A report as Markdown, with page text escaped."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

from analysis.mood import LABELS, MoodSpread
from analysis.report._comparing import change_said, counts_said, outlook_said
from analysis.report.listed import pages_by_host, pages_by_tag
from analysis.report.model import Report
from analysis.report.report_words import ReportWords

_MARKUP = re.compile(r"([\\`*_{}\[\]()|~$:@]|^[#+\-=.!]|(?<=^\d)\.)")
"""Characters that are markup anywhere in a line, and those that are markup only at its beginning."""
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
    w, since, until = report.words, *map(report.clock, (report.since, report.until))
    yield f"# {w('span', name=_text(report.name), since=since, until=until, zone=report.zone_name)}\n"
    yield counts_said(report)
    yield outlook_said(report) + "\n"
    for burst in report.trend.bursts:
        begin = w("burst.short", start=report.clock(report.trend.at(burst.start)))
        yield f"- {begin}: {w('count_pages', n=burst.count)}, {w('usual')} {burst.usual:.0f}"


def _changed(report: Report, change: float) -> str:
    said = change_said(report, change)
    return f"({said}) " if said else ""


def _prose(report: Report) -> Iterator[str]:
    if report.prose and report.prose.sentences:
        w = report.words
        yield f"\n## {w('in_short')}\n\n{w('machine', by=_text(report.prose.by), dropped=report.prose.dropped)}\n"
        yield from (f"> {_text(text)} {_cited(pages)}" for text, pages in report.prose.sentences)


def _events(report: Report) -> Iterator[str]:
    w = report.words
    yield f"\n## {w('events')}\n"
    for event in report.events:
        pages = " ".join(f"[{number}]" for number in event.pages[:12])
        facts = w(
            "event.facts", first=event.first_at, last=event.last_at, place="", pages=event.page_count, sites=event.site_count
        )  # fmt: skip
        yield f"- **{_text(event.name)}** ({facts})"
        yield f"  {_text(event.summary)} {pages}"
        yield f"  - {w('event.mood', pages=w.spread(event.page_moods), posts=w.spread(event.post_moods))}"
        yield from (f"  - {_text(each.text)} [{each.page}]" for each in event.digest.sentences)
        for each in event.digest.differences:
            values = "; ".join(f"{_text(value)} {_cited(numbers)}" for value, numbers in each.values)
            yield f"  - {w('differ.short')}, {_text(each.what)}: {values}"


def _sources(report: Report) -> Iterator[str]:
    w, hosts = report.words, pages_by_host(report)
    yield f"\n## {w('sources')}\n\n| {w('site')} | {w('pages')} | {w('listed')} |\n|---|---|---|"
    yield from (f"| {_text(host)} | {number} | {_cited(hosts.get(host, ())[:12])} |" for host, number in report.sites)


def _words(report: Report) -> Iterator[str]:
    w, tags = report.words, pages_by_tag(report)
    note = "tags.note" if report.trend.has_before else "tags.note.short"
    yield f"\n## {w('tags')}\n\n{w(note, pages=report.tags.pages, before=report.tags.pages_before)}\n"
    yield ", ".join(
        f"{_text(tag.text, 40)} {tag.count} {_changed(report, tag.change)}{_cited(tags.get((tag.kind, tag.text), ())[:_MAX_CITED_PAGES])}"
        for tag in report.tags.tags
    )


def _moods(report: Report) -> Iterator[str]:
    w = report.words
    headings = " | ".join((*(w(f"mood.{label}") for label in LABELS), w("mood.share")))
    yield f"\n## {w('moods')}\n\n| | {headings} |\n|---|---|---|---|---|---|"
    yield _mood_row(w, "pages", report.page_moods)
    yield _mood_row(w, "posts", report.post_moods)
    yield ""
    if report.complaints:
        words = (
            f"{_text(word, 40)} ({count}) {_cited(pages[:_MAX_CITED_PAGES])}"
            for word, count, pages in report.complaints
        )
        yield f"{w('complaints', n=report.posts_read)}{', '.join(words)}\n"
    for said in report.quotes:
        yield f"> {_text(said.text)} ({w.known('mood', said.mood)}) [{said.page}]\n"


def _coverage(report: Report) -> Iterator[str]:
    w, coverage = report.words, report.coverage
    yield f"## {w('coverage')}\n"
    for name, number in (("asked", coverage.asked), ("blocked", coverage.blocked), ("missed", coverage.missed)):
        yield f"- {w(f'coverage.{name}')}: {number}"
    for kind, counts in (("urls", coverage.urls), ("queries", coverage.queries)):
        named = ((w(f"coverage.{kind}", state=w.known("state", state)), number) for state, number in counts.items())
        yield from (f"- {name}: {number}" for name, number in named if number)
    yield f"- {w('coverage.runs')}: {coverage.runs}; {w('coverage.failed')}: {coverage.runs_failed}"


def _pages(report: Report) -> Iterator[str]:
    w = report.words
    yield f"\n## {w('pages')}\n"
    yield from (
        f"- [{page.number}] {page.at} {_text(page.host)}: {_link(page.url, page.title)}" for page in report.pages
    )
    if report.left_out:
        yield f"\n{w('left_out', n=report.left_out)}"


def _cited(pages: Iterable[int]) -> str:
    return " ".join(f"[{number}]" for number in pages)


def _mood_row(w: ReportWords, name: str, spread: MoodSpread) -> str:
    return f"| {w(name)} | {' | '.join(str(number) for number in spread.texts.values())} | {w.share(spread)} |"


def _link(url: str, title: str) -> str:
    """Only web addresses become links, with what would end a link encoded."""
    if not url.startswith(("http://", "https://")):
        return _text(title, 120)
    return f"[{_text(title, 120)}](<{quote(url, safe='/:?=&%#+,;@!*~.-_')}>)"
