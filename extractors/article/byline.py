"""The byline near a title: author, time, and first publisher."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from extractors.article.author_names import (
    MAX_NAME_CHARS,
    MAX_SIGNED_CHARS,
    is_junk,
    led_name,
    name_of,
    names_alone,
    reporters,
)
from extractors.article.near_title import NEAR_CHUNKS, READ_CHARS, NearTitle, near_title
from extractors.article.shown_time import (
    MarkedTimes,
    ShownTime,
    labelled_time,
    marked_times,
    time_at_title,
    time_elsewhere,
    time_near_title,
)
from extractors.html.columns import Columns
from extractors.html.document import Document

_SOURCE = re.compile(
    r"(?:文章来源|稿件来源|信息来源|新闻来源|本文来源|来源|來源|出处|转自)\s{0,3}[:：]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】]{2,30})"
)
_BY_WORD = r"(?:(?:Dr|Jr|Sr|St|Prof|Mrs?|Ms)\.|[A-Z]\.(?:[A-Z]\.)?|[A-ZÀ-Þ][\w'’-]{0,24})"
_BY_NAME = rf"{_BY_WORD}(?:\s{{1,2}}(?:(?:van|von|de|der|la|del|di|bin|al)\s){{0,2}}{_BY_WORD}){{0,4}}"
_BY = re.compile(
    r"(?:^|[|•·●⋅∙・—–\-:\]]\s{0,2}|\d,?\s{1,2}|(?i:written|posted|published|reported|words|text|edited|submitted|added)\s)"
    rf"(?:[Bb][Yy](?::\s{{0,3}}|\s{{1,3}})|By(?=[A-ZÀ-Þ][a-zß-ÿ]))({_BY_NAME}(?:\s?(?:,\sand|,|&|\band)\s{_BY_NAME}){{0,4}})(?!\w)"
    r"(?=\s{0,2}(?:$|[|•·●⋅∙・—–(\[/@]|-\s|,?\s?(?:on|in|at|for|from|updated|published|posted|last|staff|\d)\b))"
)
"""A line that begins with "by", or has it after a date or another part; a sentence that continues after the name does not match."""
_AUTHOR = re.compile(
    r"(?:本报记者|作者|记者|記者|撰文|撰稿|文字|编译|通讯员|著者|筆者|執筆|文責|글|(?<![\u4e00-\u9fff])文)\s{0,3}[:：/丨|＝]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】/]{2,20}(?:[ 、][\u4e00-\u9fff]{2,4}){0,3})"
    r"|(?:^|[\s(|=])([가-힣]{2,4})\s?기자(?=$|[\s)|(=,·])"
)
_EAST_ASIAN = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]")
_LABEL_ALONE = re.compile(
    r"(?:(?:written|posted|published|words|story|reported|article)\s)?by:?|von:?|par|por|author:?|autor(?:in|e)?:?|auteur:?|作者[:：]?",
    re.I,
)
"""A line that names the author together with the next line."""
_SENTENCE = re.compile(r"[\u4e00-\u9fff]{9,}")
"""A question after "记者：" in an interview."""
_CLASS = re.compile(r"author|byline|writer")
"""Matches lower-case text."""
_NOT_A_NAME_CLASS = re.compile(r"brand|logo|avatar|image|img|photo|icon|desc|role|count|comment", re.I)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|editors?|writers?|contributors?|columnists?|reporters?|signataires?|newsteam|autor(?:en|es)?|auteurs?|redakteure?)/"
    r"[^/?#]{2,80}/?$",
    re.I,
)
"""Addresses of pages about an author."""
_NAME_CLASS = re.compile(r"(?:author|byline|writer)s?[-_]{0,2}(?:name|link|url)", re.I)
"""Classes of an author's name only, without picture and other words."""
_MAX_LABEL_CHARS = 20
_BEFORE_CHUNKS = 10
"""Chunks before the title that are searched for a byline."""
_MAX_MARKED = 10
_MAX_TEXT_NODES = 20
_MAX_ITEM_ELEMENTS = 200
"""Elements of an item that are searched for its name."""
_LINK_CHUNKS = 20
"""Chunks after the title in which a link to an author's page is not a link in the text."""
_SIGNED_PARAGRAPHS, _LONG_PARAGRAPH_CHARS = 4, 60


class Byline:
    """Author, source and time near a title, each searched on first use; "" if there is none."""

    def __init__(self, page: Document, title: str) -> None:
        self._columns, self._title = page.columns, title
        self._found: list[str] = []

    @cached_property
    def _near(self) -> NearTitle:
        return near_title(self._columns, self._title)

    @cached_property
    def _lines(self) -> list[str]:
        """Short lines after the title, nearest first, then those before it."""
        lines = (*_labelled(self._near.lines(0, NEAR_CHUNKS)), *reversed(self._near.lines(-_BEFORE_CHUNKS, 0)))
        title = self._near.title[:READ_CHARS].strip()
        return [line for line in lines if line.strip() != title]

    @cached_property
    def author(self) -> str:
        """From the markup, else from a line near the title."""
        return next(self.authors(), "")

    def authors(self) -> Iterator[str]:
        """Authors from the markup, then from lines near the title; each is searched once."""
        yield from self._found
        for name in self._further_authors:
            self._found.append(name)
            yield name

    @cached_property
    def _further_authors(self) -> Iterator[str]:
        return self._search_authors()

    def _search_authors(self) -> Iterator[str]:
        yield from filter(None, (find(self._near) for find in (_declared, _marked)))
        for line in self._lines:
            if name := _author(line) or led_name(line) or reporters(line):
                yield name

    @cached_property
    def signed(self) -> str:
        """Names that are a paragraph alone before the first long one."""
        return _signed(self._near)

    @cached_property
    def source(self) -> str:
        """The publisher named in a line near the title."""
        if not self._columns.counts("cjk").any():
            return ""
        lines = filter(_is_east_asian, self._lines)
        return next((found.group(1).strip() for line in lines if (found := _SOURCE.search(line))), "")

    @cached_property
    def time(self) -> ShownTime:
        """The time expression of the most likely element or line for the time of publication."""
        return ShownTime(self.near_time) if self.near_time else time_elsewhere(self._near, self._marked_times)

    @cached_property
    def near_time(self) -> str:
        """The time in a separate element or line near the title."""
        return self._time_at_title or time_near_title(self._near, self._marked_times)

    @cached_property
    def stated_time(self) -> str:
        """The time in a separate element or line next to the title, or after a word such as "published"."""
        return self._time_at_title or labelled_time(self._near.columns)

    @cached_property
    def _time_at_title(self) -> str:
        return time_at_title(self._near, self._marked_times)

    @cached_property
    def _marked_times(self) -> MarkedTimes:
        return marked_times(self._near)


def _is_east_asian(line: str) -> bool:
    return not line.isascii() and _EAST_ASIAN.search(line) is not None


def _labelled(lines: list[str]) -> Iterator[str]:
    """The lines, with each line that is only a label joined to the next one."""
    label = ""
    for line in lines:
        yield f"{label} {line.strip()}" if label else line
        label = line.strip() if len(line) <= _MAX_LABEL_CHARS and _LABEL_ALONE.fullmatch(line.strip()) else ""


def _author(line: str) -> str:
    found = (_is_east_asian(line) and _AUTHOR.search(line)) or ("by" in line.lower() and _BY.search(line))
    name = next(filter(None, found.groups()), "").strip(" ,&") if found else ""
    return "" if is_junk(name) or _SENTENCE.fullmatch(name) else name


def _declared(near: NearTitle) -> str:
    """The short text, or the property `name`, of an element that rel or itemprop calls the author."""
    columns = near.columns
    places = {place for place, value in columns.sparse("itemprop").items() if "author" in value}
    related = (place for place, value in columns.sparse("rel").items() if "author" in value)
    places.update(place for place in related if columns.tag_name(place) in ("a", "link"))
    for place in _nearest_first(near, places)[:_MAX_MARKED]:
        if name := _property_name(columns, place) or name_of(columns.inner_text(place, _MAX_TEXT_NODES)):
            return name
    return ""


def _property_name(columns: Columns, place: int) -> str:
    """The property `name` of an item (https://html.spec.whatwg.org/multipage/microdata.html), "" without one."""
    inside = range(place + 1, min(int(columns.end[place]), place + _MAX_ITEM_ELEMENTS))
    found = next((each for each in inside if columns.sparse("itemprop").get(each) == "name"), None)
    return "" if found is None else name_of(columns.value(found, "content") or columns.text(found))


def _nearest_first(near: NearTitle, places: Iterable[int]) -> list[int]:
    """Places shortly after the title, then the others, each in document order."""
    begun = near.columns.chunk_start
    return sorted(places, key=lambda place: (not 0 <= int(begun[place]) - near.start <= NEAR_CHUNKS, place))


def _marked(near: NearTitle) -> str:
    """The short text of an element whose class names an author, or of a link near the title to an author's page."""
    columns = near.columns
    marked = columns.named(_names_author, _CLASS).tolist()
    named = [place for place in marked if _NAME_CLASS.search(columns.value(place, "class"))]
    lengths, ends = columns.text_length, columns.end
    places = {*marked, *_author_links(near)}
    short = [place for place in _nearest_first(near, places) if 1 < lengths[place] <= MAX_NAME_CHARS]
    for place in short[:_MAX_MARKED]:
        text = columns.text(next((inner for inner in named if place <= inner < ends[place]), place))
        if name := name_of(text.split("\n")[0]) or name_of(text):
            return name
    return ""


def _names_author(name: str, _: str) -> bool:
    return not _NOT_A_NAME_CLASS.search(name)


def _author_links(near: NearTitle) -> list[int]:
    """Links to an author's page shortly after the title."""
    begun, targets = near.columns.chunk_start, near.columns.sparse("href")
    close = near.columns.tagged("a") & (begun >= near.start) & (begun <= near.start + _LINK_CHUNKS)
    return [place for place in np.flatnonzero(close).tolist() if _AUTHOR_PAGE.search(targets.get(place, "")[-200:])]


def _signed(near: NearTitle) -> str:
    """Paragraphs that are names; skips headings, since many look like names, and paragraphs followed by text in their element."""
    columns, lengths = near.columns, near.columns.text_length
    paragraphs = np.flatnonzero(columns.tagged("p") & (columns.chunk_start >= near.start) & (lengths > 0))
    for place, following in pairwise(paragraphs[: _SIGNED_PARAGRAPHS + 1].tolist()):
        if lengths[place] <= MAX_SIGNED_CHARS and lengths[following] >= _LONG_PARAGRAPH_CHARS:
            return names_alone(columns.text(place))
    return ""
