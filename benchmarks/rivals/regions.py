"""The search for comment regions of POL with any similarity of subtrees in the place of its own.

Similarities are computed once a pair of unlike subtrees; every threshold is then a look at the same matrices.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np
from lxml import etree

from extractors.records.published_methods import LEVEL, MIN_BLOCKS, heights

Blocks = tuple[etree._Element, ...]
MOST_CHILDREN = 100


def regions(
    root: etree._Element,
    shape: Callable[[etree._Element], Hashable],
    similarity: Callable[[Hashable, Hashable], float],
    thresholds: Sequence[float],
) -> dict[float, list[Blocks]]:
    """For each threshold the blocks of every region, outer regions first; of each node the first 100 children are compared."""
    found: dict[float, list[Blocks]] = {threshold: [] for threshold in thresholds}
    for children in _candidates(root):
        alike = _matrix([shape(child) for child in children], similarity)
        for threshold in thresholds:
            counts = (alike >= threshold).sum(axis=1) - 1
            blocks = tuple(child for child, count in zip(children, counts, strict=True) if count >= MIN_BLOCKS - 1)
            if len(blocks) >= MIN_BLOCKS:
                found[threshold].append(blocks)
    return found


def _candidates(root: etree._Element) -> Iterator[list[etree._Element]]:
    """The children of each node that is deep enough."""
    height = heights(root)
    body = root.find("body")
    waiting = [body if body is not None else root]
    while waiting:
        node = waiting.pop()
        if height[node] <= LEVEL:
            continue
        children = [child for child in node if isinstance(child.tag, str)]
        if len(children) >= MIN_BLOCKS:
            yield children[:MOST_CHILDREN]
        waiting.extend(reversed(children))


def _matrix(shapes: list[Hashable], similarity: Callable[[Hashable, Hashable], float]) -> np.ndarray:
    """float[C, C]: similarities of all children; equal shapes are alike by 1."""
    numbers: dict[Hashable, int] = {}
    own = np.array([numbers.setdefault(shape, len(numbers)) for shape in shapes])
    unlike, table = list(numbers), np.eye(len(numbers))
    for here, first in enumerate(unlike):
        for there in range(here + 1, len(unlike)):
            table[here, there] = table[there, here] = similarity(first, unlike[there])
    return table[np.ix_(own, own)]
