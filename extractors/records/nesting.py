"""Which record answers which: those that stand inside others, or whose shells do.

A shell is what holds one record and its answers: in many templates an item of a list, of which the record is the first part.
"""

import numpy as np

from extractors.html.columns import Columns
from extractors.kernels import native
from extractors.records.candidates import Members

_LEVELS = 6
"""Elements between a record and its shell at most."""
_CHAIN = 8
"""So many records, each inside the one before and none beside another, come from markup that is never closed."""


def answered(columns: Columns, members: Members) -> list[int]:
    """By record the number of the record that it answers, −1 for none."""
    shells: Members = members
    for _ in range(_LEVELS + 1):
        inside = containing(columns, shells)
        if max(inside, default=-1) >= 0:
            chain = len(inside) >= _CHAIN and inside == list(range(-1, len(inside) - 1))
            return [-1] * len(inside) if chain else inside
        shells = columns.parent[shells].astype(np.intp)
        tags = columns.tag[shells]
        if (
            shells[0] == shells[-1]
            or shells.min() <= 0
            or (tags != tags[0]).any()
            or len(set(shells.tolist())) < len(shells)
        ):
            break
    return [-1] * len(members)


def containing(columns: Columns, shells: Members) -> list[int]:
    """By element the number of the innermost earlier one that holds it, −1 for none; by machine code where it was built."""
    if compiled := native():
        around: list[int] = compiled.containing(shells, columns.end)
        return around
    if (shells[1:] >= columns.end[shells[:-1]]).all():
        return [-1] * len(shells)
    found: list[int] = []
    stack: list[int] = []
    ends = columns.end[shells].tolist()
    for number, place in enumerate(shells.tolist()):
        while stack and ends[stack[-1]] <= place:
            stack.pop()
        found.append(stack[-1] if stack else -1)
        stack.append(number)
    return found
