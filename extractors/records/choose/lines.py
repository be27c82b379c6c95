"""The lines of a list of which a chosen group is only a column: previews, counters, names beside the titles."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.records.groups import Group, Members
from extractors.records.groups.layout import layout_of
from extractors.records.read import Reading, read_group

_MAX_LINKED = 0.2
"""The share of a column's cells that may have a long link, as titles are."""
_MIN_LINKED = 0.6
"""The share of lines that must have a long link."""
_MIN_TITLED = 0.8
_MAX_RATIO = 2.5
"""Of the lines to the cells: only some lines have a preview."""
_MAX_READ = 2


def whole_lines(
    chosen: Reading,
    groups: Sequence[Group],
    features: Mapping[str, NDArray[np.float32]],
    expected: NDArray[np.float32],
) -> Reading:
    """The titled lines around the chosen records, each in a line of its own; the chosen ones where there are no such lines.

    Args:
        features: of each group. expected: log odds of reading right.
    """
    layout, linked = chosen.layout, features["has long link"]
    own = next((place for place, group in enumerate(groups) if group is layout.group), -1)
    if layout.is_list or not chosen.drafts or own < 0 or linked[own] > _MAX_LINKED:
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


def _one_in_each(cells: Members, lines: Members, columns: Columns) -> bool:
    """Whether each cell is inside a line of its own."""
    holders = np.searchsorted(lines, cells, side="right") - 1
    if holders.min() < 0 or len(np.unique(holders)) < len(cells):
        return False
    return bool(((lines[holders] < cells) & (columns.end[cells] <= columns.end[lines[holders]])).all())
