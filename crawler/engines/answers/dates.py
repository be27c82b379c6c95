"""When a result's page was published, by what the engine says of it."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

from crawler.engines.base import About, Result
from extractors.text.dates import CHINA, find_time, parse_time

_UNIX = re.compile(r"\d{10}(?:\d{3})?")
_DIGITS = re.compile(r"(\d{8})(\d{6})")
_BARE_AGE = re.compile(r"\d{1,3}\s{0,2}(?!\d)\D{1,8}")
_LABEL = re.compile(r"\W{0,3}(?:发布(?:时间|日期)|時間|时间|日期|published|updated|posted)?\W{0,3}", re.I)
_BEHIND = re.compile(r"\s{0,3}(?:[-‐-―·…:：|•─]|\.\.\.|$)")
_HEAD = 48
_EARLIEST = 1990


def published(result: Result, about: About, now: datetime) -> str:
    """ISO 8601, "" if nothing tells it: the result's own date, else one that its snippet begins with.

    Engines that speak only Chinese mean Chinese clocks. "3 minutes ago" is resolved against the aware time `now`; what
    lies in the future, or before 1990, is none.
    """
    zone = CHINA if about.languages == ("zh",) or about.language == "zh" else None
    found = _of_field(result.date.strip(), now, zone) or _of_head(result.snippet[:_HEAD], now, zone)
    return found if found and _is_likely(found, now) else ""


def _of_field(text: str, now: datetime, zone: tzinfo | None) -> str:
    if _UNIX.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), UTC)
        return moment.astimezone(zone or UTC).isoformat(timespec="minutes")
    if digits := _DIGITS.fullmatch(text):
        text = f"{digits[1]}T{digits[2]}Z"
    if found := parse_time(text, now=now, zone=zone):
        return found
    if _BARE_AGE.fullmatch(text):  # "3h", "2 小时": the age without its "ago"
        return parse_time(f"{text}前", now=now, zone=zone) or parse_time(f"{text} ago", now=now, zone=zone)
    return ""


def _of_head(head: str, now: datetime, zone: tzinfo | None) -> str:
    """A date in front of the text, apart from it; not one of which the text tells."""
    written = find_time(head)
    before, _, behind = head.partition(written) if written else ("", "", "")
    if not written or not _LABEL.fullmatch(before) or not _BEHIND.match(behind):
        return ""
    return parse_time(written, now=now, zone=zone)


def _is_likely(found: str, now: datetime) -> bool:
    day = datetime.fromisoformat(found[:10]).replace(tzinfo=UTC)
    return day.year >= _EARLIEST and day <= now + timedelta(days=1)
