"""Maximal combined tree (MCT): both trees laid over each other without regard to order; shared nodes over all nodes.

From the root down each child is laid over the child of the same tag with which it shares most; what finds no partner stands
alone in the combined tree.
"""

from benchmarks.rivals.shapes import Shape, size_of


def similarity(first: Shape, second: Shape) -> float:
    """0 … 1: nodes that both trees have, over the nodes of the combined tree."""
    both = shared(first, second)
    return both / (size_of(first) + size_of(second) - both)


def shared(first: Shape, second: Shape) -> int:
    """How many nodes lie over each other."""
    if first[0] != second[0]:
        return 0
    pairs = sorted(
        (
            (shared(own, other), -here, -there)
            for here, own in enumerate(first[1])
            for there, other in enumerate(second[1])
        ),
        reverse=True,
    )
    used_here: set[int] = set()
    used_there: set[int] = set()
    total = 1
    for nodes, here, there in pairs:
        if nodes and here not in used_here and there not in used_there:
            used_here.add(here)
            used_there.add(there)
            total += nodes
    return total
