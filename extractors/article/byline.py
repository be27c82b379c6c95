"""The byline near a title: author, time, and first publisher."""

import re
from functools import cached_property

import numpy as np

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
_NOT_A_NAME = re.compile(r"来源|时间|日期|发布|点击|浏览|评论|编辑|字号|\d{3}")
_CLASS = re.compile(r"author|byline|writer", re.I)
_MAX_NAME_CHARS = 40
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
            or next((name for line in self._lines if (name := _author(line))), "")
        )

    @cached_property
    def source(self) -> str:
        """The publisher named in a line near the title."""
        return next((found.group(1).strip() for line in self._lines if (found := _SOURCE.search(line))), "")

    @cached_property
    def time(self) -> str:
        """The time expression of a `time` element, else of a line near the title."""
        return _time_elements(self._columns) or next(filter(None, map(_dated, self._lines)), "")


def _dated(line: str) -> str:
    """A line's time; words such as "today" alone are not a date of publication."""
    found = find_time(line)
    return found if any(character.isdigit() for character in found) else ""


def _author(line: str) -> str:
    found = _AUTHOR.search(line)
    name = (found.group(1) or found.group(2) or "").strip(" ,&") if found else ""
    name = name.removesuffix(" and")
    return "" if _NOT_A_NAME.search(name) else name


def _lines_near_title(columns: Columns, title: str) -> list[str]:
    """Short lines after the title, nearest first, then those before it."""
    start = _title_chunk(columns, title)
    after = columns.join(range(start, min(start + _NEAR_CHUNKS, len(columns.texts)))).splitlines()
    before = columns.join(range(max(0, start - 10), start)).splitlines()
    return [line[:200] for line in (*after, *reversed(before)) if len(line) <= 400]


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


def _time_elements(columns: Columns) -> str:
    for place in np.flatnonzero(columns.tagged("time"))[:5].tolist():
        for text in (columns.value(place, "datetime"), columns.text(place)):
            if expression := _dated(text):
                return expression
    return ""


def _declared(columns: Columns) -> str:
    """The short text of the first element that rel or itemprop calls the author."""
    properties = columns.attribute("itemprop")
    places = {place for place, value in enumerate(properties) if "author" in value}
    for place in np.flatnonzero(columns.tagged("a", "link")).tolist():
        if "author" in columns.value(place, "rel"):
            places.add(place)
    for place in sorted(places)[:_MAX_MARKED]:
        if name := _name_of(columns.inner_text(place, _MAX_TEXT_NODES)):
            return name
    return ""


def _marked_by_class(columns: Columns) -> str:
    """The short text of the first element whose class speaks of an author."""
    numbers, names = columns.named
    wanted = {classes for classes in {name[0] for name in names} if _CLASS.search(classes)}
    places = (
        [number for number, name in zip(numbers.tolist(), names, strict=True) if name[0] in wanted] if wanted else []
    )
    lengths = columns.text_length
    for place in [place for place in places if 1 < lengths[place] <= _MAX_NAME_CHARS][:_MAX_MARKED]:
        if name := _name_of(columns.text(place)):
            return name
    return ""


def _name_of(text: str) -> str:
    """A marked element's text as a name; "" where it is none."""
    name = re.sub(
        r"^(?:(?:written |authored |posted )?by\b|author\b|作者|文(?=\s*[:：/]))\s*[:：/]?\s*",
        "",
        " ".join(text[:500].split()),
        flags=re.I,
    )
    if not 1 < len(name) <= _MAX_NAME_CHARS + 10 or _NOT_A_NAME.search(name) or find_time(name):
        return ""
    return name
