"""Converts a stored time, ISO 8601 with or without a zone, to a comparable instant or interval."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Literal

from extractors.text.dates import CHINA

Precision = Literal["second", "minute", "hour", "day", "month", "year"]
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?)?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?)?)?)?"
)
_PARTS: tuple[Precision, ...] = ("second", "minute", "hour", "day", "month", "year")
_COARSE = frozenset(("day", "month", "year"))
_NINE = timezone(timedelta(hours=9))
_ZONES: dict[str, tzinfo] = {"zh": CHINA, "ja": _NINE, "ko": _NINE}
"""Zones of languages that are used in one zone."""
_FIRST_VALUES = (("year", 1), ("month", 1), ("day", 1), ("hour", 0), ("minute", 0), ("second", 0))
_MAX_LENGTHS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


@dataclass(frozen=True, slots=True)
class Instant:
    """`utc` is ISO 8601 with seconds and +00:00, so that texts sort as instants do; a day, month or year begins in UTC."""

    utc: str
    precision: Precision


@dataclass(frozen=True, slots=True)
class Interval:
    """What an ISO time of this precision may mean: the instants from `begin` up to `end` (aware)."""

    begin: datetime
    end: datetime
    precision: Precision


def interval_of(text: str, zone: tzinfo = UTC) -> Interval | None:
    """The interval of an ISO time, hour, date, month or year; None for any other text. `zone`: of a text without one."""
    match = _ISO.fullmatch(text.strip())
    if not match:
        return None
    parts = match.groupdict()
    precision = next(part for part in _PARTS if parts[part])
    try:
        year, month, day, hour, minute, second = (int(parts[name] or least) for name, least in _FIRST_VALUES)
        begin = datetime(year, month, day, hour, minute, second, tzinfo=_zone(parts["zone"]) or zone)
        return Interval(begin.astimezone(UTC), (begin + _MAX_LENGTHS[precision]).astimezone(UTC), precision)
    except (ValueError, OverflowError):
        return None


def instant_of(text: str, language: str = "") -> Instant | None:
    """The instant of an ISO time, date, month or year; None for any other text.

    A time without a zone has the zone of the language's country if that has only one, else UTC.
    """
    found = interval_of(text, _ZONES.get(language[:2].lower(), UTC))
    if found and found.precision in _COARSE:
        found = interval_of(text)
    return Instant(found.begin.isoformat(timespec="seconds"), found.precision) if found else None


def _zone(written: str | None) -> tzinfo | None:
    if not written:
        return None
    if written == "Z":
        return UTC
    digits = written[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if written[0] == "-" else offset)
