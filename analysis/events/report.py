"""A report as compared: its terms, and the facts that may conflict: regions, days, magnitudes."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from analysis.events.entities import Entities, find
from analysis.events.frequencies import language_of_words
from analysis.events.regions import regions_in
from extractors.topic.words import Segmenter, fold

_LEAD_CHARS = 420
_LATIN_LEAD_CHARS = 2_400
"""Characters of title and text whose words are compared: in Chinese, and in languages of longer words."""
_FACTS = 300
"""Characters of the text searched for regions, days and magnitudes."""
_SHORT = 60
"""Below this number of characters of text, a report is hardly more than its title."""
_HAN_RUN = re.compile(r"[\u4e00-\u9fff]{2,}")
_MAGNITUDE = re.compile(r"(?<![\d.])(\d\.\d)(?=级|-magnitude|[- ]?magnitude)|magnitude[- ](\d\.\d)")
_ENDINGS = ("ing", "ed", "es", "'s", "s")
_RECENT = timedelta(days=15)
_DAY_UNITS = frozenset(("day", "part", "hour", "minute"))
_MAX_DAYS = 2
_segmenter = Segmenter()


@dataclass(frozen=True, slots=True)
class EventReport:
    """One page or post.

    Attributes:
        terms: with 1 + log of their count; pairs: likewise, the pairs of characters of a short report in Chinese.
        days: ordinals of the days that the text names first. short: whether the report is hardly more than a title.
        site: "" where it is not known. language: as of `language_of_words`.
    """

    key: str
    time: datetime
    title: str
    terms: dict[str, float]
    pairs: dict[str, float]
    regions: frozenset[str]
    days: tuple[int, ...]
    magnitudes: frozenset[str]
    chinese: bool
    site: str = ""
    language: str = ""
    short: bool = False


def read_report(
    key: str, time: datetime, title: str, text: str, found: Entities | None = None, site: str = "", language: str = ""
) -> EventReport:
    """A report; `time` is naive and says when it was published, `found` is what was found in title and text before, `language` a code."""
    whole = f"{title} {text}"
    chinese = _HAN_RUN.search(whole[:_SHORT]) is not None
    lead = whole[: _LEAD_CHARS if chinese else _LATIN_LEAD_CHARS]
    facts = f"{title}。{text[:_FACTS]}"
    short = len(text) < _SHORT
    found = found or find(title, text[:_FACTS], time)
    return EventReport(
        key,
        time,
        title,
        _counted(_words(lead)),
        _counted(pairs_of(lead)) if short else {},
        regions_in(name for name in found.names if name.end <= len(title) + 1 + _FACTS),
        _days(found, len(title) + 1, time),
        frozenset(first or second for first, second in _MAGNITUDE.findall(facts)),
        chinese,
        site,
        "" if chinese else language_of_words(language),
        short,
    )


def _counted(terms: list[str]) -> dict[str, float]:
    return {term: 1.0 + math.log(count) for term, count in Counter(terms).items()}


def _words(text: str) -> list[str]:
    words = _segmenter.segment(fold(text))
    return [_stem(word) for word in words if len(word) > 1 or "\u4e00" <= word <= "\u9fff"]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    if word.isascii() and len(word) > 4:
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word.removesuffix(ending)
    return word


def pairs_of(text: str) -> list[str]:
    """Neighbouring Chinese characters, each pair behind a "+"."""
    return [f"+{run[at : at + 2]}" for run in _HAN_RUN.findall(fold(text)) for at in range(len(run) - 1)]


def _days(found: Entities, begin: int, time: datetime) -> tuple[int, ...]:
    """Ordinals of days shortly before the report that the beginning of its text names."""
    mentions = (each for each in found.times if begin <= each.start and each.end <= begin + _FACTS)
    near = (
        each.interval.start.toordinal()
        for each in mentions
        if each.interval.unit in _DAY_UNITS and timedelta(0) <= time - each.interval.start <= _RECENT
    )
    return tuple(dict.fromkeys(near))[:_MAX_DAYS]
