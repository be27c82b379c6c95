"""Intervals of calendar time, and steps along the calendar.

All times are naive: local times of the page that has the expression. An interval's end is its last second.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Unit = Literal["century", "decade", "year", "quarter", "month", "week", "day", "part", "hour", "minute", "second"]
UNITS: tuple[Unit, ...] = (
    "century",
    "decade",
    "year",
    "quarter",
    "month",
    "week",
    "day",
    "part",
    "hour",
    "minute",
    "second",
)
"""From long to short. A part is one of a day: morning, evening."""
SECOND = timedelta(seconds=1)
_MONTHS = {"century": 1200, "decade": 120, "year": 12, "quarter": 3, "month": 1}
_SECONDS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}


@dataclass(frozen=True, slots=True)
class Interval:
    """From the first to the last second, both included; `unit` is the precision that was written."""

    start: datetime
    end: datetime
    unit: Unit


def midnight(moment: datetime) -> datetime:
    """The beginning of its day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day(moment: datetime) -> Interval:
    """Its whole day."""
    start = midnight(moment)
    return Interval(start, start + timedelta(days=1) - SECOND, "day")


def days(first: datetime, last: datetime, unit: Unit = "day") -> Interval:
    """Whole days from the first to the last."""
    return Interval(midnight(first), day(last).end, unit)


def week(moment: datetime) -> Interval:
    """Its week, from Monday."""
    monday = midnight(moment) - timedelta(days=moment.weekday())
    return days(monday, monday + timedelta(days=6), "week")


def months(year: int, month: int, count: int = 1, unit: Unit = "month") -> Interval:
    """Whole months from one on; a month of 13 is January of the next year."""
    start = shift(datetime(year, 1, 1), "month", month - 1)
    return Interval(start, shift(start, "month", count) - SECOND, unit)


def years(first: int, count: int = 1, unit: Unit = "year") -> Interval:
    """Whole years from one on."""
    return months(first, 1, 12 * count, unit)


def around(moment: datetime, unit: Unit) -> Interval:
    """The whole unit that a moment is in; of an hour or less, the one that begins with it."""
    if unit == "decade":
        return years(moment.year // 10 * 10, 10, unit)
    if unit == "year":
        return years(moment.year)
    if unit == "quarter":
        return months(moment.year, (moment.month - 1) // 3 * 3 + 1, 3, "quarter")
    if unit == "month":
        return months(moment.year, moment.month)
    if unit == "week":
        return week(moment)
    if unit == "day":
        return day(moment)
    return Interval(moment, shift(moment, unit, 1) - SECOND, unit)


def shift(moment: datetime, unit: Unit, count: float) -> datetime:
    """Move by `count` units, forward or back; of months and longer by the calendar, half ones as 15 days a month.

    Raises:
        OverflowError, ValueError: the calendar ends before.
    """
    if unit not in _MONTHS:
        return moment + timedelta(seconds=count * _SECONDS[unit])
    total = count * _MONTHS[unit]
    whole = int(total)
    year, month = divmod(moment.year * 12 + moment.month - 1 + whole, 12)
    last = monthrange(year, month + 1)[1]
    moved = moment.replace(year=year, month=month + 1, day=min(moment.day, last))
    return moved + timedelta(days=round((total - whole) * 30))


def nth_week(within: Interval, number: int) -> Interval:
    """The week that begins with its n-th Monday."""
    first = within.start + timedelta(days=-within.start.weekday() % 7)
    return week(first + timedelta(days=7 * (number - 1)))


def nth_weekday(within: Interval, number: int, weekday: int) -> Interval:
    """Its n-th such weekday; Monday is 0."""
    first = within.start + timedelta(days=(weekday - within.start.weekday()) % 7)
    return day(first + timedelta(days=7 * (number - 1)))
