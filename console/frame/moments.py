"""Times for display: relative, and exact in the user's time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from console.frame.word_catalogue import Words
from extractors.text.instants import Interval, interval_of
from pipelines.dating import COARSE

_DAY = 86_400
_UNITS = ((60, 1, "seconds"), (3_600, 60, "minutes"), (2 * _DAY, 3_600, "hours"), (30 * _DAY, _DAY, "days"))


@dataclass(frozen=True, slots=True)
class Moment:
    """A stored time: machine-readable, exact, and in short words."""

    iso: str
    exact: str
    short: str


def moment(stored: Any, words: Words, zone: ZoneInfo, now: datetime) -> Moment | None:
    """Parse a stored time; None if invalid. Times without a zone are UTC, as the crawl writes them; numbers are Unix seconds.

    A day, month or year has no hour and stays in the zone of its place; of an hour the minute is unknown.
    """
    coarse = interval_of(stored) if isinstance(stored, str) else None
    if coarse and coarse.precision in COARSE:
        return _date(coarse, stored.strip(), words)
    try:
        at = _read(stored)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None
    if coarse and coarse.precision == "hour":
        hour = words("frame.hour", day=f"{at:%Y-%m-%d}", hour=f"{at:%H}")
        return Moment(at.isoformat(timespec="minutes"), f"{hour} {at:%z}", hour)
    exact = f"{at:%Y-%m-%d %H:%M:%S} {at:%z}"
    return Moment(at.isoformat(timespec="seconds"), exact, _short(at, words, now))


def published_of(row: Mapping[str, Any]) -> str:
    """When a page was published: its instant, or the day, month, year or hour if no more is known; "" if unknown."""
    text = str(row.get("published") or "")
    found = interval_of(text)
    is_exact = found is None or found.precision in ("minute", "second")
    return str(row.get("published_at") or text) if is_exact else text


def _date(found: Interval, stored: str, words: Words) -> Moment:
    begin = found.begin
    if found.precision != "day":
        return Moment(stored, stored, stored)
    day = words("frame.date", year=str(begin.year), month=begin.month, day=begin.day, month_name=f"{begin:%b}")
    return Moment(stored, stored, day)


def _read(stored: Any) -> datetime:
    return (
        datetime.fromtimestamp(stored, UTC)
        if isinstance(stored, (int, float))
        else datetime.fromisoformat(str(stored or ""))
    )


def _short(at: datetime, words: Words, now: datetime) -> str:
    seconds = (now - at).total_seconds()
    if 0 <= seconds < 30 * _DAY:
        _, unit, name = next(each for each in _UNITS if seconds < each[0])
        return words(f"frame.ago.{name}", n=int(seconds // unit))
    if -_DAY < seconds < 0:
        return f"{at:%H:%M}"
    return words("frame.date", year=str(at.year), month=at.month, day=at.day, month_name=f"{at:%b}")


def duration(seconds: float | None, words: Words) -> str:
    """A duration in its two largest units."""
    if seconds is None or seconds < 0:
        return "—"
    whole = int(seconds)
    if whole < 60:
        return words("frame.span.seconds", s=whole)
    if whole < 3_600:
        return words("frame.span.minutes", m=whole // 60, s=whole % 60)
    if whole < 2 * _DAY:
        return words("frame.span.hours", h=whole // 3_600, m=whole % 3_600 // 60)
    return words("frame.span.days", d=whole // _DAY, h=whole % _DAY // 3_600)
