"""Converts a stored time, ISO 8601 with or without a zone, to a comparable instant."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Literal

from extractors.text.dates import CHINA

Precision = Literal["second", "minute", "day", "month", "year"]
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?\s?(?P<zone>Z|[+-]\d\d:?\d\d)?)?)?)?"
)
_PARTS: tuple[Precision, ...] = ("second", "minute", "day", "month", "year")
_NINE = timezone(timedelta(hours=9))
_ZONES: dict[str, tzinfo] = {"zh": CHINA, "ja": _NINE, "ko": _NINE}
"""Zones of languages that are used in one zone."""


_FIRST_VALUES = (("year", 1), ("month", 1), ("day", 1), ("hour", 0), ("minute", 0), ("second", 0))


@dataclass(frozen=True, slots=True)
class Instant:
    """`utc` is ISO 8601 with seconds and +00:00, so that texts sort as instants do; a day, month or year begins in UTC."""

    utc: str
    precision: Precision


def instant_of(text: str, language: str = "") -> Instant | None:
    """The instant of an ISO time, date, month or year; None for any other text.

    A time without a zone has the zone of the language's country if that has only one, else UTC.
    """
    match = _ISO.fullmatch(text.strip())
    if not match:
        return None
    parts = match.groupdict()
    precision = next(part for part in _PARTS if parts[part])
    try:
        year, month, day, hour, minute, second = (int(parts[name] or least) for name, least in _FIRST_VALUES)
        moment = datetime(year, month, day, hour, minute, second)
        if parts["hour"]:
            moment = moment.replace(tzinfo=_zone(parts["zone"], language)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return Instant(moment.replace(tzinfo=UTC).isoformat(timespec="seconds"), precision)


def _zone(written: str | None, language: str) -> tzinfo:
    if not written:
        return _ZONES.get(language[:2].lower(), UTC)
    if written == "Z":
        return UTC
    digits = written[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if written[0] == "-" else offset)
