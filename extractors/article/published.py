"""The time of publication of an article: declared, else the day in the address, else the shown time."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal

from htmldate import find_date
from lxml import etree

from extractors.article.byline import Byline
from extractors.article.shown_time import ShownTime
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
_URL_DAY = re.compile(r"[/_-]t?(20[0-3]\d|19\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)")
_SHORT_URL_DAY = re.compile(r"/(20[0-3]\d|19\d\d)/([1-9]|1[0-2])/([1-9]|[12]\d|3[01])(?=/|$)")
_URL_MONTH = re.compile(r"/(20[0-3]\d|19\d\d)[/-](0[1-9]|1[0-2])(?=[/-])")
_SPOKEN_URL_DAY = re.compile(r"/(1[3-9]|2\d|3[01])-(0[1-9]|1[0-2])-(20[0-3]\d)(?=[-/]|$)")
"""The day comes first, and cannot be a month."""
_DAY_CHARS = len("2026-01-31")
_IS_HOURS_AGO = re.compile(
    r"\W{0,3}(?:vor|il y a|hace|há)?\s?(?:\d{1,2}|[一二两三四五六七八九十]{1,3}|an?|einer|une|una)\s{0,3}"
    r"(?:小时|小時|個小時|个小时|時間|시간|hours?|hrs?|h|stunden?|heures?|horas?|час(?:а|ов)?)\s{0,3}(?:之?前|以前|전|ago|назад)?\W{0,3}",
    re.I,
)
"""A relative time in whole hours."""


PageEvidence = Literal["", "declared", "address", "head", "text"]
"""Where a page says when it was published: in its declarations, its address, its head, or only in other text or in an element that may be
of another page."""


@dataclass(frozen=True, slots=True)
class PublishedTime:
    """ISO 8601, "" if unknown, and where the page says it."""

    text: str = ""
    evidence: PageEvidence = ""


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
) -> PublishedTime:
    """The declared time, else the day in the address, else the time near the title, else, with `guess`, htmldate's result.

    modified: ISO 8601, "" if unknown.
    """
    best, day = _declared(page, declared, modified, byline, style), day_of_url(page.url)
    if not best.text or (_is_utc(best.text) and _is_next_day(best.text, day)):  # the site's day; its offset is unknown
        best = PublishedTime(day, "address" if day else "")
    if len(best.text) <= _DAY_CHARS:  # a line near the title may have the clock time too
        best = _with_clock(page, best, byline.time, style)
    if not day and declared.other:
        others = (declared_time(page, [text], style.zone) for text in declared.other)
        each = [best, *(PublishedTime(time, "declared") for time in others)]
        best = min((time for time in each if time.text), key=lambda time: time.text, default=best)
    if not best.text and guess and (guessed := _guessed(page)):
        return PublishedTime(guessed, "text")
    return best


def _declared(
    page: Document, declared: DeclaredTimes, modified: str, byline: Byline, style: TimeStyle
) -> PublishedTime:
    """The declared time, or the shown one beside the title where the declaration may mean something else."""
    best = declared_time(page, declared.published, style.zone)
    shown = ""
    if best and not day_of_url(page.url) and _is_stamp(best, modified):
        shown = _earlier_day(page, _shown(page, byline.stated_time, style), best)
    elif not best and any(declared.weak):
        shown = declared_time(page, [_shown(page, byline.near_time, style), *declared.weak], style.zone)
    if shown and shown != best:
        is_head = shown != declared_time(page, declared.weak, style.zone)
        return PublishedTime(shown, "head" if is_head else "declared")
    return PublishedTime(best, "declared" if best else "")


def _with_clock(page: Document, known: PublishedTime, shown: ShownTime, style: TimeStyle) -> PublishedTime:
    """The shown time if no day is known or if it has the clock time of that day; text tells of other things of the day."""
    if known.text and shown.place == "text":
        return known
    time = declared_time(page, [known.text, _shown(page, shown.text, style)], style.zone)
    if time == known.text:
        return known
    return PublishedTime(_to_the_hour(time) if _IS_HOURS_AGO.fullmatch(shown.text) else time, shown.place)


def _to_the_hour(time: str) -> str:
    """Pages count whole hours, so that the middle of the hour before is most likely."""
    if len(time) <= _DAY_CHARS:
        return time
    moment = datetime.fromisoformat(time) - timedelta(minutes=30)
    return f"{moment:%Y-%m-%dT%H}{moment.isoformat()[19:]}"


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
