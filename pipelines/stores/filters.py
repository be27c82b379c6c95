"""Conditions from text: comparisons, and time spans."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, cast

from pipelines.stores.base import Column, Condition, Operator, StoreError, Table
from pipelines.stores.instant_columns import instant_column, utc_text

_COMPARISON = re.compile(r"\s*(\w+)\s*(>=|<=|!=|==|=|<|>|\bcontains\b)(.*)", re.DOTALL | re.IGNORECASE)
_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_TIMES = ("fetched_at", "found_at", "time", "started", "first_seen")


def comparison(table: Table, text: str) -> Condition:
    """`relevance >= 0.5`, `title contains 地震`, `author != ''`; StoreError if it is invalid or names no column."""
    match = _COMPARISON.fullmatch(text)
    if match is None:
        raise StoreError(
            f"{text!r} is not a comparison; write for instance 'relevance >= 0.5' or 'title contains 地震'"
        )
    name, operator, value = match[1], match[2].lower().replace("==", "="), _unquoted(match[3].strip())
    column = table.column(name)
    return Condition(name, cast(Operator, operator), _value(column, operator, value))


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _value(column: Column, operator: str, text: str) -> Any:
    if column.kind in ("blob", "packed"):
        raise StoreError(f"{column.name} holds lists or mappings and cannot be compared")
    if column.kind == "json" and operator != "contains":
        raise StoreError(f"{column.name} is a list; ask '{column.name} contains VALUE'")
    if column.kind in ("text", "json"):
        return text
    if operator == "contains":
        raise StoreError(f"{column.name} is a number; compare it with = != < <= > >=")
    try:
        return int(text) if column.kind == "integer" else float(text)
    except ValueError:
        raise StoreError(f"{column.name} is a number, and {text!r} is none") from None


def time_column(table: Table, name: str = "") -> str:
    """The column for time spans: the named one, or the instants beside it; by default the time of collection."""
    if name:
        return instant_column(table, name)
    for candidate in _TIMES:
        if candidate in table.by_name:
            return candidate
    raise StoreError(f"{table.name} has no time; name a column of {', '.join(table.by_name)}")


def since(column: str, text: str, now: datetime, zone: tzinfo = UTC) -> Condition:
    """At or after this moment: an ISO date or time (in `zone` if it names none), or an age such as 90m, 24h, 7d, 2w."""
    return Condition(column, ">=", _moment(text, now, zone))


def before(column: str, text: str, now: datetime) -> Condition:
    """Before this moment; a date means its first instant."""
    return Condition(column, "<", _moment(text, now))


def has_time(column: str) -> Condition:
    """The time is known: an unknown one, which is empty, sorts before every moment."""
    return Condition(column, ">", "")


def until(column: str, text: str, now: datetime, zone: tzinfo = UTC) -> Condition:
    """Up to this moment; a date means the whole day."""
    day = _day(text)
    return Condition(column, "<", _begin(day, zone, 1) if day else _moment(text, now, zone))


def _begin(day: date, zone: tzinfo, later: int = 0) -> str:
    """The first moment of a day, `later` days after the given one; for UTC the date alone, since some columns hold only dates."""
    try:
        found = day + timedelta(days=later)
        return found.isoformat() if zone is UTC else utc_text(datetime.combine(found, time(), zone))
    except OverflowError:
        raise StoreError(f"{day} is too far away") from None


def _moment(text: str, now: datetime, zone: tzinfo = UTC) -> str:
    if ago := _AGO.fullmatch(text.strip()):
        try:
            return utc_text(now - timedelta(**{_UNITS[ago[2]]: int(ago[1])}))
        except OverflowError:
            raise StoreError(f"{text!r} is too long ago") from None
    if day := _day(text):
        return _begin(day, zone)
    try:
        found = datetime.fromisoformat(text.strip())
        return utc_text(found if found.tzinfo else found.replace(tzinfo=zone))
    except (ValueError, OverflowError):
        raise StoreError(
            f"{text!r} is not a time; write 2026-11-20, 2026-11-20T08:30 or an age: 90m, 24h, 7d, 2w"
        ) from None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
