"""When, where and who of the main event of a report, each with its source sentence.

The happening is in the sentence that shares most with the title; what is not said there is taken from the sentences around.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from analysis.events.entities import Entities, find
from analysis.names import Name
from analysis.times import Interval, TimeMention
from extractors.topic.words import folded_codes

_Mark = TypeVar("_Mark", Name, TimeMention)

_SENTENCES = re.compile(r"(?:[^。！？!?；\n.]|\.(?!\s+[\"“‘A-Z]|\s*$))+[。！？!?；.]?")
_MAX_SENTENCES = 12
_MAX_TEXT_CHARS = 1_500
"""Maximum number of characters read."""
_FILING = re.compile(r"(?:电|讯|消息|报道|专电)")
_STAMPED = re.compile(
    r"(?:(?:发布|发表|更新|刊发)于?|(?<!当地)(?<!北京)(?:时间|日期|来源)\s?[:])[^\d。,]{0,12}$"
    r"|(?:published|updated|posted|modified)(?:\son|:)?\s$|^\W*by\s[a-z][a-z .,'’-]{3,60}$"
)
"""Before the date of a report itself,"""
_STAMP_ENDS = re.compile(
    r"\W{0,3}(?:来源|作者|编辑|责编|点击|浏览|阅读|字号)|\s?\((?:reuters|ap|afp|upi|bloomberg|xinhua|tass|kyodo|cnn)\)"
    r"|\s?(?:--|—|–)\s|\s?(?:et|est|edt|gmt|utc|pst|pdt)\b\W"
)
"""and behind it; or it is a year, a day and a clock that fill a line but for a few characters."""
_STAMP_LINE_CHARS = 30
_STAMP_CHARS = 60
"""At the beginning of a sentence."""
_YEAR = re.compile(r"\d{4}")
_TELLS = re.compile(r"[,，]|发生|[一-鿿]{12}|[a-z]+\s[a-z]+\s[a-z]+\s[a-z]+")
"""A sign that a line is more than a stamp."""
_TOLD = re.compile(r"通报|发布|宣布|证实|获悉|了解到|接到|记者从|向记者|称|说|报警")
"""Words after a time of reporting, as opposed to the time of the event."""
_TOLD_AFTER = 14
_TOLD_COST = 2.0
_SHARED = re.compile(r"(?=([\u4e00-\u9fff]{2}))|([a-z]{4,20})")
"""The units that a sentence may share with the title: pairs of characters, and words."""
_EXACT = {"minute": 3.0, "hour": 3.0, "part": 2.5, "day": 2.0, "week": 0.3, "month": 0.5, "year": 0.2, "second": -1.0}
_WRITER = re.compile(
    r"(?:记者|通讯员|实习生|作者|编辑|撰稿|摄影)[\s:/]{0,3}(?:[\u4e00-\u9fff]{2,4}[、\s]){0,3}$"
    r"|[文图][:/]\s?$|^(?:by|reporter|correspondent) $"
)
"""Before who wrote the report,"""
_WRITES = re.compile(r"[\s/]{1,3}[\u4e00-\u9fff]{2,4}报[道导]| reports? (?:for|from)\b")
"""and behind. A writer to whom something happened is none here:"""
_SUFFERS = re.compile(r"等?[\u4e00-\u9fff]{0,4}[被遭]")
_AROUND_NAME = 16
_ORGANISATION = re.compile(r"大学|中学|小学|学院|日报|晚报|早报|时报|晨报|公司|集团|电视台|医院|银行|[警网报台籍人]")
"""Behind a place that only begins the name of something else."""
_IN_QUOTES = re.compile(r"《[^》]{1,60}》")
"""Names of laws, books and newspapers: what they name is not when and where it happened."""
_IN_QUOTES_COST = 2.0
_WHERE = re.compile(r"发生|附近|境内|路段|处|路口|突发|起火|爆炸|遭|开幕|举行|召开|坠|相撞|一起")
_MIN_SCORE = -1.2
"""Places and people of a lower score are only mentioned, far from what the title says."""
_AFTER_NAME = 12
"""Characters behind a place within which words of happening count."""
_EARLIER = 0.5
"""The penalty for each further sentence."""


@dataclass(frozen=True, slots=True)
class Element:
    """A time, place or person as it is written, and the sentence; of a time also its interval."""

    text: str
    sentence: str
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Elements:
    """Those of the main happening, the surest first."""

    times: tuple[Element, ...]
    places: tuple[Element, ...]
    people: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """`plain` is the text folded, each character by one."""

    text: str
    plain: str
    start: int
    score: float


def find_elements(title: str, text: str, base: datetime, found: Entities | None = None) -> Elements:
    """The elements of a report that was published at `base`, a naive local time; `found` is what was found in title and text before."""
    found = found or find(title, text[:_MAX_TEXT_CHARS], base)
    sentences = list(_scored(title, text))
    begin = len(title) + 1
    times = [
        scored
        for sentence in sentences
        for mention in _within(found.times, sentence, begin)
        for scored in _time(sentence, mention)
    ]
    names = [(sentence, name) for sentence in sentences for name in _within(found.names, sentence, begin)]
    places = [_place(sentence, name) for sentence, name in names if _is_place(sentence, name)]
    people = [(sentence.score, Element(name.text, sentence.text)) for sentence, name in names if _acts(sentence, name)]
    return Elements(_surest(times), _surest(places, _MIN_SCORE), _surest(people, _MIN_SCORE))


def _scored(title: str, text: str) -> Iterator[_Sentence]:
    """Sentences with how much they share with the title, the first ones preferred."""
    wanted, plain = set(_SHARED.findall(_plain(title))), _plain(text[:_MAX_TEXT_CHARS])
    for place, match in enumerate(_SENTENCES.finditer(text[:_MAX_TEXT_CHARS])):
        if place >= _MAX_SENTENCES:
            return
        sentence = match.group(0).strip()
        start = text.index(sentence, match.start())
        same = plain[start : start + len(sentence)]
        shared = len(wanted.intersection(_SHARED.findall(same))) / (len(wanted) or 1)
        yield _Sentence(sentence, same, start, 2.0 * shared - _EARLIER * place)


def _plain(text: str) -> str:
    return folded_codes(text).tobytes().decode("utf-32-le", "surrogatepass")


def _within(found: tuple[_Mark, ...], sentence: _Sentence, begin: int) -> Iterator[_Mark]:
    """The part in the sentence, with offsets in it; `begin` is where the text begins in what was read."""
    start = begin + sentence.start
    for each in found:
        if each.start >= start and each.end <= start + len(sentence.text):
            yield replace(each, start=each.start - start, end=each.end - start)


def _time(sentence: _Sentence, mention: TimeMention) -> Iterator[tuple[float, Element]]:
    if not _FILING.match(sentence.plain, mention.end) and not _is_stamp(sentence.plain, mention):
        score = sentence.score + _EXACT.get(mention.interval.unit, 0.0) - 0.01 * mention.start
        if _TOLD.search(sentence.plain, mention.end, mention.end + _TOLD_AFTER) or mention.text.startswith("截"):
            score -= _TOLD_COST
        yield score - _cost_of_quotes(sentence, mention), Element(mention.text, sentence.text, mention.interval)


def _is_stamp(sentence: str, mention: TimeMention) -> bool:
    """Whether it dates the report, not what happened."""
    if mention.start > _STAMP_CHARS:
        return False
    if _STAMPED.search(sentence, 0, mention.start) or _STAMP_ENDS.match(sentence, mention.end):
        return True
    exact = mention.interval.unit in ("hour", "minute", "second") and _YEAR.search(mention.text)
    rest = sentence[: mention.start] + sentence[mention.end :]
    return bool(exact) and len(rest) <= _STAMP_LINE_CHARS and not _TELLS.search(rest)


def _is_place(sentence: _Sentence, name: Name) -> bool:
    return name.kind == "place" and not sentence.plain.startswith("时间", name.end)  # 北京时间


def _place(sentence: _Sentence, name: Name) -> tuple[float, Element]:
    behind = sentence.plain[name.end : name.end + _AFTER_NAME]
    score = sentence.score + (1.0 if _WHERE.search(behind) else 0.0) + 0.1 * len(name.text) - 0.005 * name.start
    if _FILING.search(behind[:8]) or _ORGANISATION.match(behind):
        score -= 1.5
    return score - _cost_of_quotes(sentence, name), Element(name.text, sentence.text)


def _cost_of_quotes(sentence: _Sentence, mark: Name | TimeMention) -> float:
    around = _IN_QUOTES.finditer(sentence.plain) if "《" in sentence.plain else ()
    return _IN_QUOTES_COST if any(each.start() < mark.start < each.end() for each in around) else 0.0


def _acts(sentence: _Sentence, name: Name) -> bool:
    """Whether it is a person, and not only who wrote the report."""
    if name.kind != "person":
        return False
    before = sentence.plain[max(0, name.start - _AROUND_NAME) : name.start]
    behind = sentence.plain[name.end : name.end + _AROUND_NAME]
    writes = _WRITER.search(before) or _WRITES.match(behind)
    return not writes or _SUFFERS.match(behind) is not None


def _surest(scored: list[tuple[float, Element]], least: float = -math.inf) -> tuple[Element, ...]:
    best: dict[str, tuple[float, Element]] = {}
    for score, element in scored:
        if score >= least and score > best.get(element.text, (-9e9, element))[0]:
            best[element.text] = (score, element)
    return tuple(element for _, element in sorted(best.values(), key=lambda entry: -entry[0]))
