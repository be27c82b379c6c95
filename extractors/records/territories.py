"""What belongs to a record though it stands beside it: the element around it, and the rows before or after it."""

from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import native
from extractors.records.candidates import Members

_REGULAR = 0.8
"""The share of records that must be siblings, and of gaps between them that must be alike."""
_MOST_BESIDE = 4
_LEAST = 3
"""Records from which on a gap between them can be called regular."""


def territories(columns: Columns, members: Members) -> Members:
    """The largest element around each member that holds no other member; by machine code where it was built."""
    if compiled := native():
        return np.asarray(compiled.territories(members, columns.end, columns.parent))
    mask = np.zeros(len(columns), dtype=np.int32)
    mask[members] = 1
    alone = columns.subtree(mask) == 1
    tops = members.copy()
    climbing = np.arange(len(tops))
    while len(climbing):
        above = columns.parent[tops[climbing]]
        free = (above > 0) & alone[above.clip(0)]
        climbing, above = climbing[free], above[free]
        tops[climbing] = above
    return tops


def owned(columns: Columns, members: Members) -> NDArray[np.intp]:
    """intp[M]: the number of the innermost member that holds a chunk, −1 for none."""
    if compiled := native():
        return np.asarray(compiled.owners(members, columns.chunk_start, columns.chunk_end, len(columns.texts)))
    owner = np.full(len(columns.texts), -1)
    places = zip(columns.chunk_start[members].tolist(), columns.chunk_end[members].tolist(), strict=True)
    for number, (start, end) in enumerate(places):
        owner[start:end] = number
    return owner


def claimed(
    columns: Columns, owner: NDArray[np.intp], numbers: NDArray[np.intp], elements: NDArray[np.intp]
) -> NDArray[np.intp]:
    """intp[M]: who owns each chunk, one without an owner belonging to the first of some elements that holds it, by number."""
    if compiled := native():
        return np.asarray(compiled.claimed(owner, numbers, elements, columns.chunk_start, columns.chunk_end))
    starts, ends = columns.chunk_start[elements].tolist(), columns.chunk_end[elements].tolist()
    owners: list[int] = owner.tolist()
    for number, start, end in zip(numbers.tolist(), starts, ends, strict=True):
        for chunk in range(start, end):
            if owners[chunk] < 0:
                owners[chunk] = number
    return np.array(owners)


def rows_beside(columns: Columns, tops: Members) -> list[tuple[int, int]]:
    """(number of a record, element beside it) where territories are siblings and the same rows recur between them.

    Rows that also stand before the first record lead each record; the others follow the one before.
    """
    parents = columns.parent[tops]
    parent, siblings = Counter(parents.tolist()).most_common(1)[0]
    if siblings < max(_LEAST, _REGULAR * len(tops)) or parent < 0:
        return []
    children = np.flatnonzero((columns.parent == parent) & (columns.text_length > 0)).tolist()
    number_of = {top: number for number, top in enumerate(tops.tolist())}
    places = [at for at, child in enumerate(children) if child in number_of]
    if not places or places[-1] - places[0] == len(places) - 1:
        return []
    gaps = [children[one + 1 : two] for one, two in pairwise(places)]
    tags = columns.tag[children].tolist()
    kinds = [tuple(tags[one + 1 : two]) for one, two in pairwise(places)]
    usual, count = Counter(kinds).most_common(1)[0] if kinds else ((), 0)
    if not usual or len(usual) > _MOST_BESIDE or count < _REGULAR * len(kinds):
        return []
    before = children[: places[0]]
    leading = _leading(columns, usual, before)
    found = [(number_of[children[places[0]]], row) for row in before[len(before) - leading :]]
    for gap, kind, one, two in zip(gaps, kinds, places, places[1:], strict=False):
        if kind == usual:
            split = len(gap) - leading
            found += [(number_of[children[one]], row) for row in gap[:split]]
            found += [(number_of[children[two]], row) for row in gap[split:]]
    last = children[places[-1] + 1 : places[-1] + 1 + len(usual) - leading]
    return found + [(number_of[children[places[-1]]], row) for row in last if leading < len(usual)]


def _leading(columns: Columns, usual: tuple[int, ...], before: list[int]) -> int:
    """How many rows of the usual gap stand before the first record too."""
    tags = tuple(columns.tag[before].tolist())
    return next((count for count in range(len(usual), 0, -1) if tags[-count:] == usual[-count:]), 0)
