"""JSON from a server as values, read safely: bounded, and without what servers wrap around it."""

import json
import re
from typing import Any
from urllib.parse import unquote

from extractors.html.encoding import decode

MAX_JSON_BYTES = 10_000_000
_MAX_CONTAINERS = 400_000
"""Objects and arrays of a document; each takes some hundred bytes of memory, however short its text is."""
_MAX_DIGITS, _MAX_LINES = 20, 50_000
_WRAPPER = re.compile(
    r"\s*(?:\)\]\}'?,?|(?:for|while)\s?\([^()]{0,9}\);?|/\*.{0,200}?\*/|&&&START&&&|throw [^;]{0,40};|;|//[^\n]{0,200}\n)",
    re.S,
)
"""Prefixes that keep other sites from running an answer as a script."""
_CALL = re.compile(
    r"\s*(?:(?:try|if\s?\([\w$.!]{1,99}\))\s?\{?\s*)?(?:(?:var|let|const|return)\s+)?[A-Za-z_$][\w$.\[\]'\"-]{0,200}\s*(?:\(|=)\s*"
)
"""The call or the assignment of JSONP."""
_PARSE = re.compile(r"(?:JSON\.parse|decodeURIComponent|unescape)\(\s*")
_START = re.compile(rb"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
_CALLED = re.compile(rb"\s*(?:/\*\*/)?\s*(?:var\s+)?[A-Za-z_$][\w$.]{0,99}\s?[(=]\s*[{\[]\s*[\"{\[]")
_GUARDS = (b")]}'", b"for(;;);", b"for (;;);", b"while(1);", b"while (1);", b"&&&START&&&")
_UNDEFINED = re.compile(r"(?<=[:,\[])\s*(?:undefined|void 0|NaN|-?Infinity)\s*(?=[,}\]])")
_TRAILING = re.compile(r",\s*(?=[}\]])")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class UnreadableError(ValueError):
    """A list that cannot be read; the message says why, for the operator."""


def looks_like_json(body: bytes, content_type: str) -> bool:
    """Whether an answer is JSON by its type or its first characters; many servers send JSON as text/html."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind.endswith("json") or "ndjson" in kind or "jsonl" in kind:
        return True
    start = body[:400]
    for mark in _BOMS:
        start = start.removeprefix(mark)
    start = start.replace(b"\0", b"")
    if _START.match(start) or start.lstrip().startswith(_GUARDS):
        return True
    return bool(_CALLED.match(start)) and ("script" in kind or "html" not in kind or b"<" not in start[:50])


def parse_json(body: bytes, content_type: str = "") -> Any:
    """The value of a document: plain JSON, JSONP, or JSON lines, whose objects become a list.

    Raises UnreadableError for anything else, and for documents beyond the limits. Numbers of more digits than any that programs
    count with are texts.
    """
    if len(body) > MAX_JSON_BYTES:
        raise UnreadableError(f"the JSON is larger than {MAX_JSON_BYTES // 1_000_000} MB")
    text = decode(body, content_type).text.lstrip("\ufeff")
    value, end = value_in(text, _begin(text))
    rest = text[end:].lstrip()
    return _with_lines(value, rest) if rest[:1] in ("{", "[") else value


def value_in(text: str, begin: int) -> tuple[Any, int]:
    """The JSON value that begins there, and the place of its end. Raises UnreadableError."""
    if (wrapped := _PARSE.match(text, begin)) is not None:
        return _in_literal(text, wrapped.end())
    if text.count("{", begin) + text.count("[", begin) > _MAX_CONTAINERS:
        raise UnreadableError(f"the JSON has more than {_MAX_CONTAINERS:,} objects and arrays")
    try:
        return _decoded(text, begin)
    except RecursionError:
        raise UnreadableError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"it is not JSON: {_short(error)}") from None


def _begin(text: str) -> int:
    """Where the value begins, behind what is wrapped around it."""
    place = len(text) - len(text.lstrip())
    for _ in range(5):
        if text[place : place + 1] in ("{", "[", ""):
            break
        found = _WRAPPER.match(text, place) or _CALL.match(text, place)
        if found is None:
            break
        place = found.end()
        if _PARSE.match(text, place):
            break
    while text[place : place + 1].isspace():
        place += 1
    return place


def _decoded(text: str, begin: int) -> tuple[Any, int]:
    """As Python reads JSON; with what only JavaScript allows, if that fails."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, begin)
    except ValueError as first:
        decoder = json.JSONDecoder(strict=False, parse_int=_number)
        try:
            return decoder.raw_decode(text, begin)
        except ValueError:
            loose = _TRAILING.sub("", _UNDEFINED.sub("null", text[begin:]))
            if loose == text[begin:]:
                raise first from None
            value, end = decoder.raw_decode(loose)
            return value, begin + end


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits[:_MAX_DIGITS]


def _in_literal(text: str, begin: int) -> tuple[Any, int]:
    """The value in the text that a script gives to JSON.parse."""
    quote = text[begin : begin + 1]
    end = begin + 1
    while (end := text.find(quote, end)) > 0 and text[end - 1] == "\\":
        end += 1
    written = text[begin + 1 : max(end, begin + 1)]
    if quote == "'":
        written = written.replace("\\'", "'").replace('"', '\\"')
    try:
        inner = json.loads(f'"{written}"', strict=False) if quote in ("'", '"') and end > 0 else ""
    except ValueError:
        inner = ""
    inner = unquote(inner) if inner[:1] == "%" else inner
    if not inner.strip().startswith(("{", "[")):
        raise UnreadableError("it is not JSON: a script without an object")
    return value_in(inner.strip(), 0)[0], end + 1


def _with_lines(first: Any, rest: str) -> list[Any]:
    """All values of JSON lines, up to the first damage."""
    found = [first]
    for line in rest.splitlines()[:_MAX_LINES]:
        if line.strip():
            try:
                found.append(json.loads(line, strict=False))
            except (ValueError, RecursionError):
                break
    return found


def _short(error: ValueError) -> str:
    return str(error)[:80]
