"""Parents of records in templates where the box with a record's answers is beside the record, not inside it."""

from collections import Counter
from collections.abc import Sequence

from extractors.html.columns import Columns

_MAX_LEVELS = 3
"""Levels above a record that may be such a box."""
_MIN_ANSWERED = 2
"""Minimum answered records: an opening post may be beside a box with all other posts."""


def parents_by_boxes(columns: Columns, tops: Sequence[int]) -> list[int]:
    """By record (`tops`: the elements around each, in document order), the number of the record that it answers, −1 for none.

    A box holds several records, or holds one and is of a kind of its own; the element before it, of another kind, holds exactly
    one record.
    """
    places = {top: number for number, top in enumerate(tops)}
    boxes: dict[int, int] = {}
    kinds = Counter(_kind(columns, top) for top in tops)
    around = [top if kinds[_kind(columns, top)] == 1 else int(columns.parent[top]) for top in tops]
    found = [_answered(columns, box, places, boxes) for box in around]
    return found if len({*found} - {-1}) >= _MIN_ANSWERED else [-1] * len(tops)


def _answered(columns: Columns, box: int, places: dict[int, int], boxes: dict[int, int]) -> int:
    for _ in range(_MAX_LEVELS):
        if box <= 0:
            return -1
        if box not in boxes:
            boxes[box] = _alone_before(columns, box, places)
        if boxes[box] >= 0:
            return boxes[box]
        box = int(columns.parent[box])
    return -1


def _alone_before(columns: Columns, box: int, places: dict[int, int]) -> int:
    """The number of the only record in the element before a box, −1 for none or several."""
    parent, before = int(columns.parent[box]), box - 1
    if before == parent:
        return -1
    while columns.parent[before] != parent:
        before = int(columns.parent[before])
    if _kind(columns, before) == _kind(columns, box):
        return -1
    inside = [number for top, number in places.items() if before <= top < box]
    return inside[0] if len(inside) == 1 else -1


def _kind(columns: Columns, place: int) -> tuple[int, str]:
    return int(columns.tag[place]), columns.value(place, "class")
