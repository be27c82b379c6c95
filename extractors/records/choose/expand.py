"""The larger group of which a chosen group is only a part: the records with a preview, of one person, of one level."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.records.groups import Members, RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.groups.ownership import innermost_holders
from extractors.records.read import RecordReading, read_group
from extractors.records.read.model import Draft

_MIN_RATIO = 1.1
"""Of the larger group's records to the chosen group's."""
_MIN_TIMED = 0.9
"""The share of records that must have a time."""
_SIBLINGS = 0.9
"""The share of members with the first one's parent from which on a group is tried before others."""
_SLACK = 0.05
"""By how much the share of its records that have a field may be lower."""
_MIN_KEPT = 0.8
"""The share of the chosen group's records that must be in the larger one."""
_MAX_LEVELS = 8
_MAX_READ = 2
_FIELDS = [Draft._fields.index(name) for name in ("time_text", "author", "title")]


def expand_group(
    chosen: RecordReading,
    groups: Sequence[RecordGroup],
    features: Mapping[str, NDArray[np.float32]],
    expected: NDArray[np.float32],
) -> RecordReading:
    """The group of which the chosen one is a part, where it has more records with as many fields; else the chosen one.

    Args:
        features: of each group. expected: log odds of reading right.
    """
    members, page = chosen.layout.members, chosen.layout.page
    least, read = _shares(chosen), 0
    if least[0] < _MIN_TIMED:
        return chosen
    timed, scattered = features["time in outer"] >= _MIN_TIMED, features["one parent"] < _SIBLINGS
    for place in np.lexsort((-expected, scattered)).tolist():
        group = groups[place]
        if len(group.members) < _MIN_RATIO * len(members) or not timed[place]:
            continue
        holders = _holders(members, group.members, page.columns)
        if holders is None:
            continue
        layout = layout_of(page, group)
        if layout.is_list == chosen.layout.is_list:
            larger = read_group(layout)
            complete = all(own >= other - _SLACK for own, other in zip(_shares(larger), least, strict=True))
            if complete and _keeps(larger, chosen, holders):
                return larger
        read += 1
        if read == _MAX_READ:
            break
    return chosen


def _holders(members: Members, larger: Members, columns: Columns) -> list[int] | None:
    """By member the number of the larger group's that it is or is inside; None where two share one, or where others of the
    larger group are neither beside nor in these."""
    number = np.full(len(columns), -1)
    number[larger] = np.arange(len(larger))
    above = members.copy()
    for _ in range(_MAX_LEVELS):
        climbing = np.flatnonzero(number[above] < 0)
        above[climbing] = np.maximum(columns.parent[above[climbing]], 0)
    holders = number[above]
    if holders.min() < 0 or len(np.unique(holders)) < len(holders):
        return None
    parents = columns.parent[larger]
    beside = np.isin(parents, parents[holders])
    return holders.tolist() if (beside | (innermost_holders(larger, columns.end) >= 0)).all() else None


def _shares(reading: RecordReading) -> tuple[float, float, float, float]:
    """The shares of records with a time, an author and a title, and of those that differ."""
    drafts = reading.drafts
    times, authors, titles = (sum(map(bool, map(itemgetter(place), drafts))) for place in _FIELDS)
    different = {(draft.title if reading.layout.is_list else "") or draft.text for draft in drafts}
    count = max(1, len(drafts))
    return times / count, authors / count, titles / count, len(different) / count


def _keeps(larger: RecordReading, chosen: RecordReading, holders: Sequence[int]) -> bool:
    """Whether there are more records, and the known ones among them: by title, or by the text that is left without answers."""
    drafts = dict(zip(larger.numbers, larger.drafts, strict=True))
    kept = 0
    for number, draft in zip(chosen.numbers, chosen.drafts, strict=True):
        again = drafts.get(holders[number])
        if again is not None:
            same = draft.title == again.title if chosen.layout.is_list else again.text in draft.text
            kept += same and bool(again.title or again.text)
    return len(drafts) >= _MIN_RATIO * len(chosen.drafts) and kept >= _MIN_KEPT * len(chosen.drafts)
