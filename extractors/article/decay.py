"""Main text by decay of non-link text (published method `decay`).

Non-link text of a topic page is nearly all body; link text is nearly all noise. Walking down from the root to the child
m with the most non-link text M, of the node's C, the walk stops where information drops: (C − M) / C > T. Below that
node everything whose link density exceeds DLmax is cut off, top-down; what is left is the body.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.kernels import native

T = 0.34
"""Share of the non-link text that may get lost in one step down."""
DL_MAX = 0.65
"""Highest link text / text of a subtree that is kept."""
_DROPPED = tag_set("script", "style", "select", "option", "iframe", "textarea", "object", "input")


def decay_text(page: Document, threshold: float = T, highest_density: float = DL_MAX) -> str:
    """The body's text by the method with the parameters T and DLmax; "" for a page without text."""
    columns = page.columns
    chunks = decay_chunks(columns, threshold, highest_density)
    return columns.join(np.flatnonzero(chunks))


def decay_chunks(columns: Columns, threshold: float = T, highest_density: float = DL_MAX) -> NDArray[np.bool_]:
    """bool[M]: the chunks of text that are body."""
    if compiled := native():
        dropped, linked = _DROPPED[columns.tag].view(np.uint8), columns.linked.view(np.uint8)
        tree = columns.owner, columns.end, columns.chunk_start, columns.chunk_end
        return np.asarray(
            compiled.decayed(dropped, columns.counts("visible"), linked, *tree, threshold, highest_density)
        )
    kept = ~columns.within(_DROPPED[columns.tag])[columns.owner]
    visible = columns.counts("visible") * kept
    text = columns.subtree_chunks(visible)
    non_link = text - columns.subtree_chunks(visible * columns.linked)
    topic = _topic_subtree(columns, text, non_link, threshold)
    dense = (text - non_link) > highest_density * text
    dense[: topic + 1] = False
    dense[columns.end[topic] :] = False
    body = kept & ~columns.within(dense)[columns.owner]
    body[: columns.chunk_start[topic]] = False
    body[columns.chunk_end[topic] :] = False
    return np.asarray(body)


def _topic_subtree(columns: Columns, text: NDArray[np.int64], non_link: NDArray[np.int64], threshold: float) -> int:
    """find(node, T): down the child with the most non-link text until it drops."""
    node = 0
    while True:
        children = _children(columns, node, text)
        if not len(children):
            return node
        heaviest = int(children[np.argmax(non_link[children])])
        if len(children) > 1 or non_link[heaviest] < non_link[node]:
            whole = int(non_link[node])
            if not whole or (whole - non_link[heaviest]) > threshold * whole:
                return node
        node = heaviest


def _children(columns: Columns, node: int, text: NDArray[np.int64]) -> NDArray[np.intp]:
    """Children that have text below them."""
    below = slice(node + 1, int(columns.end[node]))
    found = np.flatnonzero((columns.parent[below] == node) & (text[below] > 0))
    return np.asarray(found + node + 1)
