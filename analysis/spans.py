"""Time spans as command arguments: 12h, 7d, 4w, or a start day."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scrapy.exceptions import UsageError

LOCAL = ZoneInfo("Asia/Shanghai")
"""The time zone of days."""
_SPAN = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}


def to_the_minute(moment: datetime) -> str:
    """In the time zone of days."""
    return f"{moment.astimezone(LOCAL):%Y-%m-%d %H:%M}"


def since_of(text: str, now: datetime) -> datetime:
    """The instant so long before `now`, or the beginning of a local day; UsageError for anything else."""
    if match := _SPAN.fullmatch(text):
        return now - timedelta(hours=max(1, int(match[1])) * _HOURS[match[2]])
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--since: {text!r} is not a time span; write 12h, 7d, 4w or 2026-05-10", print_help=False
        ) from None
    found = found if found.tzinfo else found.replace(tzinfo=LOCAL)
    if found >= now:
        raise UsageError(f"--since: {text} is not in the past", print_help=False)
    return found
