"""The publication date of a result's page, from its date field or its snippet."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

from crawler.engines.protocol.engine import About, Result
from extractors.text.dates import CHINA, find_time, parse_time

_UNIX = re.compile(r"\d{10}(?:\d{3})?")
_DIGITS = re.compile(r"(\d{8})(\d{6})")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d\S{0,20}|\d{8}T\d{6}Z|\d{14}")
_NOW = re.compile(r"刚刚|剛剛|刚才|just now|now", re.I)
_BARE_AGE = re.compile(r"\d{1,3}\s{0,2}(?!\d)\D{1,8}")
_LABEL = re.compile(r"\W{0,3}(?:发布(?:时间|日期)|時間|时间|日期|published|updated|posted)?\W{0,3}", re.I)
_BEHIND = re.compile(r"\s{0,3}(?:[-‐-―·…:：|•─]|\.\.\.|$)")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|[\w-]{2,63}(?:\.[\w-]{2,63}){0,5}\.[a-z]{2,12}(?:[/›]\S*|(?=\s|$))(?:\s?›\s?\S{1,80}){0,8}",
    re.I,
)
"""The displayed address of a result, which may contain digits that look like a date."""
_MAX_DATE_CHARS = 200
_MAX_HEAD_CHARS = 48
_MIN_YEAR = 1990


def written_date(text: str) -> str:
    """The date in an engine's date field, as written there; "" if the field has an address or a name."""
    text = " ".join(_ADDRESS.sub(" ; ", text[:_MAX_DATE_CHARS]).split())
    if _UNIX.fullmatch(text) or _DIGITS.fullmatch(text) or _STAMP.fullmatch(text):
        return text
    if found := find_time(text):
        return found
    now = text.strip(" -·|;")
    return now if (_BARE_AGE.fullmatch(now) and _is_age(now)) or _NOW.fullmatch(now) else ""


def _is_age(text: str) -> bool:
    now = datetime.now(UTC)
    return any(parse_time(f"{text}{after}", now=now) for after in ("前", " ago"))


def published(result: Result, about: About, now: datetime) -> str:
    """ISO 8601, or "" if unknown: the result's own date, else a date at the start of its snippet.

    Engines with Chinese results only use Chinese time. "3 minutes ago" is relative to the aware time `now`. Dates in the
    future and before 1990 are dropped.
    """
    zone = CHINA if about.languages == ("zh",) or about.language == "zh" else None
    found = _date_in_field(result.date.strip(), now, zone) or _date_in_head(result.snippet[:_MAX_HEAD_CHARS], now, zone)
    return found if found and _is_likely(found, now) else ""


def _date_in_field(text: str, now: datetime, zone: tzinfo | None) -> str:
    if _UNIX.fullmatch(text):
        moment = datetime.fromtimestamp(int(text[:10]), UTC)
        return moment.astimezone(zone or UTC).isoformat(timespec="minutes")
    if digits := _DIGITS.fullmatch(text):
        text = f"{digits[1]}T{digits[2]}Z"
    if found := parse_time(text, now=now, zone=zone):
        return found
    if _BARE_AGE.fullmatch(text):  # "3h", "2 小时": an age without "ago"
        return parse_time(f"{text}前", now=now, zone=zone) or parse_time(f"{text} ago", now=now, zone=zone)
    return ""


def _date_in_head(head: str, now: datetime, zone: tzinfo | None) -> str:
    """A date before the text and separate from it, not a date within a sentence."""
    written = find_time(head)
    before, _, behind = head.partition(written) if written else ("", "", "")
    if not written or not _LABEL.fullmatch(before) or not _BEHIND.match(behind):
        return ""
    return parse_time(written, now=now, zone=zone)


def _is_likely(found: str, now: datetime) -> bool:
    day = datetime.fromisoformat(found[:10]).replace(tzinfo=UTC)
    return day.year >= _MIN_YEAR and day <= now + timedelta(days=1)
