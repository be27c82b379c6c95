"""The owner record of each chunk of text, including chunks beside the record that belong to it; and the nesting of records.

A shell is an element that holds one record and its answers: in many templates an item of a list that begins with the record.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import TAG
from extractors.kernels import kernel
from extractors.records.groups import Members

_MAX_LEVELS = 6
"""Elements between a record and its shell."""
_UNCLOSED_CHAIN = 8
"""Length of a chain of records, each inside the one before and none beside another, that shows unclosed markup."""
_REGULAR_SHARE = 0.8
"""Minimum share of records that are siblings, and of gaps between them that are alike."""
_MAX_ROWS_BESIDE = 4
_MAX_PARAGRAPHS_BESIDE = 40
"""The same where paragraphs are the records: what follows one is the rest of its text, up to the next heading."""
_MIN_RECORDS = 3
"""Minimum records for a gap between them to be regular."""


@dataclass(frozen=True, slots=True)
class Ownership:
    """The chunks of R records.

    Attributes:
        members: intp[R], the records' elements. outer: intp[R], the largest element around each that holds no other.
        owner: intp[M], the number of the innermost record that holds a chunk, −1 for none.
        outer_owner: intp[M], the same with a record's outer element, and with the rows beside it that recur between all
            records: a name and a time in a row or term of their own.
    """

    members: Members
    outer: Members
    owner: NDArray[np.intp]
    outer_owner: NDArray[np.intp]


def ownership_of(
    columns: Columns, members: Members, without: Members | None = None, apart: Members | None = None
) -> Ownership:
    """The chunks of the records with these elements; chunks of the elements `without` have no owner, and no outer element
    contains one of `apart` (ascending)."""
    owner = chunk_owners(members, columns.chunk_start, columns.chunk_end, len(columns.texts))
    outer = _evenly(members, outer_elements(members, columns.end, columns.parent), columns)
    if apart is not None:
        holds = np.searchsorted(apart, columns.end[outer]) > np.searchsorted(apart, outer)
        outer = np.where(holds, members, outer)
    numbers = np.flatnonzero(outer != members)
    places, beside = outer[numbers], _rows_beside(columns, outer)
    if beside:
        rows = np.array(beside, dtype=np.intp)
        numbers, places = np.concatenate((numbers, rows[:, 0])), np.concatenate((places, rows[:, 1]))
        owner = _with_paragraphs(columns, members, owner, numbers, places)
    given = owner, numbers, places, columns.chunk_start, columns.chunk_end
    outer_owner = assign_chunks(*given) if len(numbers) else owner
    if without is not None:
        left = chunk_owners(without, columns.chunk_start, columns.chunk_end, len(columns.texts)) < 0
        owner, outer_owner = np.where(left, owner, -1), np.where(left, outer_owner, -1)
    return Ownership(members, outer, owner, outer_owner)


def _with_paragraphs(
    columns: Columns, members: Members, owner: NDArray[np.intp], numbers: NDArray[np.intp], places: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The owners, with paragraphs beside a record that is one itself as its own. numbers, places: records, elements beside each."""
    same = (columns.tag[places] == TAG["p"]) & (columns.tag[members[numbers]] == TAG["p"])
    return (
        assign_chunks(owner, numbers[same], places[same], columns.chunk_start, columns.chunk_end)
        if same.any()
        else owner
    )


def _evenly(members: Members, outer: Members, columns: Columns) -> Members:
    """The outer elements, each at most as many levels above its member as the median: else the only answer to a record would
    include that record."""
    levels = columns.depth[members] - columns.depth[outer]
    most = int(np.sort(levels)[len(levels) // 2])
    if int(levels.max()) <= most:
        return outer
    found = members.copy()
    for level in range(most):
        climbing = levels > level
        found[climbing] = columns.parent[found[climbing]]
    return found


@kernel
def outer_elements(members: Members, end: NDArray[np.int32], parent: NDArray[np.int32]) -> Members:
    """The largest element around each member, in document order, that holds no other member."""
    mask = np.zeros(len(end) + 1, dtype=np.int64)
    mask[members + 1] = 1
    running = np.cumsum(mask)
    alone = running[end] - running[:-1] == 1
    outer = members.copy()
    climbing = np.arange(len(outer))
    while len(climbing):
        above = parent[outer[climbing]]
        free = (above > 0) & alone[np.maximum(above, 0)]
        climbing, above = climbing[free], above[free]
        outer[climbing] = above
    return outer


@kernel
def chunk_owners(
    elements: Members, chunk_start: NDArray[np.int32], chunk_end: NDArray[np.int32], chunks: int
) -> NDArray[np.intp]:
    """intp[chunks]: the number of the last of these elements that holds a chunk, −1 for none."""
    owner = np.full(chunks, -1)
    for number, (start, end) in enumerate(
        zip(chunk_start[elements].tolist(), chunk_end[elements].tolist(), strict=True)
    ):
        owner[start:end] = number
    return owner


@kernel
def assign_chunks(
    owner: NDArray[np.intp], numbers: NDArray[np.intp], elements: NDArray[np.intp], chunk_start: NDArray[np.int32],
    chunk_end: NDArray[np.int32],
) -> NDArray[np.intp]:  # fmt: skip
    """intp[M]: the owners; a chunk without one is given to the number of the first of `elements` that contains it."""
    starts, ends = chunk_start[elements].tolist(), chunk_end[elements].tolist()
    owners: list[int] = owner.tolist()
    for number, start, end in zip(numbers.tolist(), starts, ends, strict=True):
        for chunk in range(start, end):
            if owners[chunk] < 0:
                owners[chunk] = number
    return np.array(owners)


@kernel
def inside_elements(
    elements: NDArray[np.intp], owner: NDArray[np.intp], chunk_start: NDArray[np.int32], chunk_end: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """bool[M]: a chunk is inside the element that belongs to its owner, elements[R], −1 for none."""
    chunks, none = np.arange(len(owner)), elements < 0
    start, end = chunk_start[elements], chunk_end[elements]
    end[none] = 0
    return np.asarray((chunks >= start[owner]) & (chunks < end[owner]) & (owner >= 0))


def _rows_beside(columns: Columns, outer: Members) -> list[tuple[int, int]]:
    """(number of a record, element beside it), if the outer elements are siblings and the same rows recur between them.

    Rows that also come before the first record precede each record; the others follow their record.
    """
    parents = columns.parent[outer]
    parent, siblings = Counter(parents.tolist()).most_common(1)[0]
    if siblings < max(_MIN_RECORDS, _REGULAR_SHARE * len(outer)) or parent < 0:
        return []
    children = text_children(parent, columns.parent, columns.end, columns.text_length)
    number_of = {top: number for number, top in enumerate(outer.tolist())}
    places = [at for at, child in enumerate(children) if child in number_of]
    if not places or places[-1] - places[0] == len(places) - 1:
        return []
    gaps = [children[one + 1 : two] for one, two in pairwise(places)]
    tags = columns.tag[children].tolist()
    kinds = [tuple(tags[one + 1 : two]) for one, two in pairwise(places)]
    usual = _usual_rows(kinds)
    if not usual:
        return []
    before = children[: places[0]]
    leading = _leading(columns, usual, before)
    most = _MAX_PARAGRAPHS_BESIDE if columns.tag[outer[0]] == TAG["p"] else _MAX_ROWS_BESIDE
    found = [(number_of[children[places[0]]], row) for row in before[len(before) - leading :]]
    for gap, kind, one, two in zip(gaps, kinds, places, places[1:], strict=False):
        if kind == usual or (leading and len(gap) <= most and kind[-leading:] == usual[-leading:]):
            split = len(gap) - leading
            found += [(number_of[children[one]], row) for row in gap[:split]]
            found += [(number_of[children[two]], row) for row in gap[split:]]
    last = children[places[-1] + 1 : places[-1] + 1 + len(usual) - leading]
    return found + [(number_of[children[places[-1]]], row) for row in last if leading < len(usual)]


def _usual_rows(kinds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The rows between most records, else the last rows of most gaps, by their tags; () without such rows."""
    least = _REGULAR_SHARE * len(kinds)
    for ends in (kinds, *([kind[-count:] for kind in kinds if len(kind) >= count] for count in (2, 1))):
        usual, count = Counter(ends).most_common(1)[0] if ends else ((), 0)
        if usual and len(usual) <= _MAX_ROWS_BESIDE and count >= least:
            return usual
    return ()


@kernel
def text_children(
    element: int, parent: NDArray[np.int32], end: NDArray[np.int32], text_length: NDArray[np.integer[Any]]
) -> list[int]:
    """The children of an element that have text; end: see `Columns`."""
    inside = slice(element + 1, int(end[element]))
    found: list[int] = (element + 1 + np.flatnonzero((parent[inside] == element) & (text_length[inside] > 0))).tolist()
    return found


def _leading(columns: Columns, usual: tuple[int, ...], before: list[int]) -> int:
    """The number of rows of the usual gap that also come before the first record."""
    tags = tuple(columns.tag[before].tolist())
    return next((count for count in range(len(usual), 0, -1) if tags[-count:] == usual[-count:]), 0)


def nested_parents(columns: Columns, members: Members) -> NDArray[np.intp]:
    """intp[R]: by record the number of the record that it answers, −1 for none."""
    return holders_of_shells(members, columns.end, columns.parent, columns.tag, _MAX_LEVELS, _UNCLOSED_CHAIN)


@kernel
def holders_of_shells(
    members: Members, end: NDArray[np.int32], parent: NDArray[np.int32], tag: NDArray[np.int16], max_levels: int,
    unclosed: int,
) -> NDArray[np.intp]:  # fmt: skip
    """`innermost_holders` of the members, or of their ancestors of one tag at most `max_levels` above, whichever are nested first;
    all −1 if none are nested, or if `unclosed` or more are each inside the one before."""
    no_parents = np.full(len(members), -1)
    shells: Members = members
    for _ in range(max_levels + 1):
        inside = innermost_holders(shells, end)
        if inside.max(initial=-1) >= 0:
            chain = len(inside) >= unclosed and np.array_equal(inside, np.arange(-1, len(inside) - 1))
            return no_parents if chain else inside
        shells = parent[shells].astype(np.intp)
        tags = tag[shells]
        same = shells[0] == shells[-1] or shells.min() <= 0
        if same or (tags != tags[0]).any() or len(set(shells.tolist())) < len(shells):
            break
    return no_parents


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
