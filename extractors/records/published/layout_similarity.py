"""SoL: the record region is the node with most children of mutually similar layout, as published.

    SoL(x, y) = Σ_{i=1..N} w_i · (1 / M_i) · Σ_{j=1..M_i} S_ij

S_ij is 1 where the j-th nodes of level i are blocks of the same tag and the same layout attributes; M_i is the number
of nodes on level i of the larger tree.
"""

from itertools import zip_longest

from lxml import etree

from extractors.html.tags import BLOCK_NAMES

WEIGHTS = (0.6, 0.3, 0.1)
MIN_SIMILARITY = 0.9
MIN_CHILDREN = 4
_MAX_COMPARED = 300
_BLOCKS = frozenset(BLOCK_NAMES)
_LAYOUT = (
    "width",
    "height",
    "style",
    "align",
    "valign",
    "class",
    "bgcolor",
    "border",
    "cellspacing",
    "cellpadding",
    "colspan",
)

Kind = tuple[str, ...]
Levels = tuple[tuple[Kind, ...], ...]


def region(
    root: etree._Element,
    *,
    weights: tuple[float, ...] = WEIGHTS,
    similar: float = MIN_SIMILARITY,
    least: int = MIN_CHILDREN,
) -> list[etree._Element]:
    """The mutually similar children of the node that has most of them; none where no node has `least`.

    Only the first 300 block children of a node are compared, which bounds the cost.
    """
    best: list[etree._Element] = []
    for node in root.iter():
        if not isinstance(node.tag, str) or len(node) < max(least, len(best) + 1):
            continue
        children = _block_children(node)[:_MAX_COMPARED]
        alike = _alike(children, weights, similar) if len(children) >= least else []
        if len(alike) >= least and len(alike) > len(best):
            best = alike
    return best


def similarity(first: Levels, second: Levels, weights: tuple[float, ...] = WEIGHTS) -> float:
    """SoL(x, y), 0 … 1; a level on which neither has a node counts as the same."""
    total = 0.0
    for weight, own, other in zip(weights, first, second, strict=True):
        larger = max(len(own), len(other))
        same = sum(one is not None and one == two for one, two in zip_longest(own, other))
        total += weight * (same / larger if larger else 1.0)
    return total


def levels(node: etree._Element, depth: int) -> Levels:
    """The kinds of block on each of the first `depth` levels, the node itself being the first."""
    rows, row = [], [node]
    for _ in range(depth):
        rows.append(tuple(_kind(element) for element in row))
        row = [child for element in row for child in _block_children(element)]
    return tuple(rows)


def _kind(element: etree._Element) -> Kind:
    return (str(element.tag), *(element.get(name, "") for name in _LAYOUT))


def _block_children(node: etree._Element) -> list[etree._Element]:
    return [child for child in node if child.tag in _BLOCKS]


def _alike(children: list[etree._Element], weights: tuple[float, ...], similar: float) -> list[etree._Element]:
    """The largest set of children that are all similar to one of them."""
    shapes = [levels(child, len(weights)) for child in children]
    groups: dict[Levels, list[int]] = {}
    for place, shape in enumerate(shapes):
        groups.setdefault(shape, []).append(place)
    best: list[int] = []
    for shape in groups:
        near = sorted(
            place for other, places in groups.items() if similarity(shape, other, weights) > similar for place in places
        )
        best = max(best, near, key=len)
    return [children[place] for place in best]
