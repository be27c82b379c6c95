"""Replaces rows that take turns, one with the subject or the name and others with the rest, by records of several rows each."""

from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import NAMES
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.groups.ownership import text_children
from extractors.records.read import RecordReading, read_group

_MIN_ROWS = 6
_MAX_ROWS = 2_000
_TURNS_SHARE = 0.8
"""Minimum share of neighbouring rows that differ in kind, and of rows that are of a frequent kind."""
_MIN_KIND_SHARE = 0.5
"""Minimum ratio of the rows of a frequent kind to those of the most frequent."""
_MIN_ATTRIBUTED_SHARE = 0.8
"""Minimum share of records with author and time."""
_MAX_KINDS = 4
_MIN_RATIO = 2.0
"""Minimum ratio of the text of rows of another kind to that of the chosen rows, if these have times too."""


def records_of_rows(chosen: RecordReading) -> RecordReading:
    """The chosen group, or the kind of rows among and beside it with most text that, with the rows beside, mostly has author and time."""
    layout = chosen.layout
    kinds = _kinds(layout.columns, layout.classes.classes, _whole_rows(layout.columns, layout.members))
    read = [read_group(layout_of(layout.page, RecordGroup(rows, layout.group.label))) for rows in kinds]
    least = _MIN_RATIO * _text_chars(chosen) if _attributed_share(chosen) >= _MIN_ATTRIBUTED_SHARE else 0
    whole = [each for each in read if _attributed_share(each) >= _MIN_ATTRIBUTED_SHARE and _text_chars(each) > least]
    return max(whole, key=_text_chars) if whole else chosen


def _whole_rows(columns: Columns, members: Members) -> Members:
    """The outermost elements around the members with the same text."""
    rows = members
    while (above := columns.parent[rows]).min() > 0:
        same = columns.chunk_start[above] == columns.chunk_start[rows]
        if not (same & (columns.chunk_end[above] == columns.chunk_end[rows])).all():
            break
        rows = above.astype(np.intp)
    return rows


def _kinds(columns: Columns, classes: NDArray[np.int64], members: Members) -> list[Members]:
    """The kinds of rows from the first to the last member, by tag and class of each, or of its first part where it has no class,
    if these take turns; else none."""
    parent = int(columns.parent[members[0]])
    if not _MIN_ROWS // 2 <= len(members) <= _MAX_ROWS or parent < 0 or (columns.parent[members] != parent).any():
        return []
    rows = np.array(text_children(parent, columns.parent, columns.end, columns.text_length), dtype=np.intp)
    first, last = np.searchsorted(rows, members[[0, -1]]).tolist()
    rows = rows[max(0, first - _MAX_KINDS + 1) : last + _MAX_KINDS]
    if len(rows) < _MIN_ROWS:
        return []
    part = np.where(classes[rows] > 0, rows, np.minimum(rows + 1, columns.end[rows] - 1))
    shapes = np.stack((columns.tag[rows], columns.tag[part], classes[part]))
    _, which, counts = np.unique(shapes, axis=1, return_inverse=True, return_counts=True)
    usual = np.flatnonzero(counts >= _MIN_KIND_SHARE * counts.max())
    order = which[np.isin(which, usual)]
    turns = np.mean(order[1:] != order[:-1])
    if not 2 <= len(usual) <= _MAX_KINDS or min(turns, len(order) / len(rows)) < _TURNS_SHARE:
        return []
    return [rows[which == kind] for kind in usual.tolist()]


def _attributed_share(reading: RecordReading) -> float:
    """Share of records with author and time."""
    return sum(bool(draft.time_text and draft.author) for draft in reading.drafts) / max(1, len(reading.layout.members))


def _text_chars(reading: RecordReading) -> int:
    """Characters of titles in a list, else of texts."""
    text = attrgetter("title" if reading.layout.is_list else "text")
    return sum(len(text(draft)) for draft in reading.drafts)


def lines_of_parts(chosen: RecordReading) -> RecordReading:
    """The chosen group, or the lines of a list whose parts it has as records: one part with the title, then others without."""
    layout, titles = chosen.layout, chosen.layout.titles
    if layout.is_list or not len(parts := _parts(layout.columns, layout.classes.classes, layout.members)):
        return chosen
    number = {member: place for place, member in enumerate(layout.members.tolist())}
    titled = [np.mean([number[member] in titles for member in column]) for column in parts.T.tolist()]
    lines = _around(layout.columns, parts)
    if not (max(titled) >= _TURNS_SHARE and sum(titled) - max(titled) <= 1 - _TURNS_SHARE and len(lines)):
        return chosen
    whole = read_group(layout_of(layout.page, RecordGroup(lines, layout.group.label)))
    return whole if whole.layout.is_list and len(whole.drafts) >= _TURNS_SHARE * len(lines) else chosen


def _parts(columns: Columns, classes: NDArray[np.int64], members: Members) -> NDArray[np.intp]:
    """intp[L, K]: the members of the K frequent kinds (by tag and class) if these take turns in the same order; else empty."""
    none = np.zeros((0, 0), dtype=np.intp)
    shapes = classes[members] * (len(NAMES) + 1) + columns.tag[members]
    if len(members) < _MIN_ROWS or np.count_nonzero(shapes[1:] == shapes[:-1]) > (1 - _TURNS_SHARE) * len(members):
        return none
    _, which, counts = np.unique(shapes, return_inverse=True, return_counts=True)
    kept = np.flatnonzero((counts >= _MIN_KIND_SHARE * counts.max())[which])
    size = len(np.unique(which[kept]))
    if not 2 <= size <= _MAX_KINDS or len(kept) % size or len(kept) < max(_MIN_ROWS, _TURNS_SHARE * len(members)):
        return none
    order = which[kept]
    return members[kept].reshape(-1, size) if (order[size:] == order[:-size]).all() else none


def _around(columns: Columns, parts: NDArray[np.intp]) -> Members:
    """The innermost element around the parts of each line; empty if one is around two lines."""
    above = parts[:, 0].copy()
    while (narrow := np.flatnonzero(columns.end[above] <= parts[:, -1])).size:
        above[narrow] = columns.parent[above[narrow]]
    return above if (above[1:] >= columns.end[above[:-1]]).all() else above[:0]
