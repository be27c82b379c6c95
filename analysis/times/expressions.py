"""Time expressions of Chinese text: points, distances, vague words, and spans from one to another."""

import re
from datetime import datetime, timedelta

from analysis.times.durations import read_duration
from analysis.times.interval import SECOND, Interval, Unit, midnight, shift
from analysis.times.points import read_point
from analysis.times.step import skip

_FROM = re.compile(r"(?:自从|从|自|于|截至|截止到?|到)?")
_TO = re.compile(r"(?:起|开始)?,?\s?(?:——|[至到~\-—–])\s?")
_TO_NOW = re.compile(r"(?:起|开始)?,?(?:至今(?!年)|到现在|以来|一?直?到今天|迄今|至现在)")
_OWN = re.compile(r"[今明昨大本这现去]|[前后](?!半夜)|[上下](?!午|半夜)")
_UNTIL_THEN = re.compile(r"(?:之前|以前|前(?![\d一二三四五六七八九十夕后半往]))")
_FROM_THEN = re.compile(r"(?:之后|以后|后(?![\d一二三四五六七八九十半来]))")
_STOP = re.compile(r"(?:为?止|起|开始|之间|期间)?")
_ON = re.compile(r"(?:起|开始)(?![诉因源来步点飞义草])")
_NOW = re.compile(r"现在|目前|眼下|此刻|刚刚|刚才|当前|如今|截至发稿")
_LATELY = re.compile(r"近日|日前|近期|近来|最近|前不久|这几天|近几日|连日来|不久前")
_OF_A_DAY = ("part", "hour", "minute", "second")
_YEARS_LATELY = re.compile(r"近些?年来?")
_DAYS_LATELY = 7


def read_expression(text: str, at: int, base: datetime, *, loose: bool = False) -> tuple[int, Interval] | None:
    """The expression that begins there: where it ends, and its interval; None if there is none, or none in the calendar."""
    try:
        return _read(text, at, base, loose)
    except (ValueError, OverflowError):
        return None


def _read(text: str, at: int, base: datetime, loose: bool) -> tuple[int, Interval] | None:
    begin = skip(_FROM, text, at)
    since = text.startswith(("自", "从"), at)
    first = _distance(text, begin, base) or read_point(text, begin, base, loose=loose) or _vague(text, begin, base)
    if not first:
        return None
    return _span(text, *first, base, loose) or _half_open(text, *first, base, since)


def _distance(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    """A distance, and the part of a day or the weekday that follows: 三天前晚上8点."""
    found = read_duration(text, at, base)
    if found and found[1].unit in ("day", "week") and text[found[0] - 1] in "前后":
        return read_point(text, found[0], base, before=found[1]) or found
    return found


def _vague(text: str, at: int, base: datetime) -> tuple[int, Interval] | None:
    if match := _NOW.match(text, at):
        return match.end(), Interval(base, base, "second")
    if match := _YEARS_LATELY.match(text, at):
        return match.end(), Interval(shift(base, "year", -3), base, "year")
    if match := _LATELY.match(text, at):
        return match.end(), Interval(midnight(base) - timedelta(days=_DAYS_LATELY), base, "week")
    return None


def _span(text: str, end: int, first: Interval, base: datetime, loose: bool) -> tuple[int, Interval] | None:
    """From one to another; what the second does not say is the first's."""
    if match := _TO_NOW.match(text, end):
        return (match.end(), Interval(first.start, base, first.unit)) if first.start <= base else None
    if text[end - 1] in "底末" and (on := _last(text, end, first, base, loose)) and text[on[0] - 1] == "初":
        turn = on[1] if on[1].end > first.start else _later(on[1], "月")
        return on[0], Interval(first.start, turn.end, first.unit)  # 岁末年初
    match = _TO.match(text, end)
    if not match or not (last := _last(text, match.end(), first, base, loose)):
        return None
    stop, interval = last
    if interval.end < first.start:
        interval = _later(interval, "" if interval.unit in _OF_A_DAY else text[match.end() : stop])
        if interval.end < first.start:
            return None
    return skip(_STOP, text, stop), Interval(first.start, interval.end, first.unit)


def _later(interval: Interval, words: str) -> Interval:
    """The end of a span that goes over the end of a week, month or year."""
    unit: Unit = (
        "year"
        if re.search("[月年/]", words)
        else "week"
        if re.search("周|星期|礼拜", words)
        else "month"
        if words
        else "day"
    )
    return Interval(shift(interval.start, unit, 1), shift(interval.end, unit, 1), interval.unit)


def _last(text: str, at: int, first: Interval, base: datetime, loose: bool) -> tuple[int, Interval] | None:
    if (
        re.match(r"今天(?![凌早上中下傍晚夜\d])", text[at : at + 3])
        and first.end < midnight(base)
        and first.unit in ("year", "month")
    ):
        return at + len("今天"), Interval(base, base, "second")
    on = read_point(text, at, first.start, loose=loose)
    own = read_point(text, at, base, loose=loose)
    owned = own and _OWN.match(text, at)
    if on and owned:
        return own
    late = first.unit in ("hour", "minute") and first.start.hour >= 12 and on and on[1].unit in ("hour", "minute")
    if late and on and on[1].start < first.start and on[1].start.hour < 12:
        half = timedelta(hours=12)
        return on[0], Interval(on[1].start + half, on[1].end + half, on[1].unit)
    return on


def _half_open(text: str, end: int, found: Interval, base: datetime, since: bool) -> tuple[int, Interval]:
    if (match := _ON.match(text, end)) and (since or match.group(0) == "起"):
        return match.end(), Interval(found.start, base, found.unit) if found.end < base else found
    if (match := _UNTIL_THEN.match(text, end)) and (found.end > base or found.unit not in _OF_A_DAY):
        if found.end > base:
            return match.end(), Interval(base, found.end, found.unit)
        return match.end(), Interval(datetime(1, 1, 1), found.start - SECOND, found.unit)
    if (match := _FROM_THEN.match(text, end)) and found.start <= base and found.unit not in _OF_A_DAY:
        return match.end(), Interval(found.start, max(base, found.end), found.unit)
    return end, found
