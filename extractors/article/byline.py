"""The byline near a title: author, time, and first publisher."""

import re
from collections.abc import Callable, Iterable, Iterator
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
from extractors.article.near_title import CODE, NEAR_CHUNKS, READ_CHARS, NearTitle, near_title
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
_LABELS = (
    r"(?:(?:this|the)\s(?:post|article|story|piece)\s(?:was|is)\s)?(?:written|authored)\sby|(?:article|story|words|text)\sby"
    r"|(?:geschrieben|verfasst)\svon|(?:écrit|rédigé)\spar|escrito\spor|scritto\sda|geschreven\sdoor|skr(?:evet|iven)\sav"
    r"|autor(?:in|es|en)?\s?:|authors?\s?:|auteure?s?\s?:|автор\s?:|(?:text|words)\s?(?:&|und|and)\s?(?:fotos?|photos?)\s?:"
    r"|(?:原文|本文|文章)?作者\s?[:：]|撰文\s?[:：]"
)
_LABEL = re.compile(rf"\s*(?=[aeégrstvwа作原本文撰])(?:{_LABELS})", re.I)
_LABELLED_NAME = re.compile(
    rf"(?i:{_LABELS})[\s:：]{{1,4}}({_BY_NAME})(?!\w)(?=\s{{0,2}}(?:$|[|•·,.;(\n–—-]))"
    r"|(?:作者|撰文)\s?[:：]\s{0,3}([\u4e00-\u9fff]{2,4}(?:[ \u3000、][\u4e00-\u9fff]{2,4}){0,4})(?![\u4e00-\u9fff])"
)
"""A name after words that name the author wherever they begin a chunk."""
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
_MAX_SEARCHED_CHUNKS = 5_000
_BEFORE_CHUNKS = 10
"""Chunks before the title that are searched for a byline."""
_STATED_CHUNKS, _STATED_LINES = 8, 6
"""Chunks and lines after the title in which a byline is beside it."""
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
        further = []
        for places_of, name_at in ((_declared, _declared_name), (_marked, _marked_name)):
            close, others = _parted(self._near, places_of(self._columns, self._near))
            if name := _first(name_at, self._columns, close):
                yield name
            else:
                further.append((name_at, others))
        yield from filter(None, [self.stated])
        yield from filter(None, (_first(name_at, self._columns, places) for name_at, places in further))
        yield from filter(None, [_linked(self._columns)])
        for line in self._lines:
            if name := _author(line) or led_name(line) or reporters(line):
                yield name

    @cached_property
    def stated(self) -> str:
        """The name in a line right after the title that is a byline, such as "By Jane Doe"."""
        lines = [line for line in _labelled(self._near.lines(0, _STATED_CHUNKS)) if line.strip() != self._title]
        return next(filter(None, (_author(line) or led_name(line) for line in lines[:_STATED_LINES])), "")

    @cached_property
    def signed(self) -> str:
        """Names that are a paragraph alone before the first long one."""
        return _signed(self._near)

    @cached_property
    def labelled(self) -> str:
        """The name after words such as "written by" or "作者：" that begin a chunk anywhere but in boxes beside the text."""
        return _labelled_name(self._columns)

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
    return "" if is_junk(name) or _SENTENCE.search(name) else name


def _labelled_name(columns: Columns) -> str:
    apart = columns.within(columns.tagged("aside", "nav", *CODE))
    for chunk, text in enumerate(columns.texts[:_MAX_SEARCHED_CHUNKS]):
        if _LABEL.match(text) and not apart[columns.owner[chunk]]:
            line = columns.join(np.arange(chunk, min(chunk + 2, len(columns.texts)))).strip()[:READ_CHARS]
            found = _LABELLED_NAME.match(line)
            name = next(filter(None, found.groups()), "") if found else ""
            if name and not is_junk(name):
                return name
    return ""


def _parted(near: NearTitle, places: Iterable[int]) -> tuple[list[int], list[int]]:
    """The first of these places, those shortly after the title before the others, parted into both."""
    away = {place: int(near.columns.chunk_start[place]) - near.start for place in places}
    close = [place for place in sorted(away) if 0 <= away[place] <= NEAR_CHUNKS][:_MAX_MARKED]
    others = [place for place in sorted(away) if not 0 <= away[place] <= NEAR_CHUNKS]
    return close, others[: _MAX_MARKED - len(close)]


def _first(name_at: Callable[[Columns, int], str], columns: Columns, places: Iterable[int]) -> str:
    return next(filter(None, (name_at(columns, place) for place in places)), "")


def _declared(columns: Columns, _: NearTitle) -> set[int]:
    """The elements that rel or itemprop calls the author."""
    places = {place for place, value in columns.sparse("itemprop").items() if "author" in value}
    related = (place for place, value in columns.sparse("rel").items() if "author" in value)
    return places | {place for place in related if columns.tag_name(place) in ("a", "link")}


def _declared_name(columns: Columns, place: int) -> str:
    """The property `name` of an item (https://html.spec.whatwg.org/multipage/microdata.html), or a short text."""
    inside = range(place + 1, min(int(columns.end[place]), place + _MAX_ITEM_ELEMENTS))
    found = next((each for each in inside if columns.sparse("itemprop").get(each) == "name"), None)
    name = "" if found is None else name_of(columns.value(found, "content") or columns.text(found))
    return name or name_of(columns.inner_text(place, _MAX_TEXT_NODES))


def _marked(columns: Columns, near: NearTitle) -> list[int]:
    """The short elements whose class names an author, and links near the title to an author's page."""
    places = {*columns.named(_names_author, _CLASS).tolist(), *_author_links(near)}
    return [place for place in places if 1 < columns.text_length[place] <= MAX_NAME_CHARS]


def _marked_name(columns: Columns, place: int) -> str:
    """The text of an element for the name only, or of the whole element."""
    inside = range(place, min(int(columns.end[place]), place + _MAX_ITEM_ELEMENTS))
    named = (each for each in inside if columns.text_length[each] and _is_name_class(columns.value(each, "class")))
    text = columns.text(next(named, place))
    return name_of(text.split("\n")[0]) or name_of(text)


def _is_name_class(name: str) -> bool:
    return _NAME_CLASS.search(name) is not None and not _NOT_A_NAME_CLASS.search(name)


def _names_author(name: str, _: str) -> bool:
    return not _NOT_A_NAME_CLASS.search(name)


def _linked(columns: Columns) -> str:
    """The text of links to an author's page ("/author/", "/autor/") if the page has links to one author alone."""
    targets = columns.sparse("href")
    links = [place for place, target in targets.items() if "/a" in target and _AUTHOR_PAGE.search(target[-200:])]
    alone = len({targets[place].rstrip("/") for place in links}) == 1
    texts = (columns.text(place) for place in links if alone and 1 < columns.text_length[place] <= MAX_NAME_CHARS)
    return next(filter(None, map(name_of, texts)), "")


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
