"""The line under a title: who wrote it, when, and where it was published first."""

import re
from dataclasses import dataclass
from itertools import islice

import numpy as np
from lxml import etree

from extractors.columns import Columns
from extractors.dates import find_time
from extractors.page import Page

_SOURCE = re.compile(
    r"(?:文章来源|稿件来源|信息来源|新闻来源|本文来源|来源|來源|出处|转自)\s{0,3}[:：]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】]{2,30})"
)
_AUTHOR = re.compile(
    r"(?:本报记者|作者|记者|記者|撰文|撰稿|文字|编译|通讯员|文)\s{0,3}[:：/丨|]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】/]{2,20}(?:[ 、][\u4e00-\u9fff]{2,4}){0,3})"
    r"|\b[Bb][Yy]:?\s{1,3}((?:[A-Z][\w.'’-]{0,20}\s?(?:and |& |, )?){1,6})"
)
_NOT_A_NAME = re.compile(r"来源|时间|日期|发布|点击|浏览|评论|编辑|字号|\d{3}")
_DECLARED_AUTHOR = etree.XPath("//*[@itemprop or @rel][contains(@itemprop, 'author') or contains(@rel, 'author')]")
_CLASS = re.compile(r"author|byline|writer", re.I)
_LONGEST_NAME = 40
_MOST_MARKED = 10
_MOST_PARTS = 20
_NEAR = 60
"""Chunks before and after the title in which a byline is looked for."""


@dataclass(frozen=True, slots=True)
class Byline:
    """As written on the page; "" where nothing was found. `time` is the time expression."""

    author: str = ""
    source: str = ""
    time: str = ""


def read_byline(page: Page, title: str, *, author: str = "") -> Byline:
    """Author and time as the markup marks them, else, like the source, from the lines around the title.

    An author that is known already is taken as it is.
    """
    columns = page.columns
    lines = _lines_near_title(columns, title)
    author = (
        author
        or _declared(columns)
        or _marked_by_class(columns)
        or next((name for line in lines if (name := _author(line))), "")
    )
    source = next((found.group(1).strip() for line in lines if (found := _SOURCE.search(line))), "")
    time = _time_elements(columns) or next(filter(None, map(_dated, lines)), "")
    return Byline(author, source, time)


def _dated(line: str) -> str:
    """A line's time; words such as "today" alone are no date of publication."""
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
    after = columns.join(range(start, min(start + _NEAR, len(columns.texts)))).splitlines()
    before = columns.join(range(max(0, start - 10), start)).splitlines()
    return [line[:200] for line in (*after, *reversed(before)) if len(line) <= 400]


def _title_chunk(columns: Columns, title: str) -> int:
    """The chunk, outside `head`, that begins a heading or line with the title's text."""
    head = columns.within(columns.tagged("head", "title"))[columns.owner] if len(columns.texts) else np.zeros(0, bool)
    first = title[:15]
    best = 0
    for chunk in np.flatnonzero(~head).tolist():
        if first and columns.texts[chunk].lstrip().startswith(first):
            best = chunk
            if columns.elements[columns.owner[chunk]].tag in ("h1", "h2", "h3"):
                return best
    return best


def _time_elements(columns: Columns) -> str:
    for place in np.flatnonzero(columns.tagged("time"))[:5].tolist():
        element = columns.elements[place]
        for text in (element.get("datetime", ""), columns.text(place)):
            if expression := _dated(text):
                return expression
    return ""


def _declared(columns: Columns) -> str:
    """The short text of the first element that rel or itemprop calls the author."""
    found = _DECLARED_AUTHOR(columns.elements[0]) if len(columns) else []
    elements = [each for each in found if isinstance(each, etree._Element)] if isinstance(found, list) else []
    for element in elements[:_MOST_MARKED]:
        if name := _name_of("".join(map(str, islice(element.itertext(), _MOST_PARTS)))):
            return name
    return ""


def _marked_by_class(columns: Columns) -> str:
    values = columns.attribute("class")
    wanted = {classes for classes in set(values) if _CLASS.search(classes)}
    places = [place for place, classes in enumerate(values) if classes in wanted] if wanted else []
    lengths = columns.text_length
    for place in [place for place in places if 1 < lengths[place] <= _LONGEST_NAME][:_MOST_MARKED]:
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
    if not 1 < len(name) <= _LONGEST_NAME + 10 or _NOT_A_NAME.search(name) or find_time(name):
        return ""
    return name
