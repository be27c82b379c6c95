"""Arrays over a page's elements and chunks, from which candidate groups are rated and read."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.html.visibility import MAX_STYLE_CHARS, UNSEEN
from extractors.kernels import kernel
from extractors.records.signals.class_names import ElementNames, element_names
from extractors.records.signals.template_words import AUTHOR, BODY, NOT_BODY, QUOTE, has_time_mask
from extractors.text.multi_search import contains_match

__all__ = [
    "PageSignals",
    "author_candidates",
    "body_values",
    "class_names",
    "hidden_elements",
    "links",
    "named_chunks",
    "no_text_chunks",
    "no_text_elements",
    "page_signals",
    "quote_elements",
    "schema_org",
    "template_words",
    "time_chunks",
]

_SILENT_PARTS = tag_set("nav", "header", "footer", "form", "select", "button", "textarea")
_NO_TEXT = tag_set("form", "button", "select", "textarea", "label", "time", "nav")
_STAMPED = tag_set("abbr", "span", "time")
_STAMP = re.compile(r"(?:19|20)\d\d\D.{0,40}\d:\d\d|(?:19|20)\d\d-\d\d-\d\d")
"""A whole time in an attribute."""
_MAX_STAMP_CHARS = 100
_MAX_UNREAD_CHARS = 24
"""Maximum visible characters of a time in a form that is not known."""
_QUOTES = tag_set("blockquote", "q")
_BEGINNING_CHARS = 40
_MAX_NAME_CHARS = 40
_LINKED_TEXT_CHARS = 100
"""Minimum visible characters of a link that holds a whole text rather than a title."""
_MAX_TIME_CHARS = 90
_MAX_TIME_WORD_CHARS = 20
"""Maximum characters of a chunk with a time but no digit, such as "yesterday"."""


@dataclass(frozen=True, eq=False)
class TextIndex:
    """The M chunks of a page, prepared for comparison.

    Attributes:
        texts: unchanged. lowered: without white space around them, in lower case.
        distinct: the distinct texts of `lowered`, in order of appearance. number: int64[M], the number of each chunk among these.
        beginning: int64[M], the number of each chunk's first 40 characters. length: int64[M], characters of `lowered`.
    """

    texts: list[str]
    lowered: list[str]
    distinct: list[str]
    number: NDArray[np.int64]
    beginning: NDArray[np.int64]
    length: NDArray[np.int64]

    @cached_property
    def folded(self) -> list[str]:
        """With single spaces for white space."""
        return fold_texts(self.texts)


@dataclass(frozen=True, slots=True)
class PageSignals:
    """Arrays over the N elements and M chunks of a page.

    Attributes:
        visible: int32[M], visible characters. linked, has_time: bool[M], the chunk is in a link, has a part of a time.
        weights: int64[3, N], visible characters in each element, those outside of links, chunks with times.
        silent: bool[N], in a menu or form.
    """

    columns: Columns
    texts: TextIndex
    names: ElementNames
    visible: NDArray[np.int32]
    linked: NDArray[np.bool_]
    has_time: NDArray[np.bool_]
    weights: NDArray[np.int64]
    silent: NDArray[np.bool_]

    @property
    def unlinked(self) -> NDArray[np.int64]:
        """int64[N]: visible characters in each element outside of links."""
        return np.asarray(self.weights[1])

    @property
    def times(self) -> NDArray[np.int64]:
        """int64[N]: chunks with times in each element."""
        return np.asarray(self.weights[2])


def page_signals(page: Document) -> PageSignals:
    """The signals of a page, which must have text; computed before its candidate groups."""
    columns = page.columns
    visible, linked, texts = (
        columns.counts("visible"),
        columns.linked,
        TextIndex(columns.texts, *index_texts(columns.texts, _BEGINNING_CHARS)),
    )
    has_time = page.once(time_chunks)
    length = columns.text_length
    weights = np.stack((length, length - columns.link_length, columns.subtree_chunks(has_time)))
    silent = columns.within(_SILENT_PARTS[columns.tag])
    return PageSignals(columns, texts, page.once(element_names), visible, linked, has_time, weights, silent)


@kernel
def fold_texts(texts: list[str]) -> list[str]:
    """The texts with single spaces for white space, and none around."""
    return [" ".join(text.split()) for text in texts]


@kernel
def index_texts(
    texts: list[str], beginning: int
) -> tuple[list[str], list[str], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The fields of `TextIndex` after the texts; beginning: characters."""
    lowered = [text.strip().lower() for text in texts]
    distinct: dict[str, int] = {}
    number = [distinct.setdefault(text, len(distinct)) for text in lowered]
    begun: dict[str, int] = {}
    begins = [begun.setdefault(text[:beginning], len(begun)) for text in texts]
    return lowered, list(distinct), *np.array((number, begins, list(map(len, lowered))), dtype=np.int64)


def time_chunks(page: Document) -> NDArray[np.bool_]:
    """bool[M]: the chunk is short and contains part of a time."""
    columns = page.columns
    visible, numbered, texts = columns.counts("visible"), columns.counts("digit") > 0, columns.texts
    short = (visible > 1) & (visible <= np.where(numbered, _MAX_TIME_CHARS, _MAX_TIME_WORD_CHARS))
    found = np.zeros(len(visible), dtype=np.bool_)
    lowered = [texts[place].strip().lower() for place in np.flatnonzero(short).tolist()]
    found[short] = has_time_mask(lowered, numbered[short])
    brief = ~found & numbered & (visible > 1) & (visible <= _MAX_UNREAD_CHARS)
    found[[chunk for chunk in _stamped(columns) if brief[chunk]]] = True
    return found


def _stamped(columns: Columns) -> list[int]:
    """The only chunks of elements with a time in an attribute, in any form and language."""
    values = columns.sparse("title") | columns.sparse("datetime")
    places = [
        place
        for place, value in values.items()
        if _STAMPED[columns.tag[place]] and _STAMP.search(value[:_MAX_STAMP_CHARS])
    ]
    start, end = columns.chunk_start[places], columns.chunk_end[places]
    found: list[int] = start[end == start + 1].tolist()
    return found


def body_values(page: Document) -> NDArray[np.int64]:
    """int64[M]: the value that a chunk adds to its body, in tenths of a character; links and times subtract, except links around
    whole texts."""
    signals, columns = page.once(page_signals), page.columns
    length, links = signals.visible.astype(np.int64), columns.tagged("a")
    whole = columns.within(links & (columns.text_length >= _LINKED_TEXT_CHARS))[columns.owner]
    values = np.where(signals.linked & ~whole, -3 * length, 10 * length)
    return np.where(signals.has_time, -120 - 10 * np.minimum(length, 40), values)


def named_chunks(page: Document) -> NDArray[np.bool_]:
    """bool[M]: the chunk is in a short element that by its name tells who wrote, and not what."""
    columns, names = page.columns, page.once(page_signals).names
    named = names.have(AUTHOR) & ~names.have(BODY) & (columns.text_length <= _MAX_NAME_CHARS)
    return columns.within(named)[columns.owner]


def no_text_elements(page: Document) -> NDArray[np.bool_]:
    """bool[N]: by its tag, class, id or role the element is not part of a text: a form, a button, a signature."""
    signals, roles = page.once(page_signals), page.columns.sparse("data-role")
    found = _NO_TEXT[page.columns.tag] | signals.names.have(NOT_BODY)
    found[list(roles)] |= contains_match(NOT_BODY, [role.lower() for role in roles.values()])
    return np.asarray(found)


def no_text_chunks(page: Document) -> NDArray[np.bool_]:
    """bool[M]: the chunk is in one of `no_text_elements`."""
    return page.columns.within(page.once(no_text_elements))[page.columns.owner]


def quote_elements(page: Document) -> NDArray[np.bool_]:
    """bool[N]: the element is a quote by its tag or its name."""
    return np.asarray(_QUOTES[page.columns.tag] | page.once(page_signals).names.have(QUOTE))


def hidden_elements(page: Document) -> NDArray[np.bool_]:
    """bool[N]: the element's own style hides it."""
    styles = page.columns.sparse("style")
    found = np.zeros(len(page.columns), dtype=np.bool_)
    found[list(styles)] = contains_match(UNSEEN, [style[:MAX_STYLE_CHARS] for style in styles.values()])
    return found
