"""Main text by decay of non-link text (published method `decay`).

Non-link text of a topic page is nearly all body; link text is nearly all noise. The method walks down from the root, at
each step to the child with the most non-link text M of the node's C. It stops where information drops:
(C − M) / C > T. Below that node every subtree whose link density exceeds DLmax is cut off, from the top; the body is
the rest.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.subtrees import within
from extractors.html.tags import tag_set
from extractors.kernels import kernel

T = 0.34
"""Share of the non-link text that may be lost in one step down."""
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
    tree = columns.tag, columns.parent, columns.end, columns.owner, columns.chunk_start, columns.chunk_end
    return body_chunks(*tree, columns.counts("visible"), columns.linked, _DROPPED, threshold, highest_density)


@kernel
def body_chunks(
    tag: NDArray[np.int16],
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    owner: NDArray[np.int32],
    chunk_start: NDArray[np.int32],
    chunk_end: NDArray[np.int32],
    visible: NDArray[np.int32],
    linked: NDArray[np.bool_],
    dropped_tags: NDArray[np.bool_],
    threshold: float,
    highest_density: float,
) -> NDArray[np.bool_]:
    """See `decay_chunks`; dropped_tags: by tag code, the elements to skip."""
    kept = ~within(dropped_tags[tag], end)[owner]
    sums = np.zeros((2, len(owner) + 1), np.int64)
    np.cumsum([visible * kept, visible * kept * ~linked], axis=1, out=sums[:, 1:])
    text, non_link = sums[:, chunk_end] - sums[:, chunk_start]
    topic = _topic_subtree(parent, end, text, non_link, threshold)
    dense = (text - non_link) > highest_density * text
    dense[: topic + 1] = False
    dense[end[topic] :] = False
    body = kept & ~within(dense, end)[owner]
    body[: chunk_start[topic]] = False
    body[chunk_end[topic] :] = False
    return np.asarray(body)


def _topic_subtree(
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    text: NDArray[np.int64],
    non_link: NDArray[np.int64],
    threshold: float,
) -> int:
    """find(node, T): down the child with the most non-link text until it drops."""
    node = 0
    while True:
        below = slice(node + 1, int(end[node]))
        children = np.flatnonzero((parent[below] == node) & (text[below] > 0)) + node + 1
        if not len(children):
            return node
        heaviest = int(children[np.argmax(non_link[children])])
        if len(children) > 1 or non_link[heaviest] < non_link[node]:
            whole = int(non_link[node])
            if not whole or (whole - non_link[heaviest]) > threshold * whole:
                return node
        node = heaviest
