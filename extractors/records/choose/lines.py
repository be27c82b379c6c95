"""The lines of a list of which a chosen group is only a column: previews, counters, names beside the titles."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import TAG
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft

_MAX_LINKED = 0.2
"""The share of a column's cells that may have a long link, as titles are."""
_MIN_LINKED = 0.6
"""The share of lines that must have a long link."""
_MIN_TITLED = 0.8
_MAX_RATIO = 2.5
"""Of the lines to the cells: only some lines have a preview."""
_MAX_READ = 2
_MAX_HEADS = 2
"""Rows of a table that are its headings."""
_MIN_SAME = 0.9
"""The share of titles that rows must have in common with the cells in them."""


def whole_lines(
    chosen: RecordReading,
    groups: Sequence[RecordGroup],
    features: Mapping[str, NDArray[np.float32]],
    expected: NDArray[np.float32],
) -> RecordReading:
    """The titled lines around the chosen records, each in a line of its own; the chosen ones where there are no such lines.

    Args:
        features: of each group. expected: log odds of reading right.
    """
    layout, linked = chosen.layout, features["has long link"]
    own = next((place for place, group in enumerate(groups) if group is layout.group), -1)
    if layout.is_list:
        return _whole_rows(chosen, groups)
    if not chosen.drafts or own < 0 or linked[own] > _MAX_LINKED:
        return chosen
    cells = layout.members[chosen.numbers]
    sizes = np.array([len(group.members) for group in groups])
    fit = (linked >= _MIN_LINKED) & (sizes >= len(cells)) & (sizes <= _MAX_RATIO * len(cells))
    order = [place for place in np.argsort(-expected, kind="stable").tolist() if fit[place]]
    around = [groups[place] for place in order if _one_in_each(cells, groups[place].members, layout.columns)]
    for group in around[:_MAX_READ]:
        lines = layout_of(layout.page, group)
        if lines.is_list and len(lines.titles) >= _MIN_TITLED * len(lines.members):
            return read_group(lines)
    return chosen


def _whole_rows(chosen: RecordReading, groups: Sequence[RecordGroup]) -> RecordReading:
    """The rows of a table of whose cells only those with the titles were chosen: the others have counts and last answers."""
    layout, columns = chosen.layout, chosen.layout.columns
    cells = layout.members[chosen.numbers]
    if len(cells) < 2 or columns.tag[cells[0]] == TAG["tr"]:
        return chosen
    for group in groups:
        rows = group.members
        if (
            not 0 <= len(rows) - len(cells) <= _MAX_HEADS
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
    return same >= _MIN_SAME * len(cells) and all(own >= other for own, other in counts)


def _one_in_each(cells: Members, lines: Members, columns: Columns) -> bool:
    """Whether each cell is inside a line of its own."""
    holders = np.searchsorted(lines, cells, side="right") - 1
    if holders.min() < 0 or len(np.unique(holders)) < len(cells):
        return False
    return bool(((lines[holders] < cells) & (columns.end[cells] <= columns.end[lines[holders]])).all())
