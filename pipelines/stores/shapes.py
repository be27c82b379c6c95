"""Shapes of values: whether what a row holds is what its column promises."""

import math
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from pipelines.stores.base import Column

_MAX_WHOLE = 2**63
_MAX_FRACTION = 253_402_300_799.0
"""The last second that a date can name; scores, durations and counts are smaller."""
_MAX_DEPTH = 12
_MAX_ELEMENTS = 20_000
_MAX_CHARS = 100_000
"""Limits of a list, a mapping or a text inside a JSON value."""


def fits(value: Any, shape: Any, depth: int = 0) -> bool:
    """Whether a JSON value has the shape.

    A shape is a type, `[shape]` for lists, `{str: shape}` for mappings, or `{"name": shape, …}` for mappings with these names. datetime
    and date are times as text. `object` is any value of JSON within limits of depth and size.
    """
    kind = type(value)
    if kind is str:
        return _TIMES[shape](value) if shape is datetime else shape in (str, object) and _is_short_text(value)
    if kind is int or kind is float:
        return shape in (kind, float, object) and _is_number(value)
    if kind is list and depth < _MAX_DEPTH and len(value) <= _MAX_ELEMENTS:
        inner = shape[0] if type(shape) is list else shape
        return (type(shape) is list or shape is object) and all(fits(each, inner, depth + 1) for each in value)
    if kind is dict and depth < _MAX_DEPTH and len(value) <= _MAX_ELEMENTS:
        return (type(shape) is dict or shape is object) and _mapping_fits(value, shape, depth + 1)
    return shape is object and (value is None or kind is bool)


def _mapping_fits(value: dict[Any, Any], shape: Any, depth: int) -> bool:
    named = {} if shape is object else shape
    other = named.get(str, object)
    if not all(name in value for name in named if name is not str):
        return False
    return all(fits(name, str) and fits(each, named.get(name, other), depth) for name, each in value.items())


def _is_short_text(text: str) -> bool:
    return len(text) <= _MAX_CHARS and _is_unicode(text)


def _is_unicode(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _is_instant(value: Any) -> bool:
    """ "" or an ISO time with a zone, far enough from the ends of the calendar to be shifted by days."""
    if value == "":
        return True
    try:
        time = datetime.fromisoformat(value)
    except (ValueError, TypeError):
        return False
    return time.tzinfo is not None and 1 < time.year < 9_999


def _is_date(value: Any) -> bool:
    try:
        return value == "" or bool(date.fromisoformat(value))
    except (ValueError, TypeError):
        return False


def _is_number(value: float) -> bool:
    return abs(value) <= (_MAX_WHOLE if type(value) is int else _MAX_FRACTION)


def _is_real(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= _MAX_FRACTION


_TIMES: dict[Any, Callable[[Any], bool]] = {datetime: _is_instant, date: _is_date}
_CHECKS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int),
    "real": _is_real,
    "blob": lambda value: isinstance(value, bytes),
}


def check_of(column: Column) -> Callable[[Any], bool]:
    """A function that says whether a value other than None may be in the column."""
    if column.shape is datetime or column.shape is date:
        return _TIMES[column.shape]
    return _CHECKS.get(column.kind) or (lambda value: fits(value, column.shape))


def empty_value(column: Column) -> Any:
    """The replacement of a value that does not fit."""
    match column.kind:
        case "text":
            return ""
        case "integer":
            return 0
        case "real":
            return 0.0
        case "blob":
            return b""
    return type(column.shape)() if isinstance(column.shape, (list, dict)) else None
