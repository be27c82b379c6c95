"""A document: bytes and their address, decoded and parsed once, with the tree as numpy columns.

Every extractor takes a `Document`; `extractors.page.Page` adds the results.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, TypeVar

from lxml import etree, html

from extractors.html.addresses import resolve
from extractors.html.columns import MAX_ELEMENTS, Columns
from extractors.html.encoding import Decoded, decode
from extractors.html.parsing import MarkupSource
from extractors.html.site_rules import (
    Selectors,
    SiteRules,
    as_selectors,
    check_selector,
    declared_rules,
    found_by,
    site_rules,
)

__all__ = (
    "Document",
    "OnFailure",
    "ParseLimits",
    "Selectors",
    "SiteRules",
    "as_selectors",
    "check_selector",
    "declared_rules",
    "find_charset",
    "found_by",
    "site_rules",
)

T = TypeVar("T")
OnFailure = Callable[[str, str, Exception], None]
"""Takes the name of a step that failed, the address of its page, and the error."""


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Maximum bytes of a page's source, and elements of its tree."""

    size: int = 10_000_000
    elements: int = MAX_ELEMENTS


_DEFAULT_LIMITS = ParseLimits()
_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Document:
    """Bytes and their URL; everything is computed on first use, and once.

    Args:
        body: the source as fetched; only the first `limits.size` bytes are read.
        url: the address of the source, against which relative links are resolved.
        content_type: the HTTP header of that name, for its charset.
        root: the page's lxml tree, if it has been parsed already.
        charset: a Python codec, to skip the detection.
        markup: read in place of the body, for a document that is not HTML.
        fetched_at: aware time of fetching; default: the present.
        made_at: aware time at which the server generated the page, to which "3 minutes ago" refers; default: `fetched_at`.
        on_failure: takes the errors of steps (see `attempt`), which are raised without it.
        known: results computed elsewhere, by function (see `once`).
        rules: of the page's site: how its pages are to be read.

    Any bytes are accepted; an empty or unreadable source gives an empty document.
    """

    def __init__(
        self,
        body: bytes,
        url: str = "",
        *,
        content_type: str = "",
        root: etree._Element | None = None,
        charset: str = "",
        markup: str | None = None,
        fetched_at: datetime | None = None,
        made_at: datetime | None = None,
        limits: ParseLimits = _DEFAULT_LIMITS,
        on_failure: OnFailure | None = None,
        known: Mapping[Any, Any] = _NOTHING,
        rules: SiteRules | None = None,
    ) -> None:
        self.body = body[: limits.size]
        self.url = url
        self.content_type = content_type
        self.fetched_at = fetched_at or datetime.now(UTC)
        self.made_at = made_at or self.fetched_at
        self.limits = limits
        self.rules = rules
        self._given_charset = charset
        self._markup = markup
        self._on_failure = on_failure
        self._read: dict[Any, Any] = dict(known)
        if root is not None:
            self._source = MarkupSource(root=root)

    @cached_property
    def _decoded(self) -> Decoded:
        if self._markup is not None:
            return Decoded(self._markup.encode("utf-8", "replace"), "utf-8", True)
        if self._given_charset:
            return Decoded(self.body, self._given_charset, False)
        return decode(self.body, self.content_type)

    @property
    def charset(self) -> str:
        """The Python codec of the source."""
        return self.once(find_charset)

    @property
    def text(self) -> str:
        """The decoded source."""
        return self._decoded.text

    @cached_property
    def _source(self) -> MarkupSource:
        decoded = self._decoded
        as_it_is = decoded.clean and decoded.charset == "utf-8" and not decoded.body.startswith(b"\xef\xbb\xbf")
        return MarkupSource(decoded.body if as_it_is else decoded.text)

    @property
    def root(self) -> etree._Element:
        """The tree's root element; that of an empty document for a source without elements."""
        return self._source.root

    @property
    def markup_size(self) -> int:
        """Size of the markup that is read, in UTF-8 bytes."""
        return len(self._source.written) or len(self.body)

    def copy_of_tree(self) -> html.HtmlElement:
        """A separate tree of `lxml.html` elements, which may be changed."""
        return self._source.copy()

    @cached_property
    def columns(self) -> Columns:
        """The tree as numpy columns."""
        return self._flattened()

    def _flattened(self) -> Columns:
        """The tree as it is now; with rules, that of lxml, since selectors ask for any attribute."""
        source = MarkupSource(root=self.root) if self.rules else self._source
        return Columns(source, self.limits.elements)

    def once(self, read: "Callable[[Document], T]") -> T:
        """The cached result of a function of this document, called on first use."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    def having_read(self, found: Mapping[Any, Any]) -> Self:
        """A copy with the cached results, of which these, by function (see `once`), are replaced."""
        new = copy(self)
        new._read = {**self._read, **found}
        return new

    def unread(self) -> Self:
        """A copy without cached results."""
        new = copy(self)
        new._read = {}
        return new

    def attempt(self, step: str, read: Callable[[], T], otherwise: T) -> T:
        """The result of a step, or `otherwise` if it fails and `on_failure` takes the error, so that other fields are still read."""
        try:
            return read()
        except Exception as error:
            self.failed(step, error)
            return otherwise

    def failed(self, step: str, error: Exception) -> None:
        """Pass a step's error to `on_failure`; raise it without one."""
        if self._on_failure is None:
            raise error
        self._on_failure(step, self.url, error)

    @cached_property
    def base_url(self) -> str:
        """The base of relative links: the first `base` element's address, else the page's address."""
        columns = self.columns
        for place in columns.places("base"):
            if href := columns.sparse("href").get(place, "").strip():
                return resolve(self.url, href) or self.url
        return self.url


def find_charset(document: Document) -> str:
    """The Python codec of the source; see `Document.once`."""
    return document._decoded.charset
