"""The time that a page shows as that of its publication: in an element that is named as a date, or in a line near the title."""

import re

import numpy as np

from extractors.article.near_title import CODE, NEAR_CHUNKS
from extractors.html.columns import Columns
from extractors.text.dates import find_time

_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:pub(?:lish(?:ed)?)?|post(?:ed)?|entry|article|news|meta|info|created?|single|story|blog)?[-_]{0,2}"
    r"(?:date|time|datum|fecha|published|pubdate|timestamp|datetime|publication)(?:[-_]\w+)?(?=$|\s)",
    re.I,
)
_NOT_PUBLISHED = re.compile(
    r"comment|relat|side|foot|updat|modif|event|list|recommend|hot|archive|clock|now|current|count|read|widget|nav|teaser|card",
    re.I,
)
_PUBLISHED = re.compile(r"publi", re.I)
_LABELLED = re.compile(
    r"(?:ver[öo]ffentlicht|erschienen|published|posted|publi[ée]e?|publicado|publicada|pubblicato|opublikowan[oy]|опубликован[оа]?"
    r"|gepubliceerd|publicerad|发布(?:时间|日期|于)?|發布(?:時間|日期|於)?|发表(?:时间|日期|于)"
    r"|公開日?|게시일?|등록일?)\s?(?:am|on|le|el|il|op|em|w dniu)?\s?[:：]?\s?",
    re.I,
)
"""Words before the time of publication."""
_HAS_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d\b")
_IS_RECENT = re.compile(
    r"(?:秒|分|小时|小時|時間|天|日).{0,2}前|昨|今|前天|just|(?:second|sec|minute|min|hour|hr|day)s?\s+ago|yesterday"
    r"|(?:stunde|tag|minute|heure|hora|jour|día|dia)|gestern|ayer|hier|вчера|(?:час|мин|дн).{0,5}назад",
    re.I,
)
_ALONE = " \t\n()[]{}|·•.,–—-"
_MAX_DATE_CHARS, _MAX_LINE_CHARS = 60, 100
_MAX_MARKED = 10
_CLOSE_CHUNKS, _BEFORE_CHUNKS = 12, 3
"""Chunks after and before the title in which a line with a time is more than one of many."""
_ADJACENT_CHUNKS = 3
"""Chunks after the title in which a line that is a time alone is that of the page."""
_MAX_SEARCHED = 5_000


def shown_time(columns: Columns, title: int) -> str:
    """The expression of the page's time as it is written, "" if there is none; title: the chunk that begins the title."""
    adjacent, close, near, named, others = marked_times(columns, title)
    return (
        adjacent
        or _time_alone(_lines(columns, title, title + _ADJACENT_CHUNKS + 1))
        or close
        or _first(
            [line for line in _lines(columns, title - _BEFORE_CHUNKS, title)[::-1] if len(line) <= _MAX_LINE_CHARS]
        )
        or near
        or _first(_lines(columns, title, title + _CLOSE_CHUNKS))
        or named
        or _labelled(columns)
        or _first(_lines(columns, title + _CLOSE_CHUNKS, title + NEAR_CHUNKS))
        or _first(_lines(columns, title - 10, title - _BEFORE_CHUNKS)[::-1])
        or others
    )


def marked_times(columns: Columns, title: int) -> tuple[str, ...]:
    """The times of five short elements that are a `time`, or whose class or itemprop speaks of a date: the first right after the
    title; the nearest after or before it; the first shortly after it; the first further away that speaks of publication; the
    first after the title, else the last before it."""
    places = [place for place in _places_of_times(columns) if columns.text_length[place] <= _MAX_DATE_CHARS]
    away = {place: int(columns.chunk_start[place]) - title for place in places}
    near = [place for place in places if -_BEFORE_CHUNKS <= away[place] <= NEAR_CHUNKS]
    near.sort(key=lambda place: away[place] if away[place] >= 0 else _CLOSE_CHUNKS)
    adjacent = [place for place in near if 0 <= away[place] <= _ADJACENT_CHUNKS and columns.tag_name(place) != "a"]
    close = [place for place in near if away[place] <= _CLOSE_CHUNKS]
    far = [place for place in places if place not in near]
    named = [place for place in far if _PUBLISHED.search(_names(columns, place)) and columns.tag_name(place) != "a"]
    after, before = ([place for place in far if (away[place] > 0) == is_after] for is_after in (True, False))
    groups = adjacent, close, near, named, [*after, *reversed(before)]
    return tuple(_first_time(columns, group) for group in groups)


def dated(line: str) -> str:
    """A line's time; "today" alone is no date of publication, and "3 weeks ago" or a day without its year would invent one."""
    found = find_time(line)
    return found if any(map(str.isdigit, found)) and (_HAS_YEAR.search(found) or _IS_RECENT.search(found)) else ""


def _first(lines: list[str]) -> str:
    return next(filter(None, map(dated, lines)), "")


def _time_alone(lines: list[str]) -> str:
    return next((found for line in lines if (found := dated(line)) and line.strip(_ALONE) == found.strip(_ALONE)), "")


def _labelled(columns: Columns) -> str:
    """What follows a word such as "published" at the beginning of a chunk."""
    apart = columns.within(columns.tagged("aside", "footer", "nav", *CODE))
    for chunk, text in enumerate(columns.texts[:_MAX_SEARCHED]):
        if (found := _LABELLED.match(text.lstrip()[:80])) and not apart[columns.owner[chunk]]:
            line = columns.join(np.arange(chunk, min(chunk + 2, len(columns.texts)))).lstrip()[found.end() :][:40]
            if (time := dated(line)) and line.find(time[:4]) <= _CLOSE_CHUNKS:
                return time
    return ""


def _lines(columns: Columns, begin: int, end: int) -> list[str]:
    """The lines of these chunks, without code and long ones."""
    chunks = np.arange(max(0, begin), max(0, min(end, len(columns.texts))))
    if not len(chunks):
        return []
    shown = ~columns.within(columns.tagged(*CODE))[columns.owner[chunks]]
    return [line[:200] for line in columns.join(chunks[shown]).splitlines() if len(line) <= 400]


def _first_time(columns: Columns, places: list[int]) -> str:
    for place in places[:_MAX_MARKED]:
        for text in (columns.value(place, "datetime"), columns.value(place, "title"), columns.text(place)):
            if expression := dated(text):
                return expression
    return ""


def _names(columns: Columns, place: int) -> str:
    return columns.value(place, "class") + columns.value(place, "itemprop")


def _places_of_times(columns: Columns) -> list[int]:
    """The elements that may say when the page was published, in document order."""
    numbers, names = columns.named
    wanted = {each for each in {name[0] for name in names} if _DATE_CLASS.search(each)}
    found = (
        {number for number, name in zip(numbers.tolist(), names, strict=True) if name[0] in wanted} if wanted else set()
    )
    found.update(np.flatnonzero(columns.tagged("time")).tolist())
    found.update(place for place, value in columns.sparse("itemprop").items() if "datepublished" in value.lower())
    apart = columns.within(columns.tagged("aside", "footer", *CODE))
    return sorted(place for place in found if not apart[place] and not _NOT_PUBLISHED.search(_names(columns, place)))
