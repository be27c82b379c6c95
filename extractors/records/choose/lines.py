"""Replaces a chosen group that is only a column of a list by the list's lines: previews, counters, names beside the titles."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import TAG
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft

_MAX_LINKED_SHARE = 0.2
"""Maximum share of a column's cells with a long link, which would be a title."""
_MIN_LINKED_SHARE = 0.6
"""Minimum share of lines with a long link."""
_MIN_TITLED_SHARE = 0.8
_MAX_RATIO = 2.5
"""Maximum ratio of lines to cells: only some lines have a preview."""
_MAX_READ_GROUPS = 2
_MAX_HEADER_ROWS = 2
"""Rows of a table that are its headings."""
_MIN_SAME_SHARE = 0.9
"""Minimum share of titles that rows have in common with their cells."""


def whole_lines(
    chosen: RecordReading,
    groups: Sequence[RecordGroup],
    features: Mapping[str, NDArray[np.float32]],
    expected: NDArray[np.float32],
) -> RecordReading:
    """The titled lines around the chosen records, each in its own line; the chosen records if there are no such lines.

    Args:
        features: of each group. expected: log odds of reading well.
    """
    layout, linked = chosen.layout, features["has long link"]
    own = next((place for place, group in enumerate(groups) if group is layout.group), -1)
    if layout.is_list:
        return _whole_rows(chosen, groups)
    if not chosen.drafts or own < 0 or linked[own] > _MAX_LINKED_SHARE:
        return chosen
    cells = layout.members[chosen.numbers]
    sizes = np.array([len(group.members) for group in groups])
    fit = (linked >= _MIN_LINKED_SHARE) & (sizes >= len(cells)) & (sizes <= _MAX_RATIO * len(cells))
    order = [place for place in np.argsort(-expected, kind="stable").tolist() if fit[place]]
    around = [groups[place] for place in order if _one_in_each(cells, groups[place].members, layout.columns)]
    for group in around[:_MAX_READ_GROUPS]:
        lines = layout_of(layout.page, group)
        if lines.is_list and len(lines.titles) >= _MIN_TITLED_SHARE * len(lines.members):
            return read_group(lines)
    return chosen


def _whole_rows(chosen: RecordReading, groups: Sequence[RecordGroup]) -> RecordReading:
    """The rows of a table if only its title cells were chosen: the other cells have counts and last answers."""
    layout, columns = chosen.layout, chosen.layout.columns
    cells = layout.members[chosen.numbers]
    if len(cells) < 2 or columns.tag[cells[0]] == TAG["tr"]:
        return chosen
    for group in groups:
        rows = group.members
        if (
            not 0 <= len(rows) - len(cells) <= _MAX_HEADER_ROWS
            or columns.tag[rows[0]] != TAG["tr"]
            or not _one_in_each(cells, rows, columns)
        ):
            continue
        read = read_group(layout_of(layout.page, group))
        if read.layout.is_list and _as_full(read.drafts, chosen.drafts):
            return read
    return chosen


def _as_full(rows: Sequence[Draft], cells: Sequence[Draft]) -> bool:
    """Whether rows have the same titles as their cells, and as many authors and times."""
    same = sum(row.title == cell.title for row, cell in zip(rows, cells, strict=False))
    counts = [
        [sum(bool(getattr(each, name)) for each in drafts) for drafts in (rows, cells)] for name in ("author", "time")
    ]
    return same >= _MIN_SAME_SHARE * len(cells) and all(own >= other for own, other in counts)


def _one_in_each(cells: Members, lines: Members, columns: Columns) -> bool:
    """Whether each cell is inside its own line."""
    holders = np.searchsorted(lines, cells, side="right") - 1
    if holders.min() < 0 or len(np.unique(holders)) < len(cells):
        return False
    return bool(((lines[holders] < cells) & (columns.end[cells] <= columns.end[lines[holders]])).all())
