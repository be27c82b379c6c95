"""The byline near a title: author, time, and first publisher."""

import re
from collections.abc import Collection
from functools import cached_property
from itertools import pairwise

import numpy as np

from extractors.article.names import (
    MAX_NAME_CHARS,
    MAX_SIGNED_CHARS,
    is_junk,
    led_name,
    name_of,
    names_alone,
    reporters,
)
from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.text.dates import find_time

_SOURCE = re.compile(
    r"(?:文章来源|稿件来源|信息来源|新闻来源|本文来源|来源|來源|出处|转自)\s{0,3}[:：]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】]{2,30})"
)
_BY_WORD = r"(?:(?:Dr|Jr|Sr|St|Prof|Mrs?|Ms)\.|[A-Z]\.(?:[A-Z]\.)?|[A-ZÀ-Þ][\w'’-]{0,24})"
_BY_NAME = rf"{_BY_WORD}(?:\s{{1,2}}(?:(?:van|von|de|der|la|del|di|bin|al)\s){{0,2}}{_BY_WORD}){{0,4}}"
_BY = re.compile(
    r"(?:^|[|•·—–\-:\]]\s{0,2}|\d,?\s{1,2}|(?i:written|posted|published|reported|words|text|edited|submitted|added)\s)"
    rf"[Bb][Yy]:?\s{{1,3}}({_BY_NAME}(?:\s?(?:,\sand|,|&|\band)\s{_BY_NAME}){{0,4}})(?!\w)"
    r"(?=\s{0,2}(?:$|[|•·—–(\[/@]|-\s|,?\s?(?:on|in|at|for|from|updated|published|posted|last|staff|\d)\b))"
)
"""A line that begins with "by", or says it after its date or another part; a sentence that goes on after the name is none."""
_AUTHOR = re.compile(
    r"(?:本报记者|作者|记者|記者|撰文|撰稿|文字|编译|通讯员|著者|筆者|執筆|文責|글|文)\s{0,3}[:：/丨|＝]\s{0,3}([^\s:：|｜,，。;；()（）\[\]【】/]{2,20}(?:[ 、][\u4e00-\u9fff]{2,4}){0,3})"
    r"|(?:^|[\s(|=])([가-힣]{2,4})\s?기자(?=$|[\s)|(=,·])"
)
_SENTENCE = re.compile(r"[\u4e00-\u9fff]{9,}")
"""What follows "记者：" in an interview."""
_CLASS = re.compile(r"author|byline|writer", re.I)
_NOT_A_NAME_CLASS = re.compile(r"brand|logo|avatar|image|img|photo|icon|desc|role|count|comment", re.I)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|editors?|writers?|contributors?|columnists?|reporters?|signataires?|newsteam|autor(?:en|es)?|auteurs?|redakteure?)/"
    r"[^/?#]{2,80}/?$",
    re.I,
)
"""Addresses of pages about an author."""
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
_MAX_ITEM = 200
"""Elements of an item in which its name is looked for."""
_LINK_CHUNKS = 20
"""Chunks after the title in which the link to an author's page is no link of the text."""
_SIGNED_PARAGRAPHS, _LONG_PARAGRAPH = 4, 60
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
            _declared(self._columns, self._title)
            or _marked(self._columns, self._title)
            or next((name for line in self._lines if (name := _author(line) or led_name(line) or reporters(line))), "")
        )

    @cached_property
    def signed(self) -> str:
        """Names that are a paragraph alone before the first long one."""
        return _signed(self._columns, self._title)

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
    found = _AUTHOR.search(line) or _BY.search(line)
    name = next(filter(None, found.groups()), "").strip(" ,&") if found else ""
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


def _declared(columns: Columns, title: str) -> str:
    """The short text, or the property `name`, of an element that rel or itemprop calls the author."""
    properties = columns.sparse("itemprop")
    places = {place for place, value in properties.items() if "author" in value}
    for place in np.flatnonzero(columns.tagged("a", "link")).tolist():
        if "author" in columns.value(place, "rel"):
            places.add(place)
    for place in _nearest_first(columns, title, places)[:_MAX_MARKED]:
        if name := _property_name(columns, place) or name_of(columns.inner_text(place, _MAX_TEXT_NODES)):
            return name
    return ""


def _property_name(columns: Columns, place: int) -> str:
    """The property `name` of an item (https://html.spec.whatwg.org/multipage/microdata.html), "" without one."""
    inside = range(place + 1, min(int(columns.end[place]), place + _MAX_ITEM))
    found = next((each for each in inside if columns.sparse("itemprop").get(each) == "name"), None)
    return "" if found is None else name_of(columns.value(found, "content") or columns.text(found))


def _nearest_first(columns: Columns, title: str, places: Collection[int]) -> list[int]:
    """Those shortly after the title, then the others, each in document order."""
    start = _title_chunk(columns, title)
    return sorted(places, key=lambda place: (not _is_near(columns, place, start), place))


def _is_near(columns: Columns, place: int, start: int) -> bool:
    return 0 <= int(columns.chunk_start[place]) - start <= _NEAR_CHUNKS


def _marked(columns: Columns, title: str) -> str:
    """The short text of an element whose class speaks of an author, or near the title of a link to an author's page."""
    numbers, names = columns.named
    wanted = {classes for classes in {name[0] for name in names} if _CLASS.search(classes)}
    wanted = {classes for classes in wanted if not _NOT_A_NAME_CLASS.search(classes)}
    marked = [(number, name[0]) for number, name in zip(numbers.tolist(), names, strict=True) if name[0] in wanted]
    named = [number for number, classes in marked if _NAME_CLASS.search(classes)]
    lengths, ends = columns.text_length, columns.end
    places = {number for number, _ in marked} | _author_links(columns, title)
    short = [place for place in _nearest_first(columns, title, places) if 1 < lengths[place] <= MAX_NAME_CHARS]
    for place in short[:_MAX_MARKED]:
        text = columns.text(next((inner for inner in named if place <= inner < ends[place]), place))
        if name := name_of(text.split("\n")[0]) or name_of(text):
            return name
    return ""


def _author_links(columns: Columns, title: str) -> set[int]:
    start, links = _title_chunk(columns, title), columns.tagged("a")
    near = np.flatnonzero(links & (columns.chunk_start >= start) & (columns.chunk_start <= start + _LINK_CHUNKS))
    return {place for place in near.tolist() if _AUTHOR_PAGE.search(columns.value(place, "href")[-200:])}


def _signed(columns: Columns, title: str) -> str:
    """Headings are left out, since many are written like names; so are paragraphs with more text after them in their element."""
    start, lengths = _title_chunk(columns, title), columns.text_length
    paragraphs = np.flatnonzero(columns.tagged("p") & (columns.chunk_start >= start) & (lengths > 0))
    for place, following in pairwise(paragraphs[: _SIGNED_PARAGRAPHS + 1].tolist()):
        if lengths[place] <= MAX_SIGNED_CHARS and lengths[following] >= _LONG_PARAGRAPH:
            return names_alone(columns.text(place))
    return ""
