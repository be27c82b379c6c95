"""Simple tree matching (STM): the largest order-keeping top-down matching, twice its nodes over both sizes."""

from benchmarks.rivals.shapes import Shape, size_of


def similarity(first: Shape, second: Shape) -> float:
    """0 … 1."""
    return 2 * matched(first, second) / (size_of(first) + size_of(second))


def matched(first: Shape, second: Shape) -> int:
    """Pairs of nodes in the largest matching; none where the roots' tags differ."""
    if first[0] != second[0]:
        return 0
    row = [0] * (len(second[1]) + 1)
    for own in first[1]:
        before, row = row, [0]
        for place, other in enumerate(second[1], 1):
            row.append(max(before[place], row[-1], before[place - 1] + matched(own, other)))
    return row[-1] + 1
