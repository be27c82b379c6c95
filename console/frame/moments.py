"""Times for display: relative, and exact in the user's time zone."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from console.frame.word_catalogue import Words

_DAY = 86_400
_UNITS = ((60, 1, "seconds"), (3_600, 60, "minutes"), (2 * _DAY, 3_600, "hours"), (30 * _DAY, _DAY, "days"))


@dataclass(frozen=True, slots=True)
class Moment:
    """A stored time: machine-readable, exact, and in short words."""

    iso: str
    exact: str
    short: str


def moment(stored: Any, words: Words, zone: ZoneInfo, now: datetime) -> Moment | None:
    """Parse a stored time; None if invalid. Times without a zone are UTC, as the crawl writes them; numbers are Unix seconds."""
    try:
        at = _read(stored)
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None
    exact = f"{at:%Y-%m-%d %H:%M:%S} {at:%z}"
    return Moment(at.isoformat(timespec="seconds"), exact, _short(at, words, now))


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
