"""The rules of one site: which elements of its pages are their text, title, author, time and records, and which are left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from json import dumps, loads
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.page_selectors import Selector, compiled
from extractors.html.tree_masks import Mask

ARTICLE_FIELDS = ("title", "author", "time")
RECORD_FIELDS = ("author", "time", "text", "title", "url", "floor", "replies", "views", "likes", "quote")
Selectors = tuple[Selector, ...]


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Made by `site_rules`.

    Attributes:
        name: the host that they are for. declared: what they were made from, for `site_rules` in another process.
        body, remove: elements whose text is the main text, and elements that are not read.
        fields: by name (`ARTICLE_FIELDS`), selectors of which the first that finds something counts.
        kind: of a page on which `body` finds text; "" for what is found.
        each, record_fields: the elements that are records, and in them their fields (`RECORD_FIELDS`).
        record_kind: the kind of the records, "" for what is found.
    """

    name: str
    declared: str = field(repr=False)
    body: Selectors = ()
    remove: Selectors = ()
    fields: Mapping[str, Selectors] = field(default_factory=dict)
    kind: str = ""
    each: Selectors = ()
    record_fields: Mapping[str, Selectors] = field(default_factory=dict)
    record_kind: str = ""

    def __str__(self) -> str:
        each = {"body": self.body, "remove": self.remove, **self.fields, "records": self.each}
        return ", ".join(name for name, selectors in each.items() if selectors)

    def marked(self, selectors: Selectors, columns: Columns) -> Mask:
        """bool[N]: the elements that one of the selectors finds."""
        found = np.zeros(len(columns), np.bool_)
        for selector in selectors:
            found[selector.places(columns)] = True
        return found

    def first_value(self, name: str, columns: Columns) -> str:
        """The value of the first selector of a field that finds something; "" if none does."""
        for selector in self.fields.get(name, ()):
            for place in selector.places(columns).tolist():
                if value := selector.value(columns, place):
                    return value
        return ""

    def all_values(self, name: str, columns: Columns, limit: int) -> list[str]:
        """The values of the first selector of a field that finds something, each once, at most `limit`."""
        for selector in self.fields.get(name, ()):
            places = selector.places(columns)[:limit].tolist()
            if values := list(dict.fromkeys(filter(None, (selector.value(columns, place) for place in places)))):
                return values
        return []


@lru_cache(maxsize=2_000)
def site_rules(name: str, declared: str) -> SiteRules:
    """The rules of a site.

    Args:
        name: the host.
        declared: a JSON object with the keys `article` and `records`, whose values are selectors, or lists of them.

    Raises:
        SelectorError: for a selector that cannot be read.
    """
    given: dict[str, dict[str, Any]] = loads(declared)
    article, records = given.get("article") or {}, given.get("records") or {}
    return SiteRules(
        name,
        declared,
        _selectors(article.get("body")),
        _selectors(article.get("remove")),
        {key: _selectors(article[key]) for key in ARTICLE_FIELDS if article.get(key)},
        article.get("kind") or "",
        _selectors(records.get("each")),
        {key: _selectors(records[key]) for key in RECORD_FIELDS if records.get(key)},
        records.get("kind") or "",
    )


def declared_rules(article: Mapping[str, Any] | None, records: Mapping[str, Any] | None) -> str:
    """Rules in the form that `site_rules` takes."""
    return dumps({"article": article or {}, "records": records or {}}, ensure_ascii=False, sort_keys=True)


def as_selectors(given: Any) -> Any:
    """A text as a list of one; anything else unchanged."""
    return [given] if isinstance(given, str) else given


def check_selector(text: str) -> str:
    """The selector itself. Raises SelectorError for one that cannot be read."""
    return compiled(text).text


def found_by(text: str, columns: Columns) -> NDArray[np.intp]:
    """The elements that a selector finds, in document order. Raises SelectorError for one that cannot be read."""
    return compiled(text).places(columns)


def _selectors(given: Any) -> Selectors:
    return tuple(map(compiled, as_selectors(given) or ()))
