"""The time of publication of an article: declared, else the day in the address, else the shown time."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from htmldate import find_date
from lxml import etree

from extractors.article.byline import Byline
from extractors.article.zones import TimeStyle, zone_of_host
from extractors.html.document import Document
from extractors.text.dates import parse_time

_PUBLISHED = (
    "article:published_time", "og:published_time", "datepublished", "pubdate", "publishdate", "publish_date", "publish-date",
    "publication_date", "og:release_date", "weibo: article:create_at", "article:published", "dc.date.issued", "dc.date",
    "dcterms.created", "parsely-pub-date", "sailthru.date", "citation_publication_date", "createdate",
)  # fmt: skip
_PUBLISHED_NAME = re.compile(
    r"(?:publish(?:ed)?|publication|pub)[-_.]?(?:date|time|at)$|date[-_.]?(?:published|issued)$|(?:^|[:.#])published$"
)
"""Ending of other such names, whose prefix is a site's or a tool's; some tools mean the last publication."""
_DATED = ("date",)
"""Names that may also mean a change or the time of the response: the shown time takes precedence."""
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "lastmod", "last-modified", "dcterms.modified")
_MAX_GUESSED_ELEMENTS, _MAX_GUESSED_BYTES = 10_000, 1_000_000
"""Limits for guessing a time, which copies the whole tree and searches it."""
_URL_DAY = re.compile(r"[/_-](20[0-3]\d|19\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_SHORT_URL_DAY = re.compile(r"/(20[0-3]\d|19\d\d)/([1-9]|1[0-2])/([1-9]|[12]\d|3[01])(?=/|$)")
_URL_MONTH = re.compile(r"/(20[0-3]\d|19\d\d)[/-](0[1-9]|1[0-2])(?=[/-])")
_SPOKEN_URL_DAY = re.compile(r"/(1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])-(20[0-3]\d)(?=[-/]|$)")
"""The day comes first, and cannot be a month."""
_DAY_CHARS = len("2026-01-31")


@dataclass(frozen=True, slots=True)
class DeclaredTimes:
    """The declared times of a page, as written; made by `declared_times`.

    Attributes:
        weak: declared times that yield to a time shown beside the title.
        other: times under uncommon names, if there are no others.
    """

    published: Sequence[str] = ()
    weak: Sequence[str] = ()
    other: Sequence[str] = ()
    modified: Sequence[str] = ()


def declared_times(metas: Mapping[str, str], published: str, modified: str) -> DeclaredTimes:
    """The times of the meta elements, after those of the JSON-LD ("" if there is none)."""
    known = [published, *(metas[name] for name in _PUBLISHED if name in metas)]
    weak = [metas[name] for name in _DATED if name in metas]
    other = [value for name, value in metas.items() if _PUBLISHED_NAME.search(name)] if not any(known) else []
    return DeclaredTimes(known, weak, other, [modified, *(metas[name] for name in _MODIFIED if name in metas)])


def declared_time(page: Document, candidates: Iterable[str], zone: tzinfo | None) -> str:
    """The first time found, ISO 8601; a later candidate counts only if it adds the clock time of the same day, or gives the
    same instant with its offset. A time in UTC is converted to `zone`, or to the zone of the host's country."""
    texts = filter(None, dict.fromkeys(candidates))
    times = [found for text in texts if (found := parse_time(text, now=page.made_at, zone=zone))]
    best = ""
    for found in times:
        if not best or (len(best) == _DAY_CHARS and found[:_DAY_CHARS] == best):
            best = found
    return _with_offset(best, times, zone or zone_of_host(page.url)) if _is_utc(best) else best


def published_time(
    page: Document, declared: DeclaredTimes, modified: str, byline: Byline, style: TimeStyle, guess: bool
) -> str:
    """The declared time, else the day in the address, else the time near the title, else, with `guess`, htmldate's result.

    modified: ISO 8601, "" if unknown.
    """
    day = day_of_url(page.url)
    best = declared_time(page, declared.published, style.zone)
    if best and not day and _is_stamp(best, modified):
        best = _earlier_day(page, _shown(page, byline.stated_time, style), best)
    if not best and any(declared.weak):
        best = declared_time(page, [_shown(page, byline.near_time, style), *declared.weak], style.zone)
    if best and _is_utc(best) and _is_next_day(best, day):
        best = day  # the site's day; its offset is unknown
    best = best or day
    if len(best) <= _DAY_CHARS:  # a line near the title may have the clock time too
        best = declared_time(page, [best, _shown(page, byline.time, style)], style.zone)
    if not day and declared.other:
        each = (declared_time(page, [text], style.zone) for text in (best, *declared.other))
        best = min(filter(None, each), default="")
    return best or (_guessed(page) if guess else "")


def _shown(page: Document, expression: str, style: TimeStyle) -> str:
    return parse_time(expression, now=page.made_at, zone=style.zone, day_first=style.day_first)


def _is_stamp(published: str, modified: str) -> bool:
    """Whether a declared time is when a system regenerated the page: the last change is not later."""
    return bool(modified) and _instant(published) >= _instant(modified)


def _instant(time: str) -> datetime:
    moment = datetime.fromisoformat(time)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _earlier_day(page: Document, shown: str, declared: str) -> str:
    """The shown time if its day is before the declared day, unless the address has the declared month."""
    is_earlier = "" < shown[:_DAY_CHARS] < declared[:_DAY_CHARS]
    month = _URL_MONTH.search(page.url[:500])
    return shown if is_earlier and not (month and declared.startswith("-".join(month.groups()))) else declared


def day_of_url(url: str) -> str:
    """The day in an address, ISO 8601, "" if there is none."""
    if spoken := _SPOKEN_URL_DAY.search(url[:500]):
        return "-".join(reversed(spoken.groups()))
    found = _URL_DAY.search(url[:500]) or _SHORT_URL_DAY.search(url[:500])
    return "-".join(part.zfill(2) for part in found.groups()) if found else ""


def _is_utc(time: str) -> bool:
    return time.endswith("+00:00")


def _with_offset(best: str, times: list[str], zone: tzinfo | None) -> str:
    instant = datetime.fromisoformat(best)
    clocks = [(time, datetime.fromisoformat(time)) for time in times if len(time) > _DAY_CHARS and not _is_utc(time)]
    for time, moment in clocks:
        if moment.tzinfo and abs(moment - instant) < timedelta(minutes=1):
            return time
    return instant.astimezone(zone).isoformat(timespec="seconds") if zone else best


def _is_next_day(time: str, day: str) -> bool:
    """Whether a day is the day before or after a time's day."""
    try:
        return abs((date.fromisoformat(time[:_DAY_CHARS]) - date.fromisoformat(day)).days) == 1
    except ValueError:
        return False


def _guessed(page: Document) -> str:
    """htmldate's result for a copy of the page's tree, "" if it finds nothing.

    It is passed a tree of `lxml.html`, since it would treat a text as an address and load it.
    """
    if not 0 < len(page.columns) <= _MAX_GUESSED_ELEMENTS or page.markup_size > _MAX_GUESSED_BYTES:
        return ""
    tree = page.copy_of_tree()
    etree.strip_elements(tree, "pre", "code", "textarea", with_tail=False)
    try:
        return str(find_date(tree, url=page.url or None, original_date=True, extensive_search=False) or "")
    except (ValueError, TypeError, AttributeError, etree.LxmlError):
        return ""
