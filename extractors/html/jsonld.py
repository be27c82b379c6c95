"""A page's description of itself in JSON-LD."""

import json
import re
from collections.abc import Iterator
from typing import Any

from extractors.html.document import Document

_ARTICLES = (
    "article",
    "newsarticle",
    "blogposting",
    "report",
    "posting",
    "recipe",
    "howto",
    "webpage",
    "videoobject",
    "product",
)
_BEGIN = re.compile(r"(?:/[/*])?\s{0,9}<!(?:\[CDATA\[|--)(?:\s{0,9}\*/)?")
_END = re.compile(r"(?:/[/*])?\s{0,9}(?:\]\]|--)>(?:\s{0,9}\*/)?$")
_MARK_CHARS = 40
"""Length of the marks around a script by which XHTML tells its parser to leave it alone."""
_MAX_SCRIPT_CHARS = 500_000
_MAX_NODES = 2_000


def article_data(page: Document) -> dict[str, Any]:
    """The object that best describes the page's article, {} if there is none."""
    found = [node for node in page.once(nodes_of) if _rank(node) < len(_ARTICLES)]
    return min(found, key=_rank, default={})


def _rank(node: dict[str, Any]) -> int:
    kinds = node.get("@type")
    names = [str(kind).lower() for kind in (kinds if isinstance(kinds, list) else [kinds])]
    return min(
        (place for place, kind in enumerate(_ARTICLES) for name in names if kind in name), default=len(_ARTICLES)
    )


def nodes_of(page: Document) -> list[dict[str, Any]]:
    """The objects of the page's JSON-LD, without nested ones except in graphs and main entities."""
    found: list[dict[str, Any]] = []
    for text in page.columns.linked_data:
        if len(text) < _MAX_SCRIPT_CHARS:
            try:
                found.extend(_walk(json.loads(_unmarked(text), strict=False)))
            except (ValueError, RecursionError):
                continue
    return found


def _walk(data: Any) -> Iterator[dict[str, Any]]:
    waiting = [data]
    for _ in range(_MAX_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node))
        elif isinstance(node, dict):
            yield node
            waiting.extend(node[name] for name in ("@graph", "mainEntity", "mainEntityOfPage") if name in node)


def resolve_ids(page: Document, value: Any) -> Any:
    """The value of a field such as `author` with each reference to another object of the page (`@id` alone) replaced by that
    object."""
    if isinstance(value, list):
        return [resolve_ids(page, each) for each in value[:10] if not isinstance(each, list)]
    if not isinstance(value, dict) or "@id" not in value or "name" in value:
        return value
    nodes = page.once(nodes_of)
    return next((node for node in nodes if node.get("@id") == value["@id"] and "name" in node), value)


def names_of(value: Any) -> str:
    """The name or names in a JSON-LD value: a text, an object with a name, or a list of either."""
    if isinstance(value, list):
        return ", ".join(dict.fromkeys(filter(None, map(names_of, value[:10]))))
    if isinstance(value, dict):
        parts = (value.get("givenName"), value.get("familyName"))
        return names_of(value.get("name", "")) or " ".join(part.strip() for part in parts if isinstance(part, str))
    return " ".join(value.split()) if isinstance(value, str) else ""


def _unmarked(text: str) -> str:
    """A script without the marks around it."""
    text = text.strip()
    begin, end = _BEGIN.match(text), _END.search(text, max(0, len(text) - _MARK_CHARS))
    return text[begin.end() if begin else 0 : end.start() if begin and end else len(text)]
