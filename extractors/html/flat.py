"""What is read of a page at once, and by whom: by machine code where it was built, which needs no tree, else by numpy."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from extractors.html.flattening import Flattening
from extractors.html.parsing import Source
from extractors.kernels import native


class Flat(Protocol):
    """A tree's elements and texts in document order; the tree must not be changed while it is in use.

    Attributes (N elements, M texts that are not blank):
        elements: N; by machine code each is made when it is asked for. tags: int16[N]. parents, depths: int32[N].
        ends: int32[N], one past the last descendant.
        links: bool[N], whether it is an `a` with an `href`.
        chunk_starts, chunk_ends: int32[N]; the texts inside i are `chunk_starts[i] … chunk_ends[i] - 1`.
        code_texts: the texts in `pre` elements, blank ones too, by the element whose direct content they are and by how many
            elements begin before their end; None for what is read from a tree, which tells them itself.
        texts: list of M. owners: int32[M], the element whose direct content a text is. spaced: bool[M], whether white
            space stands before it or at its start.
    """

    @property
    def elements(self) -> Sequence[etree._Element]: ...
    @property
    def tags(self) -> NDArray[np.int16]: ...
    @property
    def parents(self) -> NDArray[np.int32]: ...
    @property
    def depths(self) -> NDArray[np.int32]: ...
    @property
    def ends(self) -> NDArray[np.int32]: ...
    @property
    def chunk_starts(self) -> NDArray[np.int32]: ...
    @property
    def chunk_ends(self) -> NDArray[np.int32]: ...
    @property
    def texts(self) -> list[str]: ...
    @property
    def code_texts(self) -> dict[tuple[int, int], str] | None: ...
    @property
    def links(self) -> NDArray[np.bool_]: ...
    @property
    def owners(self) -> NDArray[np.int32]: ...
    @property
    def spaced(self) -> NDArray[np.bool_]: ...

    def attribute(self, name: str) -> list[str]:
        """The attribute's value for each of the N elements, "" where it is absent."""

    def value(self, place: int, name: str) -> str:
        """The attribute's value of one element, "" where it is absent."""

    def unlisted_name(self, place: int) -> str:
        """The tag of an element whose tag code is 0."""

    def has_script(self, place: int) -> bool:
        """Whether a `script` element has content of its own."""

    def has_attribute(self, name: str) -> NDArray[np.bool_]:
        """bool[N]: whether each element has the attribute."""

    def sparse(self, names: Sequence[str]) -> list[dict[int, str]]:
        """A dict for each name: by place the attribute's values, of the elements that have it."""

    def linked_data(self) -> list[str]:
        """The texts, if they have any, of the scripts whose type holds "ld+json"."""

    def data_ids(self, place: int) -> list[tuple[str, str]]:
        """Names and values of an element's attributes whose names begin with data- and end with id."""

    def pairs(
        self, first: str, second: str, asked: NDArray[np.bool_]
    ) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
        """The D different pairs of two attributes' values ("" where absent) among the elements in asked[N], first come
        first; and which of the D each of those elements has."""

    def noted_pairs(self, first: str, second: str, asked: NDArray[np.bool_]) -> tuple[Any, NDArray[np.intp]] | None:
        """The same of attributes that machine code has put down, as what it can look at without making texts of them;
        None without machine code."""


def flatten(source: Source, limit: int) -> Flat:
    """What the first `limit` elements of a page hold."""
    compiled = native()
    if not compiled:
        return Flattening(source.root, limit)
    found: Flat | None = None if source.is_parsed else compiled.read_source(source, source.written, limit)
    return compiled.Flattening(source.root, limit) if found is None else found
