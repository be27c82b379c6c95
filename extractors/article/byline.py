"""The line under a title: who wrote it, when, and where it was published first."""

import re
from dataclasses import dataclass

import numpy as np

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
_NEAR = 60
"""Chunks before and after the title in which a byline is looked for."""


@dataclass(frozen=True, slots=True)
class Byline:
    """As written on the page; "" where nothing was found. `time` is the time expression."""

    author: str = ""
    source: str = ""
    time: str = ""


def read_byline(page: Page, title: str) -> Byline:
    """From the lines around the title, else from those that the markup calls time or author."""
    columns = page.columns
    lines = _lines_near_title(columns, title)
    author = next((name for line in lines if (name := _author(line))), "") or _marked(
        columns, ("author", "byline", "writer")
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


def _marked(columns: Columns, words: tuple[str, ...]) -> str:
    """The short text of the first element whose class, rel or itemprop says so."""
    for place, (classes, rel, itemprop) in enumerate(
        zip(columns.attribute("class"), columns.attribute("rel"), columns.attribute("itemprop"), strict=True)
    ):
        if not (classes or rel or itemprop):
            continue
        marks = f"{classes} {rel} {itemprop}".lower()
        if any(word in marks for word in words) and 1 < columns.text_length[place] <= 40:
            text = " ".join(columns.text(place).split())
            text = re.sub(r"^(?:by|作者|文)\s*[:：/]?\s*", "", text, flags=re.I)
            if text and not _NOT_A_NAME.search(text) and not find_time(text):
                return text
    return ""
