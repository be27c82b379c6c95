"""Two published methods for finding record regions; their records are read like the default's, so that only the regions differ.

SoL takes the node with most children of mutually similar layout:

    SoL(x, y) = Σ_{i=1..N} w_i · (1 / M_i) · Σ_{j=1..M_i} S_ij

S_ij is 1 where the j-th nodes of level i are blocks of the same tag and the same layout attributes; M_i is the number
of nodes on level i of the larger tree.

POL finds comment regions by the similarity of their blocks' leaf paths. A leaf path is the tags from a subtree's root to a leaf,
each with its ordinal among its parent's children. Two paths are as similar as |A ∩ B| / sqrt(|A| · |B|); two subtrees as

    Sim(T1, T2) = (Σ_i max_i · len_i + Σ_j max_j · len_j) / (Σ_i len_i + Σ_j len_j).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from math import sqrt

import numpy as np
from lxml import etree

from extractors.html.document import Document
from extractors.html.tags import BLOCK_NAMES
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group, records_of
from extractors.records.read.model import Record

LEVEL_WEIGHTS = (0.6, 0.3, 0.1)
_MIN_LAYOUT_SIMILARITY = 0.9
_MIN_CHILDREN = 4
_MAX_COMPARED_CHILDREN = 300
_BLOCKS = frozenset(BLOCK_NAMES)
_LAYOUT_ATTRIBUTES = tuple(
    "width height style align valign class bgcolor border cellspacing cellpadding colspan".split()
)

Kind = tuple[str, ...]
Levels = tuple[tuple[Kind, ...], ...]
_MIN_BLOCK_SIMILARITY = 0.8
MIN_BLOCKS = 5
LEVEL = 6
_MAX_PATHS = 60

Path = frozenset[tuple[str, int]]
Paths = tuple[tuple[Path, int, int], ...]
"""Distinct leaf paths with their lengths in nodes and their numbers of occurrences in the subtree."""


def layout_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in the region found by similarity of layout (SoL)."""
    page = Document(body, url)
    return region_records(page, layout_region(page.root))


def leafpath_records(body: bytes, *, url: str = "") -> list[Record]:
    """Records in all regions found by similarity of leaf paths (POL)."""
    page = Document(body, url)
    return [record for blocks in leafpath_regions(page.root) for record in region_records(page, blocks)]


def region_records(page: Document, blocks: Sequence[etree._Element]) -> list[Record]:
    """The records of blocks of a page found by another method, read like the default's."""
    numbers = page.once(_element_numbers)
    members = sorted(numbers[block] for block in blocks if block in numbers)
    if not members:
        return []
    return records_of(read_group(layout_of(page, RecordGroup(np.array(members, dtype=np.intp), ""))))


def _element_numbers(page: Document) -> dict[etree._Element, int]:
    return {element: number for number, element in enumerate(page.columns.elements)}


def layout_region(root: etree._Element, *, weights: tuple[float, ...] = LEVEL_WEIGHTS) -> list[etree._Element]:
    """The mutually similar children of the node that has most of them; empty if no node has four.

    Only the first 300 block children of a node are compared, which bounds the cost.
    """
    best: list[etree._Element] = []
    for node in root.iter():
        if not isinstance(node.tag, str) or len(node) < max(_MIN_CHILDREN, len(best) + 1):
            continue
        children = _block_children(node)[:_MAX_COMPARED_CHILDREN]
        alike = _similar_children(children, weights) if len(children) >= _MIN_CHILDREN else []
        if len(alike) >= _MIN_CHILDREN and len(alike) > len(best):
            best = alike
    return best


def layout_similarity(first: Levels, second: Levels, weights: tuple[float, ...] = LEVEL_WEIGHTS) -> float:
    """SoL(x, y), 0 … 1; a level without nodes in both counts as equal."""
    total = 0.0
    for weight, own, other in zip(weights, first, second, strict=True):
        larger = max(len(own), len(other))
        same = sum(one is not None and one == two for one, two in zip_longest(own, other))
        total += weight * (same / larger if larger else 1.0)
    return total


def layout_levels(node: etree._Element, depth: int) -> Levels:
    """The kinds of block on each of the first `depth` levels, the node itself being the first."""
    rows, row = [], [node]
    for _ in range(depth):
        rows.append(tuple(_kind(element) for element in row))
        row = [child for element in row for child in _block_children(element)]
    return tuple(rows)


def _kind(element: etree._Element) -> Kind:
    return (str(element.tag), *(element.get(name, "") for name in _LAYOUT_ATTRIBUTES))


def _block_children(node: etree._Element) -> list[etree._Element]:
    return [child for child in node if child.tag in _BLOCKS]


def _similar_children(children: list[etree._Element], weights: tuple[float, ...]) -> list[etree._Element]:
    """The largest set of children similar to one of them."""
    shapes = [layout_levels(child, len(weights)) for child in children]
    groups: dict[Levels, list[int]] = {}
    for place, shape in enumerate(shapes):
        groups.setdefault(shape, []).append(place)
    best: list[int] = []
    for shape in groups:
        near = sorted(
            place
            for other, places in groups.items()
            if layout_similarity(shape, other, weights) > _MIN_LAYOUT_SIMILARITY
            for place in places
        )
        best = max(best, near, key=len)
    return [children[place] for place in best]


def leafpath_regions(root: etree._Element) -> list[list[etree._Element]]:
    """The blocks of each comment region, outer regions first.

    Only the first 300 children of a node and the first 60 leaf paths of a child are compared, which bounds the cost.
    """
    height = heights(root)
    found: list[list[etree._Element]] = []
    body = root.find("body")
    waiting = [body if body is not None else root]
    while waiting:
        node = waiting.pop()
        if height[node] <= LEVEL:
            continue
        children = [child for child in node if isinstance(child.tag, str)]
        blocks = _blocks(children[:_MAX_COMPARED_CHILDREN])
        if len(blocks) >= MIN_BLOCKS:
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
    """The distinct leaf paths of a subtree, at most the first 60."""
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


def _blocks(children: list[etree._Element]) -> list[etree._Element]:
    """The children to which at least four siblings are similar."""
    if len(children) < MIN_BLOCKS:
        return []
    shapes = [leaf_paths(child) for child in children]
    alike = [0] * len(children)
    known: dict[tuple[Paths, Paths], bool] = {}
    for place, shape in enumerate(shapes):
        for later in range(place + 1, len(shapes)):
            pair = (shape, shapes[later])
            if pair not in known:
                known[pair] = shape == shapes[later] or subtree_similarity(*pair) >= _MIN_BLOCK_SIMILARITY
            alike[place] += known[pair]
            alike[later] += known[pair]
    return [child for child, count in zip(children, alike, strict=True) if count >= MIN_BLOCKS - 1]


def heights(root: etree._Element) -> dict[etree._Element, int]:
    """The longest leaf path below each node, counted in nodes."""
    found: dict[etree._Element, int] = {}
    for element in reversed(list(root.iter())):
        if isinstance(element.tag, str):
            found[element] = 1 + max((found[child] for child in element if isinstance(child.tag, str)), default=0)
    return found
