"""Which element is each record's body: of all kinds of element inside the records, the one worth most over all."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LARGEST_WORTH = 15_000
"""Tenths of a character of one record's body, so that a long one does not decide for all."""


def find_bodies(reader: "Reader") -> NDArray[np.intp]:
    """intp[R]: by record the element that is its body, −1 for none; by machine code where it was built."""
    columns, kinds, worth = reader.columns, reader.signals.alike.bodies, _worth(reader)
    if compiled := native():
        tree = columns.depth, columns.end, columns.chunk_start, columns.chunk_end
        given = columns.readable, reader.group.members, reader.record, worth, kinds, *tree, _LARGEST_WORTH
        return np.asarray(compiled.best_bodies(*given))
    return bodies_by_numpy(reader, worth)


def bodies_by_numpy(reader: "Reader", worth: NDArray[np.int64]) -> NDArray[np.intp]:
    """See `find_bodies`; worth: int64[M], see `_worth`."""
    columns = reader.columns
    bodies = np.full(len(reader.group.members), -1, dtype=np.intp)
    numbers, places = _own_elements(reader)
    if not len(places):
        return bodies
    value = columns.subtree_chunks(worth)[places]
    kind = reader.signals.alike.bodies[places] << 8  # where they have no class, by their depth in the record too
    deep = (columns.depth[places] - columns.depth[reader.group.members[numbers]]).clip(0, 255)
    kind += np.where(kind >> 8 & 1, deep, 0)
    order = np.lexsort((places, -value, numbers, kind))
    kind, number, place, value = kind[order], numbers[order], places[order], value[order]
    other = kind[1:] != kind[:-1]
    first = np.concatenate(([True], other | (number[1:] != number[:-1])))
    starts = np.flatnonzero(np.concatenate(([True], other)))
    sums = np.add.reduceat(np.where(first, np.minimum(_LARGEST_WORTH, value), 0), starts)
    earliest = np.minimum.reduceat(order, starts)
    best = np.lexsort((earliest, -sums))[0]
    chosen = first & (kind == kind[starts[best]])
    bodies[number[chosen]] = place[chosen]
    return bodies


def _worth(reader: "Reader") -> NDArray[np.int64]:
    """int64[M]: what a chunk adds to a body that holds it, in tenths of a character; template, times and names take away."""
    length, worth = reader.signals.length, reader.signals.worth
    bad = reader.template | reader.refused
    worth = np.where(bad, -120 - 10 * np.minimum(length, 40), worth)
    worth[reader.record < 0] = 0
    if reader.unseen is not None:
        worth[reader.unseen] = 0
    return worth


def _own_elements(reader: "Reader") -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Numbers of records, and elements with text that lie in them and before the first record nested there."""
    columns, members = reader.columns, reader.group.members
    places = columns.readable
    record = reader.record[columns.chunk_start[places]]
    places, record = places[record >= 0], record[record >= 0]
    number = np.searchsorted(members, places, side="right") - 1
    inside = (number >= 0) & (record == number)
    inside &= places < columns.end[members[number]]
    return number[inside], places[inside]
