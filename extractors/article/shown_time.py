"""The shown time of publication: in an element named as a date, or in a line near the title.

An absolute time in a line of facts comes before a relative one, which may be of a box of other news, and both before a time in running
text, which is of what the text tells. Only a relative time right beside the title comes first, as sites show it of new pages.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from extractors.article.near_title import CODE, NEAR_CHUNKS, NearTitle
from extractors.html.columns import Columns
from extractors.text.dates import find_time

_DATE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:pub(?:lish(?:ed)?)?|post(?:ed)?|entry|article|news|meta|info|created?|single|story|blog)?[-_]{0,2}"
    r"(?:date|time|datum|fecha|published|pubdate|timestamp|datetime|publication)(?:[-_]\w+)?(?=$|\s)",
    re.I,
)
_DATE_SIGN = re.compile("date|time|datum|fecha|publ")
"""Matches every class that names a date."""
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
_OF_A_PERSON = re.compile(
    r"(?:joined|registered|member since|founded|born|registriert|mitglied seit|dabei seit|gegründet|geboren|inscrit|miembro desde"
    r"|注册(?:时间|于)?|註冊(?:時間|於)?|加入(?:时间|于)?)\W{0,3}(?:\w{2,9}\W{1,2})?$",
    re.I,
)
_SENTENCE = re.compile(r"[。！？；]")
_LONG_SENTENCE = re.compile(r"，|[^\W\d_]{2}[.!?](?:\s|$)")
"""Marks that also shorter lines of facts have."""
_MAX_FACTS_CHARS = 40
_UNTIL = re.compile(r"\s?(?:[–—-]|bis|to|until)\s?(?=\w)")
_ALONE = " \t\n()[]{}|·•.,–—-"
_MAX_DATE_CHARS, _MAX_LINE_CHARS, _MAX_LABEL_CHARS = 60, 100, 40
_MAX_MARKED = 10
_CLOSE_CHUNKS, _BEFORE_CHUNKS = 12, 3
"""Chunks after and before the title in which a line with a time is more likely than others."""
_ADJACENT_CHUNKS = 3
"""Chunks after the title in which a line with only a time is the page's time."""
_MAX_SEARCHED_CHUNKS = 5_000


@dataclass(frozen=True, slots=True)
class MarkedTimes:
    """Short `time` elements, or elements whose class or itemprop names a date, by place; made by `marked_times`.

    Attributes:
        adjacent: right after the title. close: nearest after or before it. near: all shortly after it.
        named: further away, and named after publication. others: those after the title, then those before it, nearest first.
    """

    columns: Columns
    adjacent: list[int]
    close: list[int]
    near: list[int]
    named: list[int]
    others: list[int]

    def times(self, places: list[int]) -> Iterator[str]:
        """The first time of each of these elements that has one, as written."""
        for place in places[:_MAX_MARKED]:
            texts = (*(self.columns.value(place, name) for name in ("datetime", "title")), self.columns.text(place))
            if expression := next(filter(None, map(dated, texts)), ""):
                yield expression


@dataclass(frozen=True, slots=True)
class ShownTime:
    """A time as a page writes it, "" if there is none; `place`: in its head (lines of facts, elements named as dates) or elsewhere."""

    text: str = ""
    place: Literal["head", "text"] = "head"


def time_at_title(near: NearTitle, marked: MarkedTimes) -> str:
    """The time in a separate element or line next to the title, as written, "" if there is none."""
    beside = chain(marked.times(marked.adjacent), _times_alone(near.lines(0, _ADJACENT_CHUNKS + 1)))
    return next(beside, "") or _absolute(marked.times(marked.close))


def time_near_title(near: NearTitle, marked: MarkedTimes) -> str:
    """The absolute time in a short line before the title, or in an element shortly after it, as written, "" if there is none."""
    before = [line for line in near.lines(-_BEFORE_CHUNKS, 0)[::-1] if len(line) <= _MAX_LINE_CHARS]
    return _absolute(chain(_times(before), marked.times(marked.near)))


def time_elsewhere(near: NearTitle, marked: MarkedTimes) -> ShownTime:
    """The most likely time in the page's other lines and elements."""
    close, far, before = (
        near.lines(*span) for span in ((0, _CLOSE_CHUNKS), (_CLOSE_CHUNKS, NEAR_CHUNKS), (-10, -_BEFORE_CHUNKS))
    )
    lines = [*close, *far, *near.lines(-_BEFORE_CHUNKS, 0)[::-1], *before[::-1]]
    facts = _facts(lines)
    named = chain(marked.times(marked.named), filter(None, (labelled_time(near.columns),)))
    if found := _absolute(chain(_times(_facts(close)), named, _times(facts))) or next(
        chain(marked.times([*marked.close, *marked.near, *marked.named]), _times(facts)), ""
    ):
        return ShownTime(found)
    return ShownTime(next(chain(_times(lines), marked.times(marked.others)), ""), "text")


def marked_times(near: NearTitle) -> MarkedTimes:
    """The elements of the page that may hold its time of publication."""
    columns = near.columns
    places = [place for place in _places_of_times(columns) if columns.text_length[place] <= _MAX_DATE_CHARS]
    away = {place: int(columns.chunk_start[place]) - near.start for place in places}
    around = [place for place in places if -_BEFORE_CHUNKS <= away[place] <= NEAR_CHUNKS]
    around.sort(key=lambda place: away[place] if away[place] >= 0 else _CLOSE_CHUNKS)
    adjacent = [place for place in around if 0 <= away[place] <= _ADJACENT_CHUNKS and columns.tag_name(place) != "a"]
    close = [place for place in around if away[place] <= _CLOSE_CHUNKS]
    far = [place for place in places if place not in around]
    named = [place for place in far if _PUBLISHED.search(_names(columns, place)) and columns.tag_name(place) != "a"]
    after, before = ([place for place in far if (away[place] > 0) == is_after] for is_after in (True, False))
    return MarkedTimes(columns, adjacent, close, around, named, [*after, *reversed(before)])


def dated(line: str) -> str:
    """A line's time; not "today" alone, nor "3 weeks ago" or a day without a year, which would be imprecise, nor a
    span of days or the day on which a person joined."""
    found = find_time(line)
    if not any(map(str.isdigit, found)) or not (_HAS_YEAR.search(found) or _IS_RECENT.search(found)):
        return ""
    before, _, after = line.partition(found)
    if _OF_A_PERSON.search(before[-_MAX_LABEL_CHARS:]):
        return ""
    until = _UNTIL.match(after)
    return "" if until and _begins_with_day(after[until.end() : until.end() + _MAX_DATE_CHARS]) else found


def _begins_with_day(text: str) -> bool:
    """Whether a text begins with a day and its year."""
    found = find_time(text)
    return bool(found) and text.startswith(found) and _HAS_YEAR.search(found) is not None


def _times(lines: Iterable[str]) -> Iterator[str]:
    return filter(None, map(dated, lines))


def _absolute(times: Iterable[str]) -> str:
    """The first time with a year."""
    return next((time for time in times if _HAS_YEAR.search(time)), "")


def _facts(lines: list[str]) -> list[str]:
    """Lines that are no running text."""
    return [line for line in lines if not _is_prose(line)]


def _is_prose(line: str) -> bool:
    """Whether a line is running text."""
    if len(line) > _MAX_LINE_CHARS or _SENTENCE.search(line):
        return True
    return len(line) > _MAX_FACTS_CHARS and _LONG_SENTENCE.search(line) is not None


def _times_alone(lines: list[str]) -> Iterator[str]:
    return (found for line in lines if (found := dated(line)) and line.strip(_ALONE) == found.strip(_ALONE))


def labelled_time(columns: Columns) -> str:
    """The text after a word such as "published" at the beginning of a chunk."""
    apart = columns.within(columns.tagged("aside", "footer", "nav", *CODE))
    numbered = columns.counts("digit")[: _MAX_SEARCHED_CHUNKS + 1] > 0
    numbered[:-1] |= numbered[1:]
    for chunk in np.flatnonzero(numbered[:_MAX_SEARCHED_CHUNKS]).tolist():
        if (found := _LABELLED.match(columns.texts[chunk].lstrip()[:80])) and not apart[columns.owner[chunk]]:
            line = columns.join(np.arange(chunk, min(chunk + 2, len(columns.texts)))).lstrip()[found.end() :][:40]
            if (time := dated(line)) and line.find(time[:4]) <= _CLOSE_CHUNKS:
                return time
    return ""


def _names(columns: Columns, place: int) -> str:
    return columns.value(place, "class") + columns.value(place, "itemprop")


def _names_date(name: str, _: str) -> bool:
    return _DATE_CLASS.search(name) is not None


def _places_of_times(columns: Columns) -> list[int]:
    """The elements that may hold the time of publication, in document order."""
    found = set(columns.named(_names_date, _DATE_SIGN).tolist())
    found.update(columns.places("time"))
    found.update(place for place, value in columns.sparse("itemprop").items() if "datepublished" in value.lower())
    apart = columns.within(columns.tagged("aside", "footer", *CODE))
    return sorted(place for place in found if not apart[place] and not _NOT_PUBLISHED.search(_names(columns, place)))
