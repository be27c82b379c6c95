"""Which record answers which: those that are nested in others, or whose shells are.

A shell is what holds one record and its answers: in many templates an item of a list, of which the record is the first part.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import kernel
from extractors.records.groups.candidates import Members

_MAX_LEVELS = 6
"""Elements between a record and its shell."""
_UNCLOSED_CHAIN = 8
"""So many records, each inside the one before and none beside another, come from markup that is never closed."""


def nested_parents(columns: Columns, members: Members) -> NDArray[np.intp]:
    """intp[R]: by record the number of the record that it answers, −1 for none."""
    nobody = np.full(len(members), -1)
    shells: Members = members
    for _ in range(_MAX_LEVELS + 1):
        inside = innermost_holders(shells, columns.end)
        if inside.max(initial=-1) >= 0:
            chain = len(inside) >= _UNCLOSED_CHAIN and np.array_equal(inside, np.arange(-1, len(inside) - 1))
            return nobody if chain else inside
        shells = columns.parent[shells].astype(np.intp)
        tags = columns.tag[shells]
        same = shells[0] == shells[-1] or shells.min() <= 0
        if same or (tags != tags[0]).any() or len(set(shells.tolist())) < len(shells):
            break
    return nobody


@kernel
def innermost_holders(elements: Members, end: NDArray[np.int32]) -> NDArray[np.intp]:
    """intp[elements]: by element, in document order, the number of the innermost earlier one that holds it, −1 for none."""
    found = np.full(len(elements), -1)
    if (elements[1:] >= end[elements[:-1]]).all():
        return found
    stack: list[int] = []
    ends = end[elements].tolist()
    for number, place in enumerate(elements.tolist()):
        while stack and ends[stack[-1]] <= place:
            stack.pop()
        if stack:
            found[number] = stack[-1]
        stack.append(number)
    return found
