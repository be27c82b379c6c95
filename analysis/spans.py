"""Time spans as command arguments: 12h, 7d, 4w, or a start day."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from extractors.text.instants import interval_of

LOCAL = ZoneInfo("Asia/Shanghai")
"""The time zone of days where no other is given."""
_SPAN = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}


def zone_of(settings: BaseSettings) -> ZoneInfo:
    """The time zone of TIME_ZONE, a checked setting."""
    return ZoneInfo(name) if (name := settings.get("TIME_ZONE")) else LOCAL


def to_the_minute(moment: datetime, zone: tzinfo = LOCAL) -> str:
    """In the time zone of days."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def known_time(written: str, at: str, zone: tzinfo = LOCAL) -> str:
    """A time of publication, to the minute in the time zone of days, or no more exactly than it is known.

    written: ISO 8601, cut to its precision; at: the instant by which it is sorted. "" without an instant.
    """
    known = interval_of(written)
    if known and known.precision in ("day", "month", "year"):
        return written
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return ""
    local = to_the_minute(moment if moment.tzinfo else moment.replace(tzinfo=UTC), zone)
    return f"{local[: -len(':00')]} h" if known and known.precision == "hour" else local


def since_of(text: str, now: datetime, zone: tzinfo = LOCAL) -> datetime:
    """The instant so long before `now`, or the beginning of a day of the zone; UsageError for anything else."""
    if match := _SPAN.fullmatch(text):
        return now - timedelta(hours=max(1, int(match[1])) * _HOURS[match[2]])
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--since: {text!r} is not a time span; write 12h, 7d, 4w or 2026-05-10", print_help=False
        ) from None
    found = found if found.tzinfo else found.replace(tzinfo=zone)
    if found >= now:
        raise UsageError(f"--since: {text} is not in the past", print_help=False)
    return found
