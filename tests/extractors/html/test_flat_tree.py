"""The arrays of a tree are those of a walk over it, node by node."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from extractors.html.flat_tree import FlatTree

PIECES = st.sampled_from(
    "<div> </div> <p> </p> <li> <b> </b> <br> <!--c--> <?pi?> <script>x</script> <template> </template> text &nbsp; 中文"
    " \u3000 <table><td> </table> <svg> </svg>".split(" ")
)


class Walk:
    """The slow way: down and up the tree, every text in its turn."""

    def __init__(self, root: etree._Element) -> None:
        self.elements: list[etree._Element] = []
        self.parents: list[int] = []
        self.ends: dict[int, int] = {}
        self.chunks: dict[int, tuple[int, int]] = {}
        self.texts: list[str] = []
        self.owners: list[int] = []
        self.spaced: list[bool] = []
        self._space = False
        self._enter(root, -1)

    def _enter(self, node: etree._Element, parent: int) -> None:
        number, first = len(self.elements), len(self.texts)
        self.elements.append(node)
        self.parents.append(parent)
        read = node.tag not in ("script", "style", "template", "noembed")
        self._add(node.text if read else None, number)
        for child in node:
            if isinstance(child.tag, str):
                self._enter(child, number)
            self._add(child.tail if read else None, number)
        self.ends[number] = len(self.elements)
        self.chunks[number] = (first, len(self.texts))

    def _add(self, text: str | None, owner: int) -> None:
        if text and text.strip():
            self.texts.append(text)
            self.owners.append(owner)
            self.spaced.append(self._space or text[0].isspace())
        if text:
            self._space = text[-1].isspace()


@given(st.lists(PIECES, max_size=50).map("".join))
def test_arrays_are_those_of_a_walk(html: str) -> None:
    root = etree.HTML(f"<html>{html}</html>")
    found, walk = FlatTree(root, 10_000), Walk(root)
    assert found.elements == walk.elements
    assert found.parents.tolist() == walk.parents
    assert found.ends.tolist() == list(map(walk.ends.__getitem__, range(len(walk.elements))))
    spans = zip(found.chunk_starts.tolist(), found.chunk_ends.tolist(), strict=True)
    assert list(spans) == [walk.chunks[number] for number in range(len(walk.elements))]
    assert (found.texts, found.owners.tolist(), found.spaced.tolist()) == (walk.texts, walk.owners, walk.spaced)
    assert found.depths.tolist() == [len(list(node.iterancestors())) for node in found.elements]


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_only_so_many_elements_are_read(limit: int) -> None:
    root = etree.HTML("<p>a<!-- x -->b<b>c</b>d</p>" * 30)
    found = FlatTree(root, limit)
    assert len(found.elements) == min(limit, 62)
    assert found.ends.max() == len(found.elements)
    assert np.all(found.owners < len(found.elements))
    assert np.all(found.chunk_ends >= found.chunk_starts)
