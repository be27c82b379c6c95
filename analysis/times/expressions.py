"""Time expressions of Chinese text: points, distances, vague words, and spans from one to another."""

import re
from datetime import datetime, timedelta

from analysis.times.durations import read_duration
from analysis.times.interval import SECOND, Interval, midnight
from analysis.times.points import read_point
from analysis.times.step import skip

_FROM = re.compile(r"(?:自从|从|自|于|截至|截止到?|到)?")
_TO = re.compile(r"(?:起|开始)?,?\s?(?:[至到~\-—–]|——)\s?")
_TO_NOW = re.compile(r"(?:起|开始)?,?(?:至今|到现在|以来|一?直?到今天|迄今|至现在)")
_UNTIL_THEN = re.compile(r"(?:之前|以前|前(?![\d一二三四五六七八九十夕后半往]))")
_FROM_THEN = re.compile(r"(?:之后|以后|后(?![\d一二三四五六七八九十半来]))")
_STOP = re.compile(r"(?:为?止|起|开始)?")
_NOW = re.compile(r"现在|目前|眼下|此刻|刚刚|刚才|当前|如今|截至发稿")
_LATELY = re.compile(r"近日|日前|近期|近来|最近|前不久|这几天|近几日|连日来|不久前")
_DAYS_LATELY = 7
_NOT_TODAY = "今天"


def read_expression(text: str, at: int, base: datetime, *, loose: bool = False) -> tuple[int, Interval] | None:
    """The expression that begins there: where it ends, and its interval; None if there is none."""
    begin = skip(_FROM, text, at)
    first = read_duration(text, begin, base) or read_point(text, begin, base, loose=loose) or _vague(text, begin, base)
    if not first:
        return None
    return _span(text, *first, base, loose) or _half_open(text, *first, base)


def _vague(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    if match := _NOW.match(text, at):
        return match.end(), Interval(base, base, "second")
    if match := _LATELY.match(text, at):
        return match.end(), Interval(midnight(base) - timedelta(days=_DAYS_LATELY), base, "week")
    return None


def _span(text: str, end: int, first: Interval, base: datetime, loose: bool) -> tuple[int, Interval] | None:
    """From one to another; what the second does not say is the first's."""
    if match := _TO_NOW.match(text, end):
        return (match.end(), Interval(first.start, base, first.unit)) if first.start <= base else None
    match = _TO.match(text, end)
    if not match or not (last := _last(text, match.end(), first, base, loose)):
        return None
    stop, interval = last
    if interval.end < first.start:
        return None
    return skip(_STOP, text, stop), Interval(first.start, interval.end, first.unit)


def _last(text: str, at: int, first: Interval, base: datetime, loose: bool) -> tuple[int, Interval] | None:
    if text.startswith(_NOT_TODAY, at) and first.end < midnight(base) and first.unit in ("year", "month"):
        return at + len(_NOT_TODAY), Interval(base, base, "second")
    on = read_point(text, at, first.start, loose=loose)
    own = read_point(text, at, base, loose=loose)
    if on and own and (text[at] in "今明昨前大后本这现上下去" or own == on):
        return own
    late = first.unit in ("hour", "minute") and first.start.hour >= 12 and on and on[1].unit in ("hour", "minute")
    if late and on and on[1].start < first.start and on[1].start.hour < 12:
        half = timedelta(hours=12)
        return on[0], Interval(on[1].start + half, on[1].end + half, on[1].unit)
    return on


def _half_open(text: str, end: int, found: Interval, base: datetime) -> tuple[int, Interval]:
    if (match := _UNTIL_THEN.match(text, end)) and found.unit not in ("hour", "minute", "second"):
        if found.end > base:
            return match.end(), Interval(base, found.end, found.unit)
        return match.end(), Interval(datetime(1, 1, 1), found.start - SECOND, found.unit)
    if (
        (match := _FROM_THEN.match(text, end))
        and found.start <= base
        and found.unit not in ("hour", "minute", "second")
    ):
        return match.end(), Interval(found.start, max(base, found.end), found.unit)
    return end, found
