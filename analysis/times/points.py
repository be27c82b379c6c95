"""Chinese points in time, read part by part from long to short: "去年3月初", "上周三下午3点", "中秋节"."""

import re
from datetime import datetime
from functools import cache, lru_cache

from analysis.times.chinese_clock import CLOCK_STEPS
from analysis.times.chinese_days import DAY_STEPS, LUNAR_STEPS
from analysis.times.eras import ERA_STEPS
from analysis.times.interval import UNITS, Interval
from analysis.times.months import MONTH_STEPS
from analysis.times.step import TimeReading, TimeStep, skip
from extractors.text.regex_prefixes import possible_prefixes, token

_STEPS: tuple[TimeStep, ...] = (*LUNAR_STEPS, *ERA_STEPS, *MONTH_STEPS, *DAY_STEPS, *CLOCK_STEPS)
_BETWEEN = re.compile(r"(?:[的,，、]|\s{1,2}|[t ](?=\d)|[(（](?:星期|周)[一二三四五六日天][)）])?")
_MAX_PARTS = 7
_VAGUE = re.compile(r"(?:左右|前后|上下|许|期间|内|里|份)?")


@cache
def _starting_letters() -> tuple[frozenset[str], ...]:
    return tuple(possible_prefixes(step.pattern.pattern, 1) for step in _STEPS)


@lru_cache(maxsize=5_000)
def _steps_from(letter: str) -> tuple[TimeStep, ...]:
    """The steps whose words can begin with that letter."""
    kind = token(letter)
    return tuple(
        step
        for step, letters in zip(_STEPS, _starting_letters(), strict=True)
        if not letters.isdisjoint((letter, kind, ""))
    )


def read_point(
    text: str, at: int, base: datetime, *, loose: bool = False, before: Interval | None = None
) -> tuple[int, Interval] | None:
    """The point that begins there, or goes on from an interval that was read before: where it ends, and its interval; None
    if there is none.

    Parts that are not written are those of `base`.
    """
    rank, end, found = UNITS.index(before.unit) if before else -1, at, before
    for _ in range(_MAX_PARTS):
        begin = skip(_BETWEEN, text, end) if found else at
        part = _part(text, begin, TimeReading(found, base), rank, loose)
        if part is None:
            break
        end, found = part
        rank = max(rank, UNITS.index(found.unit))
    return (skip(_VAGUE, text, end), found) if found and found is not before else None


def _part(text: str, at: int, reading: TimeReading, rank: int, loose: bool) -> tuple[int, Interval] | None:
    for step in _steps_from(text[at : at + 1]):
        if step.rank <= rank or (step.loose and not loose):
            continue
        match = step.pattern.match(text, at)
        if match and match.end() > at and (found := step.narrow(match, reading)):
            return match.end(), found
    return None
