"""Which element is each record's body: of all kinds of element inside the records, the one worth most over all."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LARGEST_WORTH = 1500
"""Of one record's body, so that a long one does not decide for all."""


def find_bodies(reader: "Reader") -> dict[int, int]:
    """By record the element that is its body."""
    columns = reader.columns
    numbers, places = _own_elements(reader)
    if not len(places):
        return {}
    value = columns.subtree_chunks(_worth(reader))[places]
    kind = reader.signals.alike.bodies[places] << 8  # where they have no class, by their depth in the record too
    deep = (columns.depth[places] - columns.depth[reader.group.members[numbers]]).clip(0, 255)
    kind += np.where(kind >> 8 & 1, deep, 0)
    order = np.lexsort((places, -value, numbers, kind))
    kind, number, place, value = kind[order], numbers[order], places[order], value[order]
    other = kind[1:] != kind[:-1]
    first = np.concatenate(([True], other | (number[1:] != number[:-1])))
    starts = np.flatnonzero(np.concatenate(([True], other)))
    worth = np.add.reduceat(np.where(first, np.minimum(_LARGEST_WORTH, value), 0.0), starts).round(6)
    earliest = np.minimum.reduceat(order, starts)
    best = np.lexsort((earliest, -worth))[0]
    chosen = first & (kind == kind[starts[best]])
    return dict(zip(number[chosen].tolist(), place[chosen].tolist(), strict=True))


def _worth(reader: "Reader") -> NDArray[np.float64]:
    """float[M]: what a chunk adds to a body that holds it; template, times and names take away."""
    length = reader.signals.length.astype(float)
    worth = np.where(reader.signals.linked, -0.3 * length, length)
    bad = reader.template | reader.signals.time | reader.refused
    worth[bad] = -12 - np.minimum(length[bad], 40)
    worth[reader.record < 0] = 0
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
