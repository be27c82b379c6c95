"""Values of JSON by dotted paths: `data.list[].item`, `links[0].href`, `pages.*`, `title | name`."""

import json
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from extractors.text.characters import unescape

_MAX_VALUES = 50_000
_MAX_TEXT_CHARS, _MAX_RAW_CHARS = 1_000, 20_000
_STEP = re.compile(r"[^.\[\]]+|\[\d{0,6}\]")
_TAGS = re.compile(r"<[^<>]{1,400}>")
_NAMES = (
    "name",
    "rendered",
    "title",
    "text",
    "value",
    "href",
    "url",
    "content",
    "#text",
    "_text",
    "$t",
    "$date",
    "seconds",
    "_seconds",
)
"""Keys of an object that stands where a text is expected, the first one present counts."""
_SEVERAL = 3


@lru_cache(maxsize=1_000)
def steps_of(path: str) -> tuple[str, ...]:
    """The steps of a path: names, `*` for all values of an object, `[]` for all of an array, `[3]` for one."""
    return tuple(_STEP.findall(path))


def values_at(value: Any, path: str) -> list[Any]:
    """All values at a path, at most fifty thousand; "" is the value itself. A text with JSON in it is read on the way."""
    found = [value]
    for step in steps_of(path):
        found = [each for one in found for each in _next(one, step)][:_MAX_VALUES]
    return found


def value_at(value: Any, path: str) -> Any:
    """The first value at a path; None if there is none."""
    return next(iter(values_at(value, path)), None)


def _next(value: Any, step: str) -> Iterator[Any]:
    if isinstance(value, str):
        value = _inner(value)
    if step == "[]":
        yield from value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    elif step.startswith("[") or (isinstance(value, list) and step.isdecimal()):
        place = int(step.strip("[]"))
        if isinstance(value, list) and place < len(value):
            yield value[place]
    elif isinstance(value, dict):
        if step in value:
            yield value[step]
        elif step == "*":
            yield from value.values()


def _inner(text: str) -> Any:
    if text[:1] in ("{", "["):
        try:
            return json.loads(text, strict=False)
        except (ValueError, RecursionError):
            return None
    return None


def objects_at(value: Any, path: str) -> list[Any]:
    """The items of a list: the values at its path, and the elements of those that are arrays."""
    found: list[Any] = []
    for each in values_at(value, path):
        found += each if isinstance(each, list) else [each]
    return found[:_MAX_VALUES]


def field_at(item: Any, paths: str) -> Any:
    """The first value that is not empty at one of the paths, which `|` separates; None if all are empty."""
    for path in paths.split("|"):
        value = value_at(item, path.strip())
        if value not in (None, "", [], {}):
            return value
    return None


def text_at(item: Any, paths: str, max_chars: int = _MAX_TEXT_CHARS) -> str:
    """A field as plain text without tags and entities; "" without paths."""
    return plain_text(field_at(item, paths), max_chars) if paths else ""


def plain_text(value: Any, max_chars: int = _MAX_TEXT_CHARS) -> str:
    """A value as plain text; of several objects the names of the first three."""
    raw = raw_text(value)[: max(_MAX_RAW_CHARS, 2 * max_chars)]
    if "<" in raw:
        raw = _TAGS.sub("", raw)
    return " ".join(unescape(raw).split())[:max_chars] if raw else ""


def raw_text(value: Any) -> str:
    """A value as text with its markup; "" for what has none. Characters that cannot be stored are replaced."""
    if isinstance(value, list):
        return ", ".join(filter(None, (raw_text(each) for each in value[:_SEVERAL] if not isinstance(each, list))))
    if isinstance(value, dict):
        inner = next((value[name] for name in _NAMES if isinstance(value.get(name), str | int | float)), "")
        return raw_text(inner)
    if isinstance(value, bool) or value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return str(value).encode("utf-8", "replace").decode() if isinstance(value, str | int | float) else ""
