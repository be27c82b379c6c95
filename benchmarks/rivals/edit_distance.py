"""Tree edit distance (ED): 1 − distance / nodes of the larger tree, insertions, deletions and renamings costing one."""

from collections import Counter

from apted import APTED, Config

from benchmarks.rivals.shapes import Shape, breadth_first

LEAST_OF_INTEREST = 0.5


class _Shapes(Config):  # type: ignore[misc]  # apted has no types
    def rename(self, node1: Shape, node2: Shape) -> int:
        return int(node1[0] != node2[0])

    def children(self, node: Shape) -> list[Shape]:
        return list(node[1])


def similarity(first: Shape, second: Shape) -> float:
    """0 … 1; 0 where the tags alone tell that it is below `LEAST_OF_INTEREST`, which saves the distance."""
    own, other = breadth_first(first), breadth_first(second)
    larger = max(len(own), len(other))
    shared = sum((Counter(own) & Counter(other)).values())
    if shared / larger < LEAST_OF_INTEREST:
        return 0.0
    return max(0.0, 1.0 - APTED(first, second, _Shapes()).compute_edit_distance() / larger)
