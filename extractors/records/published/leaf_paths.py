"""POL: comment regions by the similarity of their blocks' leaf paths, as published.

A leaf path is the tags from a subtree's root to a leaf, each with its ordinal among its parent's children. Two paths
are as similar as |A ∩ B| / sqrt(|A| · |B|); two subtrees as

    Sim(T1, T2) = (Σ_i max_i · len_i + Σ_j max_j · len_j) / (Σ_i len_i + Σ_j len_j).
"""

from collections import Counter
from math import sqrt

from lxml import etree

MIN_SIMILARITY = 0.8
MIN_BLOCKS = 5
LEVEL = 6
_MAX_COMPARED = 300
_MAX_PATHS = 60

Path = frozenset[tuple[str, int]]
Paths = tuple[tuple[Path, int, int], ...]
"""Distinct leaf paths with their lengths in nodes and how often each comes in the subtree."""


def regions(
    root: etree._Element, *, similarity: float = MIN_SIMILARITY, least: int = MIN_BLOCKS, level: int = LEVEL
) -> list[list[etree._Element]]:
    """The blocks of each comment region, outer regions first.

    Only the first 300 children of a node and the first 60 leaf paths of a child are compared, which bounds the cost.
    """
    height = heights(root)
    found: list[list[etree._Element]] = []
    body = root.find("body")
    waiting = [body if body is not None else root]
    while waiting:
        node = waiting.pop()
        if height[node] <= level:
            continue
        children = [child for child in node if isinstance(child.tag, str)]
        blocks = _blocks(children[:_MAX_COMPARED], similarity, least)
        if len(blocks) >= least:
            found.append(blocks)
        waiting.extend(reversed(children))
    return found


def subtree_similarity(first: Paths, second: Paths) -> float:
    """Sim(T1, T2), 0 … 1."""
    ways = ((first, second), (second, first))
    matched = sum(
        length * times * max(path_similarity(path, other) for other, _, _ in others)
        for own, others in ways
        for path, length, times in own
    )
    return matched / sum(length * times for own in (first, second) for _, length, times in own)


def path_similarity(first: Path, second: Path) -> float:
    """Cosine of two paths' binary vectors over the union of their pairs."""
    return len(first & second) / sqrt(len(first) * len(second))


def leaf_paths(node: etree._Element) -> Paths:
    """The distinct leaf paths of a subtree, the first 60 at most."""
    counted: Counter[tuple[Path, int]] = Counter()
    waiting: list[tuple[etree._Element, tuple[tuple[str, int], ...]]] = [(node, ((str(node.tag), 1),))]
    while waiting and len(counted) < _MAX_PATHS:
        element, path = waiting.pop()
        children = [child for child in element if isinstance(child.tag, str)]
        if not children:
            counted[frozenset(path), len(path)] += 1
        if len(path) < _MAX_PATHS:
            below = [(child, (*path, (str(child.tag), place))) for place, child in enumerate(children, 1)]
            waiting.extend(reversed(below))
    if not counted:
        counted[frozenset({(str(node.tag), 1)}), 1] = 1
    return tuple((path, length, times) for (path, length), times in counted.items())


def _blocks(children: list[etree._Element], similarity: float, least: int) -> list[etree._Element]:
    """The children to which at least `least` − 1 siblings are similar."""
    if len(children) < least:
        return []
    shapes = [leaf_paths(child) for child in children]
    alike = [0] * len(children)
    known: dict[tuple[Paths, Paths], bool] = {}
    for place, shape in enumerate(shapes):
        for later in range(place + 1, len(shapes)):
            pair = (shape, shapes[later])
            if pair not in known:
                known[pair] = shape == shapes[later] or subtree_similarity(*pair) >= similarity
            alike[place] += known[pair]
            alike[later] += known[pair]
    return [child for child, count in zip(children, alike, strict=True) if count >= least - 1]


def heights(root: etree._Element) -> dict[etree._Element, int]:
    """The longest leaf path below each node, counted in nodes."""
    found: dict[etree._Element, int] = {}
    for element in reversed(list(root.iter())):
        if isinstance(element.tag, str):
            found[element] = 1 + max((found[child] for child in element if isinstance(child.tag, str)), default=0)
    return found
