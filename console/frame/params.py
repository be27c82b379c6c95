"""Validation of query parameters and form fields against the page's declaration."""

import math
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from starlette.datastructures import QueryParams

from console.frame.page import Param

_MAX_CHARS = 2_000
_MAX_LINES_CHARS = 20_000
_MAX_COUNT = 2**53
_MAX_DIGITS = 20


class ParamError(ValueError):
    """Invalid value; the message names it and the expected form."""


def read_params(declared: Iterable[Param], given: Mapping[str, str]) -> dict[str, Any]:
    """The declared non-empty values; undeclared ones are ignored. Raises ParamError for an invalid value."""
    found = {}
    for param in declared:
        text = _given(param, given)
        if text and param.kind == "lines":
            found[param.name] = _lines(param, text)
        elif text:
            found[param.name] = _value(param, text[:_MAX_CHARS])
        elif param.required:
            raise ParamError(f"{param.name} is missing")
    return found


def _given(param: Param, given: Mapping[str, str]) -> str:
    """Fields of one name, such as ticks of a list, come one by one in an address."""
    if param.kind == "words" and isinstance(given, QueryParams):
        return " ".join(given.getlist(param.name)).strip()
    return given.get(param.name, "").strip()


def _value(param: Param, text: str) -> Any:
    match param.kind:
        case "choice":
            if text not in param.choices:
                raise ParamError(f"{param.name} is one of {', '.join(param.choices)}, not {text[:60]!r}")
            return text
        case "flag":
            return text not in ("0", "false", "off")
        case "date":
            return _date(param, text)
        case "count" | "number":
            return _number(param, text)
    return "".join(char for char in text if char.isprintable() or char == "\n")


def _lines(param: Param, text: str) -> str:
    """A text that is kept whole or refused."""
    if len(text) > _MAX_LINES_CHARS:
        raise ParamError(f"{param.name} has at most {_MAX_LINES_CHARS:,} characters")
    return "".join(char for char in text if char.isprintable() or char == "\n")


def _date(param: Param, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ParamError(f"{param.name} is a date such as 2026-11-22, not {text[:60]!r}") from None


def _number(param: Param, text: str) -> int | float:
    if len(text) > _MAX_DIGITS:
        raise ParamError(f"{param.name} is a number of at most {_MAX_DIGITS} digits")
    try:
        value: int | float = int(text) if param.kind == "count" else float(text)
    except ValueError:
        raise ParamError(f"{param.name} is a number, not {text[:60]!r}") from None
    if not math.isfinite(value) or not 0 <= value <= _MAX_COUNT:
        raise ParamError(f"{param.name} is a number of at least 0, not {text[:60]!r}")
    return value
