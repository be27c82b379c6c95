"""A page's tree as columns, so that queries about subtrees are sums over slices.

Elements are in document order; the subtree of element i is the slice i … end[i] − 1. Text is split into chunks, also in
document order, and every subtree's text is a slice of chunks. Sums over all subtrees at once are differences of one
running sum.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import ArrayLike, NDArray

from extractors.html.flat_tree import first_words, flatten
from extractors.html.joining import edges, join, join_each, join_range, separators
from extractors.html.parsing import MarkupSource
from extractors.html.subtrees import chunk_sums, running_sum, sibling_groups, tag_places, text_lengths, within
from extractors.html.tags import ATTRIBUTES, BLOCKS, NAMES, TAG, TOGETHER, tag_set
from extractors.text.characters import CharacterCounts, Kind
from extractors.text.multi_search import contains_match

MAX_ELEMENTS = 100_000
"""Maximum elements of a page; the rest is not read."""

_MAX_LINK_CHARS, _MAX_LINK_SHARE = 300, 0.4
"""Visible characters of a link, and their share of the page: an `a` that exceeds both was never closed."""
_CELLS = tag_set("td", "th")
_SPARSE = (*(name for name in ATTRIBUTES if name not in ("class", "role")), "property", "content", "hidden")
"""Attributes that are read in one walk over a tree, when the first of them is requested."""
_SOFT_HYPHEN = "\xad"


class Columns:
    """N elements and M chunks of text (blank ones and those of scripts and styles left out) in document order.

    Attributes:
        tag: int16[N], codes of `extractors.html.tags`, 0 for a name not listed there.
        parent: int32[N], −1 for the root.
        depth: int32[N], 0 for the root.
        end: int32[N], one past the last descendant.
        texts: list of M strings as in the source, without soft hyphens, at which words may be broken.
        code_texts: see `extractors.html.flat_tree.FlatTree`.
        owner: int32[M], the element whose direct content a chunk is.
        space_before: bool[M], white space before the chunk or at its start.
        chunk_start, chunk_end: int32[N], the chunks inside element i are chunk_start[i] … chunk_end[i] − 1.
    """

    def __init__(self, tree: MarkupSource | etree._Element, max_elements: int = MAX_ELEMENTS) -> None:
        self._flat = flat = flatten(tree if isinstance(tree, MarkupSource) else MarkupSource(root=tree), max_elements)
        self.texts = _without_soft_hyphens(flat.texts)
        self.code_texts = flat.code_texts
        self.tag = flat.tags
        self.parent = flat.parents
        self.depth = flat.depths
        self.end = flat.ends
        self.chunk_start = flat.chunk_starts
        self.chunk_end = flat.chunk_ends
        self.owner = flat.owners
        self.space_before = flat.spaced
        self._attributes: dict[str, list[str]] = {}
        self._sparse: dict[str, dict[int, str]] = {}

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def elements(self) -> Sequence[etree._Element]:
        """N lxml elements (comments and instructions left out); built on first use."""
        return self._flat.elements

    def subtree(self, values: ArrayLike) -> NDArray[Any]:
        """Sums of values[N] over each element and its descendants: array of N."""
        running = running_sum(values)
        return np.asarray(running[self.end] - running[:-1])

    def subtree_chunks(self, values: ArrayLike) -> NDArray[Any]:
        """Sums of values[…, M], one per chunk, over the chunks inside each element: array of […, N]."""
        column = np.asarray(values)
        if column.ndim == 1 and column.dtype.kind != "f":
            return chunk_sums(np.ascontiguousarray(column, np.int64), self.chunk_start, self.chunk_end)
        running = running_sum(column)
        return np.asarray(running[..., self.chunk_end] - running[..., self.chunk_start])

    def within(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[N]: the element or one of its ancestors is in mask[N]."""
        return within(np.ascontiguousarray(mask), self.end)

    def has_below(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[N]: the element or one of its descendants is in mask[N]."""
        return np.asarray(self.subtree(mask.astype(np.int32)) > 0)

    def tagged(self, *names: str) -> NDArray[np.bool_]:
        """bool[N]: the element's name is one of these; KeyError for a name outside `extractors.html.tags`."""
        if len(names) == 1:
            return np.asarray(self.tag == TAG[names[0]])
        return np.asarray(_table(names).take(self.tag))  # half the time of [self.tag]

    def places(self, name: str) -> list[int]:
        """The elements of this name; KeyError for a name outside `extractors.html.tags`."""
        return tag_places(self.tag, TAG[name])

    def attribute(self, name: str) -> list[str]:
        """The attribute's value for each of the N elements, "" where it is absent; cached."""
        values = self._attributes.get(name)
        if values is None:
            values = self._attributes[name] = self._flat.attribute(name)
        return values

    def value(self, place: int, name: str) -> str:
        """One element's attribute, "" where it is absent."""
        return self._flat.value(place, name)

    def tag_name(self, place: int) -> str:
        """One element's tag, also if it is not in `extractors.html.tags`."""
        code = int(self.tag[place])
        return NAMES[code - 1] if code else self._flat.unlisted_name(place)

    def has_script(self, place: int) -> bool:
        """Whether a `script` element has content."""
        return self._flat.has_script(place)

    def inner_text(self, place: int, max_nodes: int) -> str:
        """An element's first text nodes, including blank ones. In a small subtree, white space between two chunks is one
        space; larger ones are read from the tree, because chunks do not show the number of blank nodes."""
        if 2 * int(self.end[place] - place) - 1 > max_nodes:
            return "".join(map(str, islice(self.elements[place].itertext(), max_nodes)))
        inside = slice(int(self.chunk_start[place]), int(self.chunk_end[place]))
        spaces = self.space_before[inside].tolist()
        return "".join(" " * space + text for space, text in zip(spaces, self.texts[inside], strict=True))

    def has_attribute(self, name: str) -> NDArray[np.bool_]:
        """bool[N]: whether the element has the attribute."""
        return self._flat.has_attribute(name)

    def sparse(self, name: str) -> dict[int, str]:
        """By place, the attribute's values of the elements that have it, in document order."""
        found = self._sparse.get(name)
        if found is None:
            names = _SPARSE if self._flat.walks and name in _SPARSE else TOGETHER.get(name, (name,))
            self._sparse.update(zip(names, self._flat.sparse(names), strict=True))
            found = self._sparse[name]
        return found

    def data_ids(self, place: int) -> list[tuple[str, str]]:
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        return self._flat.data_ids(place)

    @cached_property
    def linked_data(self) -> list[str]:
        """The contents of the scripts whose type is JSON-LD."""
        return self._flat.linked_data()

    def pairs(
        self, first: str, second: str, asked: NDArray[np.bool_]
    ) -> tuple[Sequence[tuple[str, str]], NDArray[np.intp]]:
        """The D distinct pairs of two attributes' values ("" where absent) among the elements in asked[N], in order of
        appearance; and the number of each element's pair."""
        return self._flat.pairs(first, second, asked)

    def named(self, wanted: Callable[[str, str], bool], sign: re.Pattern[str] | None = None) -> NDArray[np.intp]:
        """The elements with text inside whose class and id ("" where absent) are `wanted`, which is called once for each distinct pair.

        sign: a pattern for lower-case text that matches every wanted class; pairs without a match are skipped.
        """
        names, which = self.names
        found = contains_match(sign, self._classes) if sign else np.ones(len(names), np.bool_)
        places = np.flatnonzero(found).tolist()
        found[places] = [wanted(*names[place]) for place in places]
        return self.readable[found[which]]

    @cached_property
    def _classes(self) -> list[str]:
        """The D classes of `names` in lower case."""
        return [first.lower() for first, _ in self.names[0]]

    @cached_property
    def readable(self) -> NDArray[np.intp]:
        """The elements with text inside."""
        return np.flatnonzero(self.text_length)

    @cached_property
    def names(self) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
        """The D distinct pairs of class and id among `readable`, in order of first appearance; and the number of the pair of
        each of `readable`."""
        pairs, which = self.name_pairs
        return list(pairs), which

    @cached_property
    def name_pairs(self) -> tuple[Sequence[tuple[str, str]], NDArray[np.intp]]:
        """`names`; the extension makes the texts of the pairs on first use."""
        return self.pairs("class", "id", self.text_length > 0)

    @cached_property
    def sibling_group(self) -> NDArray[np.int64]:
        """int64[N]: a number for each group of siblings with the same tag and first class."""
        return sibling_groups(self.parent, self.tag, self.class_number)

    @cached_property
    def class_number(self) -> NDArray[np.int64]:
        """int64[N]: a number for the first class of each of `readable`; 0 for the other elements."""
        found = np.zeros(len(self), np.int64)
        pairs, which = self.name_pairs
        found[self.readable] = first_words(pairs)[which]
        return found

    def counts(self, kind: Kind) -> NDArray[np.int32]:
        """int32[M]: characters of this kind in each chunk; "visible" means all except white space."""
        return self.characters.count(kind)

    @cached_property
    def characters(self) -> CharacterCounts:
        """Counts of the characters of each chunk by kind."""
        return CharacterCounts(self.texts)

    @cached_property
    def text_length(self) -> NDArray[np.int64]:
        """int64[N]: visible characters inside each element."""
        return self._lengths[0]

    @cached_property
    def linked(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk is inside a link: an `a` with an `href` that is closed before it holds much of the page."""
        return self._lengths[1]

    @cached_property
    def link_length(self) -> NDArray[np.int64]:
        """int64[N]: visible characters in links inside each element."""
        return self._lengths[2]

    @cached_property
    def _lengths(self) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
        tree = self.owner, self.chunk_start, self.chunk_end, self.end
        return text_lengths(self.counts("visible"), self._flat.links, *tree, _MAX_LINK_CHARS, _MAX_LINK_SHARE)

    @cached_property
    def line_start(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk begins a line: the start or end of a block element, or a `br`, comes before it."""
        return edges(self.tag, BLOCKS, self.chunk_start, self.chunk_end, len(self.texts))

    @cached_property
    def _separators(self) -> NDArray[np.uint8]:
        """uint8[M]: the separator of each chunk from the text before it; see `extractors.html.joining.separators`."""
        return separators(self.line_start, self.tag, _CELLS, self.parent, self.chunk_start, self.space_before)

    def text(self, number: int) -> str:
        """The readable text of one element: each block on its own line, cells separated, white space collapsed."""
        return self.join(range(self.chunk_start[number], self.chunk_end[number]))

    def join(self, chunks: "range | NDArray[np.integer[Any]]") -> str:
        """The readable text of these chunks (numbers in ascending order)."""
        if isinstance(chunks, range):
            return join_range(self.texts, chunks.start, chunks.stop, self._separators)
        return join(self.texts, np.ascontiguousarray(chunks, np.int64), self._separators)

    def join_each(self, chunks: NDArray[np.intp], first: NDArray[np.intp], last: NDArray[np.intp]) -> list[str]:
        """`join` of chunks[first … last − 1], for each first and last."""
        return join_each(self.texts, chunks, first, last, self._separators)


def _without_soft_hyphens(texts: list[str]) -> list[str]:
    """The same texts without soft hyphens; one of nothing else stays, since no text is blank."""
    if _SOFT_HYPHEN not in "".join(texts):
        return texts
    read = (text.replace(_SOFT_HYPHEN, "") for text in texts)
    return [each if each.strip() else text for each, text in zip(read, texts, strict=True)]


@cache
def _table(names: tuple[str, ...]) -> NDArray[np.bool_]:
    return tag_set(*names)
