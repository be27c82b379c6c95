"""When, where and who of the main happening of a report, each with the sentence that it was read from.

The happening is in the sentence that shares most with the title; what is not said there is taken from the sentences around.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from analysis.events.found import Found, find
from analysis.names import Name
from analysis.times import Interval, TimeMention

_Mark = TypeVar("_Mark", Name, TimeMention)

_SENTENCES = re.compile(r"(?:[^。！？!?；\n.]|\.(?!\s+[\"“‘A-Z]|\s*$))+[。！？!?；.]?")
_MOST_SENTENCES = 12
_LONGEST = 1_500
"""Characters that are read."""
_FILING = re.compile(r"(?:电|讯|消息|报道|专电)")
_TOLD = re.compile(r"通报|发布|宣布|证实|获悉|了解到|接到|记者从|向记者|称|说|报警")
"""Behind a time it was reported, not when it happened."""
_TOLD_AFTER = 14
_TOLD_COST = 2.0
_SHARED = re.compile(r"(?=([\u4e00-\u9fff]{2}))|([a-z]{4,20})")
"""What a sentence may share with the title: pairs of characters, and words."""
_EXACT = {"minute": 3.0, "hour": 3.0, "part": 2.5, "day": 2.0, "week": 0.3, "month": 0.5, "year": 0.2, "second": -1.0}
_WHERE = re.compile(r"发生|附近|境内|路段|处|路口|突发|起火|爆炸|遭|开幕|举行|召开|坠|相撞|一起")
_AFTER_NAME = 12
"""Characters behind a place within which words of happening count."""
_EARLIER = 0.5
"""What each sentence further on costs."""


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
    text: str
    start: int
    score: float


def find_elements(title: str, text: str, base: datetime, found: Found | None = None) -> Elements:
    """The elements of a report that was published at `base`, a naive local time; `found` is what was found in title and text before."""
    found = found or find(title, text[:_LONGEST], base)
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
    people = [(sentence.score, Element(name.text, sentence.text)) for sentence, name in names if name.kind == "person"]
    return Elements(_surest(times), _surest(places), _surest(people))


def _scored(title: str, text: str) -> Iterator[_Sentence]:
    """Sentences with how much they share with the title, the first ones preferred."""
    wanted = set(_SHARED.findall(title.lower()))
    for place, match in enumerate(_SENTENCES.finditer(text[:_LONGEST])):
        if place >= _MOST_SENTENCES:
            return
        shared = len(wanted.intersection(_SHARED.findall(match.group(0).lower()))) / (len(wanted) or 1)
        sentence = match.group(0).strip()
        yield _Sentence(sentence, text.index(sentence, match.start()), 2.0 * shared - _EARLIER * place)


def _within(found: tuple[_Mark, ...], sentence: _Sentence, begin: int) -> Iterator[_Mark]:
    """What lies in the sentence, with offsets in it; `begin` is where the text begins in what was read."""
    start = begin + sentence.start
    for each in found:
        if each.start >= start and each.end <= start + len(sentence.text):
            yield replace(each, start=each.start - start, end=each.end - start)


def _time(sentence: _Sentence, mention: TimeMention) -> Iterator[tuple[float, Element]]:
    if not _FILING.match(sentence.text, mention.end):
        score = sentence.score + _EXACT.get(mention.interval.unit, 0.0) - 0.01 * mention.start
        if _TOLD.search(sentence.text, mention.end, mention.end + _TOLD_AFTER) or mention.text.startswith("截"):
            score -= _TOLD_COST
        yield score, Element(mention.text, sentence.text, mention.interval)


def _is_place(sentence: _Sentence, name: Name) -> bool:
    return name.kind == "place" and not sentence.text.startswith("时间", name.end)  # 北京时间


def _place(sentence: _Sentence, name: Name) -> tuple[float, Element]:
    behind = sentence.text[name.end : name.end + _AFTER_NAME]
    score = sentence.score + (1.0 if _WHERE.search(behind) else 0.0) + 0.1 * len(name.text) - 0.005 * name.start
    if _FILING.search(behind[:8]) or (behind[:1] and behind[0] in "警网报台籍人"):
        score -= 1.5
    return score, Element(name.text, sentence.text)


def _surest(scored: list[tuple[float, Element]]) -> tuple[Element, ...]:
    best: dict[str, tuple[float, Element]] = {}
    for score, element in scored:
        if score > best.get(element.text, (-9e9, element))[0]:
            best[element.text] = (score, element)
    return tuple(element for _, element in sorted(best.values(), key=lambda entry: -entry[0]))
