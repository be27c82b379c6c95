"""Trees of tags as tuples, bounded, so that equal subtrees are compared once."""

from lxml import etree

Shape = tuple[str, tuple["Shape", ...]]
"""A tag and the shapes of its children."""


def shape_of(node: etree._Element, most: int) -> Shape:
    """The shape of a subtree, its first `most` nodes in breadth-first order."""
    kept: list[etree._Element] = [node]
    for element in kept:
        kept.extend(child for child in element if isinstance(child.tag, str))
        if len(kept) >= most:
            break
    allowed = set(kept[:most])
    shapes: dict[etree._Element, Shape] = {}
    for element in reversed(kept[:most]):
        shapes[element] = (str(element.tag), tuple(shapes[child] for child in element if child in allowed))
    return shapes[node]


def size_of(shape: Shape) -> int:
    """How many nodes."""
    return 1 + sum(map(size_of, shape[1]))


def breadth_first(shape: Shape) -> tuple[str, ...]:
    """The tags level by level."""
    waiting = [shape]
    for each in waiting:
        waiting.extend(each[1])
    return tuple(each[0] for each in waiting)
