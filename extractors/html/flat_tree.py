"""A page's elements and texts as numpy arrays, from its source or from an lxml tree.

The compiled extension reads them from the parser's events, without a tree. Here four properties of a tree (name,
parent, text, tail) are read, each for all nodes at once; everything else is arithmetic. In the sequence of openings and
closings of nodes, node i with depth d opens at number 2i − d, and closes at number 2e − d − 1 if its subtree ends before
node e. A node's text follows its opening, its tail follows its closing.
"""

from collections.abc import Sequence
from itertools import islice, repeat

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.html.parsing import MarkupSource
from extractors.html.tags import SILENT, TAG
from extractors.kernels import kernel

_MAX_NODES_PER_ELEMENT = 2
"""A tree parsed elsewhere may have comments: at most this many nodes are read for each element of the limit."""


class _Codes(dict[object, int]):
    """Tag codes by name: 0 for unlisted names, −1 for comments and instructions, whose name is a function."""

    def __missing__(self, name: object) -> int:
        return 0 if isinstance(name, str) else -1


_CODES = _Codes(TAG)


class FlatTree:
    """N elements and M texts that are not blank, in document order; the tree must not be changed while it is in use.

    `NativeFlatTree` of the compiled extension has the same attributes and methods.

    Attributes:
        elements: N lxml elements; the extension makes them on first use.
        tags: int16[N], codes of `extractors.html.tags`. parents, depths: int32[N].
        ends: int32[N], one past the last descendant.
        chunk_starts, chunk_ends: int32[N]; the texts inside i are `chunk_starts[i] … chunk_ends[i] - 1`.
        texts: list of M. owners: int32[M], the element whose direct content a text is. spaced: bool[M], whether white
            space comes before it or begins it.
        code_texts: the texts in `pre` elements, including blank ones, by the element whose direct content they are and by
            the number of elements that begin before their end; None if the tree itself has them.
        walks: whether each read of an attribute walks over the tree, so that several are better read together.
    """

    elements: Sequence[etree._Element]
    tags: NDArray[np.int16]
    parents: NDArray[np.int32]
    depths: NDArray[np.int32]
    ends: NDArray[np.int32]
    chunk_starts: NDArray[np.int32]
    chunk_ends: NDArray[np.int32]
    texts: list[str]
    owners: NDArray[np.int32]
    spaced: NDArray[np.bool_]
    code_texts: dict[tuple[int, int], str] | None = None
    walks: bool = True

    def __init__(self, root: etree._Element, limit: int) -> None:
        nodes = list(islice(root.iter(), _MAX_NODES_PER_ELEMENT * limit))
        self.tags = np.fromiter(map(_CODES.__getitem__, [node.tag for node in nodes]), np.int16, len(nodes))
        if len(nodes) > limit:
            kept = int(np.searchsorted(np.cumsum(self.tags >= 0), limit, side="right"))
            nodes, self.tags = nodes[:kept], self.tags[:kept]
        self.elements = nodes
        self.parents = self._find_parents()
        self.depths = _depths(self.parents)
        self.ends = _ends(self.parents)
        self._read_texts()
        real = self.tags >= 0
        if not real.all():
            self._leave_out(real)

    @property
    def links(self) -> NDArray[np.bool_]:
        """bool[N]: whether the element is an `a` with an `href`."""
        found = self.tags == TAG["a"]
        found[found] = [self.elements[place].get("href") is not None for place in np.flatnonzero(found).tolist()]
        return np.asarray(found)

    def attribute(self, name: str) -> list[str]:
        """The attribute's value for each of the N elements, "" where it is absent."""
        return [element.get(name, "") for element in self.elements]

    def value(self, place: int, name: str) -> str:
        """The attribute's value of one element, "" where it is absent."""
        return self.elements[place].get(name, "")

    def unlisted_name(self, place: int) -> str:
        """The tag of an element whose tag code is 0."""
        return str(self.elements[place].tag)

    def has_script(self, place: int) -> bool:
        """Whether a `script` element has content."""
        return bool(self.elements[place].text)

    def has_attribute(self, name: str) -> NDArray[np.bool_]:
        """bool[N]: whether each element has the attribute."""
        return np.array([element.get(name) is not None for element in self.elements], np.bool_)

    def sparse(self, names: Sequence[str]) -> list[dict[int, str]]:
        """A dict for each name: by place, the attribute's values of the elements that have it."""
        found: dict[str, dict[int, str]] = {name: {} for name in names}
        for place, attributes in enumerate(map(etree._Element.items, self.elements)):
            for name, value in attributes:
                if name in found:
                    found[str(name)][place] = str(value)
        return list(found.values())

    def linked_data(self) -> list[str]:
        """The non-empty texts of the scripts whose type contains "ld+json"."""
        scripts = (self.elements[place] for place in np.flatnonzero(self.tags == TAG["script"]).tolist())
        return [str(script.text) for script in scripts if "ld+json" in script.get("type", "") and script.text]

    def data_ids(self, place: int) -> list[tuple[str, str]]:
        """Names and values of an element's attributes whose names begin with data- and end with id."""
        items = ((str(name), str(value)) for name, value in self.elements[place].items())
        return [item for item in items if item[0].startswith("data-") and item[0][5:].endswith("id")]

    def pairs(
        self, first: str, second: str, asked: NDArray[np.bool_]
    ) -> tuple[Sequence[tuple[str, str]], NDArray[np.intp]]:
        """The D distinct pairs of two attributes' values ("" where absent) among the elements in asked[N], in order of
        first appearance; and the number of each element's pair."""
        elements = [self.elements[place] for place in np.flatnonzero(asked).tolist()]
        get = etree._Element.get
        ones, others = (map(get, elements, repeat(name), repeat("")) for name in (first, second))
        numbers: dict[tuple[str, str], int] = {}
        which = [numbers.setdefault(pair, len(numbers)) for pair in zip(ones, others, strict=True)]
        return list(numbers), np.array(which, np.intp)

    def _find_parents(self) -> NDArray[np.int32]:
        """int32[N]: the place of each node's parent, −1 for the first."""
        nodes, number = self.elements, len(self.elements)
        places: dict[etree._Element | None, int] = dict(zip(nodes, range(number), strict=True))
        places[nodes[0].getparent()] = -1
        return np.fromiter(map(places.__getitem__, map(etree._Element.getparent, nodes)), np.int32, number)

    def _read_texts(self) -> None:
        nodes, number = self.elements, len(self.elements)
        opens = 2 * np.arange(number, dtype=np.int32) - self.depths
        closes = 2 * self.ends - self.depths - 1
        slots, owners = np.empty(2 * number, object), np.empty(2 * number, np.int32)
        owners[opens], owners[closes] = np.arange(number, dtype=np.int32), self.parents
        slots[opens] = np.fromiter([node.text for node in nodes], object, number)
        slots[closes] = np.fromiter([node.tail for node in nodes], object, number)
        unread = SILENT[self.tags] | (self.tags < 0)
        slots[opens[unread]] = None
        slots[closes[unread[self.parents] | (self.parents < 0)]] = None
        places = np.flatnonzero(slots.astype(np.bool_))
        texts = slots[places].tolist()
        blank = np.fromiter(map(str.isspace, texts), np.bool_, len(texts))
        written = np.flatnonzero(~blank)
        self.texts = [texts[place] for place in written.tolist()]
        self.owners = owners[places[written]]
        self.spaced = self._find_space(blank, written)
        before = np.zeros(2 * number + 1, np.int32)
        before[places[written] + 1] = 1
        np.cumsum(before, out=before)
        self.chunk_starts, self.chunk_ends = before[opens], before[closes]

    def _find_space(self, blank: NDArray[np.bool_], written: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[M]: a text begins with white space, the text before ends with some, or a blank text is between them."""
        spaced = np.array([text[0].isspace() for text in self.texts], np.bool_)
        spaced[1:] |= np.array([text[-1].isspace() for text in self.texts[:-1]], np.bool_)
        spaced |= blank[written - 1] & (written > 0)
        return spaced

    def _leave_out(self, real: NDArray[np.bool_]) -> None:
        """Drop comments and instructions, which have no descendants, but keep the text after them."""
        before = np.cumsum(np.append(False, real), dtype=np.int32)
        self.elements = [node for node, kept in zip(self.elements, real.tolist(), strict=True) if kept]
        self.parents = np.where(self.parents < 0, np.int32(-1), before[self.parents])[real]
        self.owners, self.ends = before[self.owners], before[self.ends][real]
        self.tags, self.depths = self.tags[real], self.depths[real]
        self.chunk_starts, self.chunk_ends = self.chunk_starts[real], self.chunk_ends[real]


def _depths(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """int32[N]: steps up to the root; each round doubles the distance."""
    above = np.maximum(parents, 0)
    depths = (parents >= 0).astype(np.int32)
    while above.any():
        depths += depths[above]
        above = above[above]
    return depths


def _ends(parents: NDArray[np.int32]) -> NDArray[np.int32]:
    """int32[N]: where each subtree ends: at the next sibling of the nearest node at or above that has one."""
    number = len(parents)
    order = np.argsort(parents, kind="stable").astype(np.int32)
    siblings = parents[order[1:]] == parents[order[:-1]]
    following = np.full(number, number, np.int32)
    following[order[:-1][siblings]] = order[1:][siblings]
    nearest = np.where(following < number, np.arange(number, dtype=np.int32), np.maximum(parents, 0))
    while True:
        further = nearest[nearest]
        if np.array_equal(further, nearest):
            return following[nearest]
        nearest = further


@kernel
def flatten(source: MarkupSource, limit: int) -> FlatTree:
    """The first `limit` elements of a page."""
    return FlatTree(source.root, limit)


@kernel
def first_words(pairs: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    """int64[D]: a number, from 1 in order of first appearance, for the first word of each pair's first text."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(pair[0].split(" ", 1)[0], len(numbers) + 1) for pair in pairs], np.int64)
