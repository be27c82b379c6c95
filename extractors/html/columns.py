"""A page's tree as columns, so that questions about subtrees are sums over slices.

Elements stand in document order; the subtree of element i is the slice i … end[i] − 1. Text stands in chunks, also in
document order, and every subtree's text is a slice of chunks. Sums over all subtrees at once are differences of one
running sum.
"""

from functools import cache, cached_property
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import ArrayLike, NDArray

from extractors.html.flat import flatten
from extractors.html.parsing import Source
from extractors.html.tags import ATTRIBUTES, BLOCKS, TAG, tag_set
from extractors.kernels import native
from extractors.text.characters import CharacterCounts, Kind

MAX_ELEMENTS = 100_000
"""What lies behind this many elements of one page is not read."""

_CELLS = tag_set("td", "th")
_SPARSE = tuple(name for name in ATTRIBUTES if name not in ("class", "role"))
"""Attributes that are read in one walk as soon as one of them is asked for."""
_NOTHING, _SPACE, _LINE, _CELL = range(4)
_SIGNS = ("", " ", "\n", "\t")


class Columns:
    """N elements and M chunks of text (blank ones and those of scripts and styles left out) in document order.

    Attributes:
        elements: N lxml elements (comments and instructions left out), each made when it is asked for, and the tree with
            the first; what they have of `extractors.html.tags.NOTED` is asked by `value`, what many have by `attribute`,
            `has_attribute`, `names`. The tree must not be changed meanwhile.
        tag: int16[N], codes of `extractors.html.tags`, 0 for a name not listed there.
        parent: int32[N], −1 for the root.
        depth: int32[N], 0 for the root.
        end: int32[N], one past the last descendant.
        texts: list of M strings as they stand in the source.
        code_texts: see `extractors.html.flat.Flat`.
        owner: int32[M], the element whose direct content a chunk is.
        space_before: bool[M], white space stands before the chunk or at its start.
        chunk_start, chunk_end: int32[N], the chunks inside element i are chunk_start[i] … chunk_end[i] − 1.
    """

    def __init__(self, tree: Source | etree._Element, max_elements: int = MAX_ELEMENTS) -> None:
        self._flat = flat = flatten(tree if isinstance(tree, Source) else Source(root=tree), max_elements)
        self.elements = flat.elements
        self.texts = flat.texts
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
        return len(self.elements)

    def subtree(self, values: ArrayLike) -> NDArray[Any]:
        """Sums of values[N] over each element and its descendants: array of N."""
        running = _running_sum(values)
        return np.asarray(running[self.end] - running[:-1])

    def subtree_chunks(self, values: ArrayLike) -> NDArray[Any]:
        """Sums of values[…, M], one per chunk, over the chunks inside each element: array of […, N]."""
        column = np.asarray(values)
        if (compiled := native()) and column.ndim == 1 and column.dtype.kind != "f":
            summed = compiled.chunk_sums(np.ascontiguousarray(column, np.int64), self.chunk_start, self.chunk_end)
            return np.asarray(summed)
        running = _running_sum(column)
        return np.asarray(running[..., self.chunk_end] - running[..., self.chunk_start])

    def own_chunks(self, values: ArrayLike) -> NDArray[Any]:
        """Sums of values[M] over each element's direct text, without that of its descendants: array of N."""
        return np.bincount(self.owner, weights=np.asarray(values), minlength=len(self))

    def within(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[N]: the element or one of its ancestors is in mask[N]."""
        if compiled := native():
            return np.asarray(compiled.within(np.ascontiguousarray(mask, np.bool_).view(np.uint8), self.end))
        if not mask.any():
            return np.zeros(len(self), dtype=np.bool_)
        closed = np.bincount(self.end[mask], minlength=len(self))[: len(self)]
        return np.asarray(np.cumsum(mask - closed) > 0)

    def inherited(self, bits: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[N]: the bits[N] of each element and of all its ancestors together."""
        found, above = bits.copy(), np.maximum(self.parent, 0)
        while above.any():  # rounds that double the distance covered
            found |= found[above]
            above = above[above]
        found |= found[:1]
        return found

    def has_below(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """bool[N]: the element or one of its descendants is in mask[N]."""
        return np.asarray(self.subtree(mask.astype(np.int32)) > 0)

    def tagged(self, *names: str) -> NDArray[np.bool_]:
        """bool[N]: the element's name is one of these; KeyError for a name that `extractors.html.tags` does not list."""
        if len(names) == 1:
            return np.asarray(self.tag == TAG[names[0]])
        return np.asarray(_table(names)[self.tag])

    def attribute(self, name: str) -> list[str]:
        """The attribute's value for each of the N elements, "" where it is absent; read once, then kept."""
        values = self._attributes.get(name)
        if values is None:
            values = self._attributes[name] = self._flat.attribute(name)
        return values

    def value(self, place: int, name: str) -> str:
        """One element's attribute, "" where it is absent."""
        return self._flat.value(place, name)

    def has_attribute(self, name: str) -> NDArray[np.bool_]:
        """bool[N]: whether the element has the attribute."""
        return self._flat.has_attribute(name)

    def sparse(self, name: str) -> dict[int, str]:
        """By place the attribute's values, of the elements that have it, in document order; many names are read together."""
        found = self._sparse.get(name)
        if found is None:
            names = _SPARSE if name in _SPARSE else (name,)
            self._sparse.update(zip(names, self._flat.sparse(names), strict=True))
            found = self._sparse[name]
        return found

    def data_ids(self, place: int) -> list[tuple[str, str]]:
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        return self._flat.data_ids(place)

    @cached_property
    def linked_data(self) -> list[str]:
        """What stands in the scripts whose type says that they hold JSON-LD."""
        return self._flat.linked_data()

    def pairs(
        self, first: str, second: str, asked: NDArray[np.bool_]
    ) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
        """The D different pairs of two attributes' values ("" where absent) among the elements in asked[N], first come
        first; and which of the D each of those elements has."""
        return self._flat.pairs(first, second, asked)

    @cached_property
    def named(self) -> tuple[NDArray[np.intp], list[tuple[str, str]]]:
        """The elements with text inside, and the class and id of each ("" where absent)."""
        names, which = self.names
        return self.readable, [names[number] for number in which.tolist()]

    @cached_property
    def readable(self) -> NDArray[np.intp]:
        """The elements with text inside."""
        return np.flatnonzero(self.text_length)

    @cached_property
    def names(self) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
        """The D different pairs of class and id among `named`, first come first; and which of them each of `named` has."""
        if noted := self.noted_names:
            return noted[0].texts(), noted[1]
        return self.pairs("class", "id", self.text_length > 0)

    @cached_property
    def noted_names(self) -> tuple[Any, NDArray[np.intp]] | None:
        """`names` where machine code has put them down, as pairs whose texts are made when they are asked for."""
        return self._flat.noted_pairs("class", "id", self.text_length > 0)

    @cached_property
    def sibling_group(self) -> NDArray[np.int64]:
        """int64[N]: a number for each group of siblings with the same tag and first class; in no order."""
        first = self.class_number
        if compiled := native():
            return np.asarray(compiled.sibling_groups(self.parent, self.tag, first))
        key = (self.parent.astype(np.int64) * 512 + self.tag) * (int(first.max(initial=0)) + 1) + first
        return np.asarray(np.unique(key, return_inverse=True)[1], dtype=np.int64)

    @cached_property
    def class_number(self) -> NDArray[np.int64]:
        """int64[N]: a number for the first class of each of `readable`; 0 for the other elements."""
        first = np.zeros(len(self), dtype=np.int64)
        if noted := self.noted_names:
            first[self.readable] = noted[0].first_words()[noted[1]]
            return first
        names, which = self.names
        numbers: dict[str, int] = {}
        of_name = np.array([numbers.setdefault(name[0].split(" ", 1)[0], len(numbers) + 1) for name in names], np.int64)
        first[self.readable] = of_name[which]
        return first

    def counts(self, kind: Kind) -> NDArray[np.int32]:
        """int32[M]: characters of this kind in each chunk; "visible" is all but white space."""
        return self.characters.count(kind)

    @cached_property
    def characters(self) -> CharacterCounts:
        """How many characters of each kind each chunk has."""
        return CharacterCounts(self.texts)

    @cached_property
    def text_length(self) -> NDArray[np.int32]:
        """int32[N]: visible characters inside each element."""
        return self.subtree_chunks(self.counts("visible"))

    @cached_property
    def linked(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk stands inside a link, an `a` with an `href`."""
        return self.within(self._flat.links)[self.owner]

    @cached_property
    def link_length(self) -> NDArray[np.int32]:
        """int32[N]: visible characters inside each element that stand in links."""
        return self.subtree_chunks(self.counts("visible") * self.linked)

    @cached_property
    def line_start(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk begins a line: a block element begins or ends, or a `br` stands, before it."""
        if compiled := native():
            tree = self.chunk_start, self.chunk_end, len(self.texts)
            return np.asarray(compiled.edges(self.tag, BLOCKS.view(np.uint8), *tree))
        blocks = BLOCKS[self.tag]
        edges = np.zeros(len(self.texts) + 1, dtype=np.bool_)
        edges[self.chunk_start[blocks]] = True
        edges[self.chunk_end[blocks]] = True
        edges[:1] = True
        return edges[:-1]

    @cached_property
    def _cell_start(self) -> NDArray[np.bool_]:
        """bool[M]: the chunk begins a table cell that is not the first of its row."""
        if compiled := native():
            tree = self.parent, self.chunk_start, len(self.texts)
            return np.asarray(compiled.cell_starts(self.tag, _CELLS.view(np.uint8), *tree))
        starts = np.zeros(len(self.texts) + 1, dtype=np.bool_)
        cells = _CELLS[self.tag]
        if not cells.any():
            return starts[:-1]
        cells[cells] = _CELLS[self.tag[np.maximum(self._previous_sibling[cells], 0)]]
        starts[self.chunk_start[cells]] = True
        return starts[:-1]

    @cached_property
    def _previous_sibling(self) -> NDArray[np.int32]:
        """int32[N]: the element that ends where this one begins, under the same parent; −1 for a first child."""
        order = np.argsort(self.parent, kind="stable")
        previous = np.full(len(self), -1, dtype=np.int32)
        same = self.parent[order[1:]] == self.parent[order[:-1]]
        previous[order[1:][same]] = order[:-1][same]
        return previous

    def text(self, number: int) -> str:
        """The readable text of one element: blocks on lines of their own, cells apart, white space folded."""
        return self.join(range(self.chunk_start[number], self.chunk_end[number]))

    def join(self, chunks: "range | NDArray[np.integer[Any]]") -> str:
        """The readable text of these chunks (numbers in ascending order)."""
        if compiled := native():
            numbers = np.arange(chunks.start, chunks.stop) if isinstance(chunks, range) else chunks.astype(np.int64)
            return str(compiled.join(self.texts, numbers, self._between))
        texts = self.texts
        places = chunks.tolist() if isinstance(chunks, np.ndarray) else chunks
        between = self._between[chunks.start : chunks.stop] if isinstance(chunks, range) else self._between[chunks]
        parts = [
            _SIGNS[sign] + " ".join(texts[chunk].split()) for sign, chunk in zip(between.tolist(), places, strict=True)
        ]
        if parts:
            parts[0] = parts[0][len(_SIGNS[between[0]]) :]
        return "".join(parts)

    def join_each(self, chunks: NDArray[np.intp], first: NDArray[np.intp], last: NDArray[np.intp]) -> list[str]:
        """`join` of chunks[first … last − 1], for each first and last."""
        if compiled := native():
            found: list[str] = compiled.join_each(self.texts, chunks, first, last, self._between)
            return found
        ranges = zip(first.tolist(), last.tolist(), strict=True)
        return [self.join(chunks[start:end]) for start, end in ranges]

    @cached_property
    def _between(self) -> NDArray[np.uint8]:
        """uint8[M]: what parts each chunk from the text before: a new line, the next cell, a space or nothing."""
        if compiled := native():
            marks = self.line_start, self._cell_start, self.space_before
            return np.asarray(compiled.between(*(mark.view(np.uint8) for mark in marks)))
        kind = np.where(self.line_start, np.where(self._cell_start, _CELL, _LINE), self.space_before * _SPACE)
        return kind.astype(np.uint8)


@cache
def _table(names: tuple[str, ...]) -> NDArray[np.bool_]:
    return tag_set(*names)


def _running_sum(values: ArrayLike) -> NDArray[Any]:
    """Sums of the first k values, for k = 0 … len(values)."""
    column = np.asarray(values)
    kind = np.float64 if column.dtype.kind == "f" else np.int64
    running = np.zeros((*column.shape[:-1], column.shape[-1] + 1), dtype=kind)
    np.cumsum(column, axis=-1, out=running[..., 1:])
    return running
