"""JSON that a page of HTML carries for its scripts: in script elements, in assignments, in comments."""

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from extractors.feeds.json_text import UnreadableError, parse_json, value_in
from extractors.feeds.selectors import flat_text, selected
from extractors.html.document import Document
from extractors.html.page_selectors import SelectorError

_ASSIGNED = re.compile(
    r"(?:window(?:\.|\[['\"])|self\.|globalThis\.|(?:var|let|const)\s+)[\w$]{1,80}(?:['\"]\])?\s*=\s*(?=[{\[]|JSON\.parse\()"
)
_COMMENT = re.compile(r"<!--\s*s-data\s*:\s*")
_GAP = re.compile(r"[^{\[;<\n]{0,80}?(?=[{\[]|JSON\.parse\(|decodeURIComponent\()")
_DATA_TYPES = ("application/json", "text/json", "application/x-json")
_MAX_TEXT_CHARS, _MAX_VALUES, _MIN_CHARS, _MAX_TRIES = 10_000_000, 20, 100, 200
_MAX_READ_CHARS = 20_000_000
"""Of all that looks like an assignment: a page may begin many that do not end."""


def carried_at(page: Document, place: str) -> Any:
    """The JSON at a place: a selector of a script element, or the text before it (`window.__INITIAL_STATE__`, `s-data:`).

    Raises UnreadableError if there is none.
    """
    errors: list[str] = []
    for text in _texts_at(page, place):
        try:
            return parse_json(text.encode("utf-8", "replace"))
        except UnreadableError as error:
            errors.append(str(error))
    raise UnreadableError(errors[0] if errors else f"there is nothing at json_in: {place}")


def _texts_at(page: Document, place: str) -> Iterator[str]:
    if place.startswith(("script", "#", ".", "/", "[", "textarea", "template", "div", "meta", "input")):
        try:
            for each in selected(place, page.root)[:_MAX_VALUES]:
                yield each if isinstance(each, str) else _content(each)
            return
        except SelectorError:
            pass
    text = page.text[:_MAX_TEXT_CHARS]
    begin = 0
    for _ in range(_MAX_VALUES):
        if (begin := text.find(place, begin)) < 0:
            return
        begin += len(place)
        if (gap := _GAP.match(text, begin)) is not None:
            yield text[gap.end() :]


def _content(element: Any) -> str:
    return (
        "".join(element.itertext()) or str(element.get("content") or element.get("value") or "") or flat_text(element)
    )


def carried_values(page: Document) -> Iterator[tuple[str, Any]]:
    """The places and values of what a page carries, the first twenty."""
    return islice(_all(page), _MAX_VALUES)


def _all(page: Document) -> Iterator[tuple[str, Any]]:
    text = page.text[:_MAX_TEXT_CHARS]
    for script in selected("//script[@type]", page.root)[:_MAX_TRIES]:
        if script.get("type", "").lower() in _DATA_TYPES and len(inner := _content(script)) >= _MIN_CHARS:
            name = script.get("id") or ""
            is_plain = re.fullmatch(r"[A-Za-z_][\w-]*", name)
            yield from _value(f"script#{name}" if is_plain else 'script[type="application/json"]', inner)
    left = _MAX_READ_CHARS
    for found in islice(chain(_ASSIGNED.finditer(text), _COMMENT.finditer(text)), _MAX_TRIES):
        is_comment = found[0].startswith("<!--")
        end = text.find("-->" if is_comment else "</script", found.end())
        carried = text[found.end() : end if end >= 0 else len(text)]
        left -= len(carried)
        if left < 0:
            return
        yield from _value("s-data:" if is_comment else found[0].partition("=")[0].strip(), carried)


def _value(place: str, text: str) -> Iterator[tuple[str, Any]]:
    try:
        value, end = value_in(text, 0)
    except UnreadableError:
        return
    if end >= _MIN_CHARS:
        yield place, value
