"""Replaces a chosen group by a larger group of which it is a part: only the records with a preview, by one person, or of one level."""

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
"""Minimum ratio of the larger group's records to the chosen group's."""
_MIN_TIMED_SHARE = 0.9
"""Minimum share of records with a time."""
_SIBLING_SHARE = 0.9
"""Share of members with the first one's parent below which a group is tried first."""
_FIELD_SHARE_SLACK = 0.05
"""Maximum loss in the share of records that have a field."""
_MIN_KEPT_SHARE = 0.8
"""Minimum share of the chosen group's records in the larger one."""
_MAX_LEVELS = 8
_MAX_READ_GROUPS = 2
_FIELDS = [Draft._fields.index(name) for name in ("time_text", "author", "title")]


def expand_group(
    chosen: RecordReading,
    groups: Sequence[RecordGroup],
    features: Mapping[str, NDArray[np.float32]],
    expected: NDArray[np.float32],
) -> RecordReading:
    """The larger group that contains the chosen one, if it has more records with as many fields; else the chosen one.

    Args:
        features: of each group. expected: log odds of reading well.
    """
    members, page = chosen.layout.members, chosen.layout.page
    least, read = _shares(chosen), 0
    if least[0] < _MIN_TIMED_SHARE:
        return chosen
    timed, scattered = features["time in outer"] >= _MIN_TIMED_SHARE, features["one parent"] < _SIBLING_SHARE
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
            complete = all(own >= other - _FIELD_SHARE_SLACK for own, other in zip(_shares(larger), least, strict=True))
            if complete and _keeps(larger, chosen, holders):
                return larger
        read += 1
        if read == _MAX_READ_GROUPS:
            break
    return chosen


def _holders(members: Members, larger: Members, columns: Columns) -> list[int] | None:
    """By member, the number of the larger group's member that is or contains it; None if two members share one, or if other
    members of the larger group are neither beside nor in these."""
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
    """The shares of records with a time, an author and a title, and the share of distinct records."""
    drafts = reading.drafts
    times, authors, titles = (sum(map(bool, map(itemgetter(place), drafts))) for place in _FIELDS)
    is_list = reading.layout.is_list
    different = {((is_list and draft.title) or draft.text, draft.author, draft.time_text) for draft in drafts}
    count = max(1, len(drafts))
    return times / count, authors / count, titles / count, len(different) / count


def _keeps(larger: RecordReading, chosen: RecordReading, holders: Sequence[int]) -> bool:
    """Whether the larger group has more records, including the chosen ones: by title, or by the text without answers, or of an answer
    that was taken for it."""
    drafts = dict(zip(larger.numbers, larger.drafts, strict=True))
    texts = {draft.text for draft in larger.drafts}
    kept = 0
    for number, draft in zip(chosen.numbers, chosen.drafts, strict=True):
        again = drafts.get(holders[number])
        if again is not None:
            same = draft.text in texts or again.text in draft.text
            same = draft.title == again.title if chosen.layout.is_list else same
            kept += same and bool(again.title or again.text)
    return len(drafts) >= _MIN_RATIO * len(chosen.drafts) and kept >= _MIN_KEPT_SHARE * len(chosen.drafts)
