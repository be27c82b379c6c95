"""The time that a list writes beside an item, as ISO 8601."""

import re
from datetime import UTC, datetime, tzinfo
from typing import Any

from extractors.feeds.json_paths import raw_text
from extractors.text.dates import parse_time

_NUMBER = re.compile(r"-?\d{9,19}(?:\.\d{1,9})?")
_DOTNET = re.compile(r"/?Date\((-?\d{9,14})(?:[+-]\d{4})?\)/?")
_RUN = re.compile(r"(\d{4})(\d\d)(\d\d)(?:[T ]?(\d\d):?(\d\d):?(\d\d)?)?Z?")
_UNITS = {"s": 1.0, "ms": 1e3}
_MAX_CHARS = 100
_FIRST, _LAST = datetime(1990, 1, 1, tzinfo=UTC).timestamp(), datetime(2100, 1, 1, tzinfo=UTC).timestamp()


def item_time(value: Any, *, now: datetime, form: str = "", zone: tzinfo | None = None) -> str:
    """A time of a list; "" if it is none.

    Args:
        now: when the server made the list (aware), to which "3 minutes ago" refers.
        form: s or ms (since 1970), ISO, or a pattern of strptime; "" for any usual form.
        zone: of times without one; a time that has none without it is left for the reader of the page.
    """
    text = raw_text(value).strip()[:_MAX_CHARS]
    if not text:
        return ""
    if form in _UNITS:
        return _since_1970(text, _UNITS[form])
    if "%" in form:
        return _by_pattern(text, form, zone) or _usual(text, now, zone)
    return _usual(text, now, zone)


def _usual(text: str, now: datetime, zone: tzinfo | None) -> str:
    if found := _DOTNET.fullmatch(text):
        return _since_1970(found[1], 1e3)
    if run := _RUN.fullmatch(text):
        return _of_run(run, zone if not text.endswith("Z") else UTC)
    if _NUMBER.fullmatch(text):
        return _since_1970(text, _unit(text))
    return parse_time(text, now=now, zone=zone)


def _unit(text: str) -> float:
    """Seconds have nine or ten digits before the point, milliseconds, micro- and nanoseconds three more each."""
    digits = len(text.lstrip("-").partition(".")[0])
    return 10.0 ** (3 * max(0, (digits - 8) // 3))


def _since_1970(text: str, unit: float) -> str:
    try:
        seconds = float(text) / unit
        if not _FIRST <= seconds <= _LAST:
            return ""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""


def _of_run(found: re.Match[str], zone: tzinfo | None) -> str:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return ""
    if not 1990 <= year < 2100:
        return ""
    return moment.isoformat(timespec="seconds") if found[4] else moment.date().isoformat()


def _by_pattern(text: str, form: str, zone: tzinfo | None) -> str:
    try:
        moment = datetime.strptime(text, form)
    except (ValueError, re.error):
        return ""
    if not any(code in form for code in ("%H", "%I", "%c", "%X")):
        return moment.date().isoformat()
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).isoformat(timespec="seconds")
