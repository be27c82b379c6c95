"""Replaces rows that take turns, one with the subject or the name and others with the rest, by records of several rows each."""

from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group

_MIN_ROWS = 6
_TURNS_SHARE = 0.8
"""Minimum share of neighbouring rows that differ in kind, and of rows that are of a frequent kind."""
_MIN_KIND_SHARE = 0.5
"""Minimum ratio of the rows of a frequent kind to those of the most frequent."""
_MIN_TOLD_SHARE = 0.8
"""Minimum share of records with a time."""
_MAX_KINDS = 4


def records_of_rows(chosen: RecordReading) -> RecordReading:
    """The chosen group, or the kind of its rows that, together with the rows beside them, tells a time in most records."""
    layout = chosen.layout
    kinds = _kinds(layout.columns, layout.classes.classes, layout.members)
    read = [read_group(layout_of(layout.page, RecordGroup(rows, layout.group.label))) for rows in kinds]
    whole = [each for each in read if _told(each) >= _MIN_TOLD_SHARE > _told(chosen)]
    return max(whole, key=_said) if whole else chosen


def _kinds(columns: Columns, classes: NDArray[np.int64], rows: Members) -> list[Members]:
    """The kinds of rows, by tag and class of each, or of its first part where it has no class, if these take turns; else none."""
    if len(rows) < _MIN_ROWS or (columns.parent[rows] != columns.parent[rows[0]]).any():
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


def _told(reading: RecordReading) -> float:
    return sum(bool(draft.time_text) for draft in reading.drafts) / max(1, len(reading.layout.members))


def _said(reading: RecordReading) -> int:
    """Characters of titles in a list, else of texts."""
    told = attrgetter("title" if reading.layout.is_list else "text")
    return sum(len(told(draft)) for draft in reading.drafts)
