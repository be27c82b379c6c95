"""A page: one document with everything read from it, each once."""

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from extractors import article, records
from extractors.article.body import Body, find_body
from extractors.article.kinds import PageKind, find_kind
from extractors.article.markdown import markdown_of
from extractors.html.columns import Columns
from extractors.html.document import (
    Document,
    OnFailure,
    ParseLimits,
    SiteRules,
    as_selectors,
    check_selector,
    declared_rules,
    found_by,
    site_rules,
)
from extractors.html.parsing import MarkupSource
from extractors.links.find import Link, find_links

__all__ = (
    "OnFailure",
    "Page",
    "ParseLimits",
    "SiteRules",
    "as_selectors",
    "check_selector",
    "declared_rules",
    "found_by",
    "site_rules",
)

T = TypeVar("T")
_STEPS: dict[Any, tuple[str, Any]] = {
    article.extract: ("article", article.Article()),
    records.extract: ("records", records.RecordSet("none")),
    find_links: ("links", ()),
    markdown_of: ("markdown", ""),
    find_kind: ("kind", PageKind("article", 0.0)),
}
"""By function of the page: the name of the step, and the result for a page on which it fails."""


class Page(Document):
    """A document with its article, records and links, each read on first use.

    Elements that a rule of the site removes are not read, except for their links.
    """

    _removed_links: tuple[Link, ...] = ()

    @cached_property
    def columns(self) -> Columns:
        """The tree as numpy columns, in which the elements that a rule of the site removes are empty."""
        columns = self._flattened()
        if self.rules is None or not self.rules.remove:
            return columns
        removed = columns.within(self.rules.marked(self.rules.remove, columns))
        if not removed.any():
            return columns
        whole = copy(self)
        whole.__dict__["columns"], whole._read = columns, {}
        self._removed_links = tuple(replace(link, place=0) for link in find_links(whole) if removed[link.place])
        for place in np.flatnonzero(removed & ~removed[columns.parent]).tolist():
            columns.elements[place].clear(keep_tail=True)  # type: ignore[call-arg]
        self._source = MarkupSource(root=self.root)
        return self._flattened()

    def once(self, read: Callable[[Document], T]) -> T:
        """See `Document.once`; a step that fails leaves its field empty, see `Document.attempt`."""
        if read not in _STEPS or read in self._read:
            return super().once(read)
        step, nothing = _STEPS[read]
        found: Any = self.attempt(step, lambda: read(self), nothing)
        if read is find_links and self._removed_links:
            known = {link.url for link in found}
            found = (*found, *(link for link in self._removed_links if link.url not in known))
        self._read[read] = found
        return cast(T, found)

    @property
    def lines(self) -> Body:
        """The lines of the page's text, and which of them are main text."""
        return self.once(find_body)

    @property
    def kind(self) -> PageKind:
        """The kind of page: an article, a list, a thread, a product, and others."""
        return self.once(find_kind)

    @property
    def article(self) -> article.Article:
        """Main text, title, author, time, source by the default method."""
        return self.once(article.extract)

    @property
    def markdown(self) -> str:
        """The main text as Markdown."""
        return self.once(markdown_of)

    @property
    def records(self) -> records.RecordSet:
        """Posts, comments, reviews, answers or lines of a thread list."""
        return self.once(records.extract)

    @property
    def links(self) -> tuple[Link, ...]:
        """The links of the page."""
        return self.once(find_links)
