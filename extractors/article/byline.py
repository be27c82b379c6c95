"""The byline near a title: author, time, and first publisher."""

import re
from functools import cached_property

import numpy as np

from extractors.article.names import MAX_NAME_CHARS, is_junk, led_name, name_of
from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.text.dates import find_time

_SOURCE = re.compile(
    r"(?:文章来源|稿件来源|信息来源|新闻来源|本文来源|来源|來源|出处|转自)\s{0,3}[:：]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】]{2,30})"
)
_AUTHOR = re.compile(
    r"(?:本报记者|作者|记者|記者|撰文|撰稿|文字|编译|通讯员|文)\s{0,3}[:：/丨|]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】/]{2,20}(?:[ 、][\u4e00-\u9fff]{2,4}){0,3})"
    r"|\b[Bb][Yy]:?\s{1,3}((?:[A-Z][\w.'’-]{0,20}\s?(?:and |& |, )?){1,6})"
)
_SENTENCE = re.compile(r"[\u4e00-\u9fff]{9,}")
"""What follows "记者：" in an interview."""
_CLASS = re.compile(r"author|byline|writer", re.I)
_NAME_CLASS = re.compile(r"(?:author|byline|writer)s?[-_]{0,2}(?:name|link|url)", re.I)
"""Classes of an author's name alone, without the picture and the words beside it."""
_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:pub(?:lish(?:ed)?)?|post(?:ed)?|entry|article|news|meta|info|created?|single|story|blog)?[-_]{0,2}"
    r"(?:date|time|datum|fecha|published|pubdate|timestamp|datetime|publication)(?:[-_]\w+)?(?=$|\s)",
    re.I,
)
_NOT_PUBLISHED = re.compile(
    r"comment|relat|side|foot|updat|modif|event|list|recommend|hot|archive|clock|now|current|count|read|widget|nav|teaser|card",
    re.I,
)
_MAX_DATE_CHARS = 60
_HAS_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d\b")
_IS_RECENT = re.compile(
    r"秒|分|小时|小時|時間|天|日前|昨|今|前|second|minute|min|hour|day|stunde|tag|heure|hora|час|мин|дн", re.I
)
_CODE = ("pre", "code", "kbd", "samp", "textarea", "footer")
_MAX_MARKED = 10
_MAX_TEXT_NODES = 20
_NEAR_CHUNKS = 60
"""Chunks before and after the title in which a byline is looked for."""


class Byline:
    """Author, source and time near a title, each searched on first use; "" where there is none."""

    def __init__(self, page: Document, title: str) -> None:
        self._columns = page.columns
        self._title = title

    @cached_property
    def _lines(self) -> list[str]:
        return _lines_near_title(self._columns, self._title)

    @cached_property
    def author(self) -> str:
        """From the markup, else from a line near the title."""
        return (
            _declared(self._columns)
            or _marked_by_class(self._columns)
            or next((name for line in self._lines if (name := _author(line) or led_name(line))), "")
        )

    @cached_property
    def source(self) -> str:
        """The publisher named in a line near the title."""
        return next((found.group(1).strip() for line in self._lines if (found := _SOURCE.search(line))), "")

    @cached_property
    def time(self) -> str:
        """The time expression of a `time` element, else of a line near the title."""
        near, others = _marked_as_time(self._columns, self._title)
        return near or next(filter(None, map(_dated, self._lines)), "") or others


def _dated(line: str) -> str:
    """A line's time; "today" alone is no date of publication, and "3 weeks ago" or a day without its year would invent one."""
    found = find_time(line)
    return found if any(map(str.isdigit, found)) and (_HAS_YEAR.search(found) or _IS_RECENT.search(found)) else ""


def _author(line: str) -> str:
    found = _AUTHOR.search(line)
    name = (found.group(1) or found.group(2) or "").strip(" ,&") if found else ""
    name = name.removesuffix(" and")
    return "" if is_junk(name) or _SENTENCE.fullmatch(name) else name


def _lines_near_title(columns: Columns, title: str) -> list[str]:
    """Short lines after the title, nearest first, then those before it."""
    start = _title_chunk(columns, title)
    shown = ~columns.within(columns.tagged(*_CODE))[columns.owner] if len(columns.texts) else np.zeros(0, bool)
    chunks = np.arange(max(0, start - 10), min(start + _NEAR_CHUNKS, len(columns.texts)))
    chunks = chunks[shown[chunks]]
    after, before = (columns.join(chunks[side]).splitlines() for side in (chunks >= start, chunks < start))
    return [line[:200] for line in (*after, *reversed(before)) if len(line) <= 400 and line.strip() != title]


def _title_chunk(columns: Columns, title: str) -> int:
    """The chunk, outside `head`, that begins a heading or line with the title's text."""
    head = columns.within(columns.tagged("head", "title"))[columns.owner] if len(columns.texts) else np.zeros(0, bool)
    first = title[:15]
    best = 0
    for chunk in [number for number, text in enumerate(columns.texts) if first in text] if first else []:
        if not head[chunk] and columns.texts[chunk].lstrip().startswith(first):
            best = best or chunk
            if columns.tag_name(int(columns.owner[chunk])) in ("h1", "h2", "h3"):
                return best
    return best


def _marked_as_time(columns: Columns, title: str) -> tuple[str, str]:
    """The times of two short elements that are a `time`, or whose class or itemprop speaks of a date: the first shortly after
    the title; the first further on, else the last before it."""
    start = _title_chunk(columns, title)
    places = [place for place in _places_of_times(columns) if columns.text_length[place] <= _MAX_DATE_CHARS]
    distances = [int(columns.chunk_start[place]) - start for place in places]
    near = [place for place, distance in zip(places, distances, strict=True) if 0 <= distance <= _NEAR_CHUNKS]
    after = [place for place, distance in zip(places, distances, strict=True) if distance > _NEAR_CHUNKS]
    before = [place for place, distance in zip(places, distances, strict=True) if distance < 0]
    return _first_time(columns, near), _first_time(columns, [*after, *reversed(before)])


def _first_time(columns: Columns, places: list[int]) -> str:
    for place in places[:_MAX_MARKED]:
        for text in (columns.value(place, "datetime"), columns.value(place, "title"), columns.text(place)):
            if expression := _dated(text):
                return expression
    return ""


def _places_of_times(columns: Columns) -> list[int]:
    """The elements that may say when the page was published, in document order."""
    numbers, names = columns.named
    wanted = {each for each in {name[0] for name in names} if _DATE_CLASS.search(each)}
    found = (
        {number for number, name in zip(numbers.tolist(), names, strict=True) if name[0] in wanted} if wanted else set()
    )
    found.update(np.flatnonzero(columns.tagged("time")).tolist())
    found.update(place for place, value in columns.sparse("itemprop").items() if "datepublished" in value.lower())
    apart = columns.within(columns.tagged("aside", "footer", *_CODE))
    return sorted(
        place
        for place in found
        if not apart[place]
        and not _NOT_PUBLISHED.search(columns.value(place, "class") + columns.value(place, "itemprop"))
    )


def _declared(columns: Columns) -> str:
    """The short text of the first element that rel or itemprop calls the author."""
    properties = columns.attribute("itemprop")
    places = {place for place, value in enumerate(properties) if "author" in value}
    for place in np.flatnonzero(columns.tagged("a", "link")).tolist():
        if "author" in columns.value(place, "rel"):
            places.add(place)
    for place in sorted(places)[:_MAX_MARKED]:
        if name := name_of(columns.inner_text(place, _MAX_TEXT_NODES)):
            return name
    return ""


def _marked_by_class(columns: Columns) -> str:
    """The short text of the first element whose class speaks of an author."""
    numbers, names = columns.named
    wanted = {classes for classes in {name[0] for name in names} if _CLASS.search(classes)}
    marked = [(number, name[0]) for number, name in zip(numbers.tolist(), names, strict=True) if name[0] in wanted]
    named = [number for number, classes in marked if _NAME_CLASS.search(classes)]
    lengths, ends = columns.text_length, columns.end
    for place in [number for number, _ in marked if 1 < lengths[number] <= MAX_NAME_CHARS][:_MAX_MARKED]:
        text = columns.text(next((inner for inner in named if place <= inner < ends[place]), place))
        if name := name_of(text.split("\n")[0]) or name_of(text):
            return name
    return ""
