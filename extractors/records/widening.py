"""The rest of a page's records where the chosen group is but a part of them: those with a preview, of one person, of one level."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.records.candidates import Group, Members
from extractors.records.model import Draft
from extractors.records.nesting import containing
from extractors.records.reading import Reader

_MORE = 1.1
"""How many times the records a larger group must have."""
_TIMED = 0.9
"""The share of a larger group's records that must tell a time."""
_TOGETHER = 0.9
"""The share of members with the first one's parent from which on a group is looked at before others."""
_SLACK = 0.05
"""By how much the share of its records that tell a field may be lower."""
_KEPT = 0.8
"""The share of the records that must be there as they were."""
_LEVELS = 8
_MOST_READ = 2
_FIELDS = [Draft._fields.index(name) for name in ("time_text", "author", "title")]


def widened(
    chosen: Reader, groups: Sequence[Group], measured: Mapping[str, NDArray[np.float32]], expected: NDArray[np.float32]
) -> Reader:
    """The group of which the chosen one is a part, as it reads, where it has more records that tell as much; else the chosen.

    Args:
        measured: what is measured of each group. expected: how well it is expected to read.
    """
    members, columns = chosen.group.members, chosen.columns
    told, read = _told(chosen), 0
    if told[0] < _TIMED:
        return chosen
    timed, scattered = measured["time in territory"] >= _TIMED, measured["one parent"] < _TOGETHER
    for place in np.lexsort((-expected, scattered)).tolist():
        group = groups[place]
        if len(group.members) < _MORE * len(members) or not timed[place]:
            continue
        holders = _holders(members, group.members, columns)
        if holders is None:
            continue
        larger = Reader(chosen.page, chosen.signals, group)
        if larger.is_list == chosen.is_list and _as_much(_told(larger), told) and _keeps(larger, chosen, holders):
            return larger
        read += 1
        if read == _MOST_READ:
            break
    return chosen


def _holders(members: Members, larger: Members, columns: Columns) -> list[int] | None:
    """By member the number of the larger group's that it is or stands in; None where two share one, or where the larger group's
    others stand neither beside nor in these."""
    number = np.full(len(columns), -1)
    number[larger] = np.arange(len(larger))
    above = members.copy()
    for _ in range(_LEVELS):
        climbing = np.flatnonzero(number[above] < 0)
        above[climbing] = columns.parent[above[climbing]].clip(0)
    holders = number[above]
    if holders.min() < 0 or len(np.unique(holders)) < len(holders):
        return None
    parents = columns.parent[larger]
    beside = np.isin(parents, parents[holders])
    return holders.tolist() if (beside | (np.array(containing(columns, larger)) >= 0)).all() else None


def _told(reader: Reader) -> tuple[float, float, float, float]:
    """The shares of a reader's records with a time, an author and a title, and of those that differ."""
    drafts = reader.read()
    times, authors, titles = (sum(map(bool, map(itemgetter(place), drafts))) for place in _FIELDS)
    different = {(draft.title if reader.is_list else "") or draft.text for draft in drafts}
    count = max(1, len(drafts))
    return times / count, authors / count, titles / count, len(different) / count


def _as_much(told: Sequence[float], least: Sequence[float]) -> bool:
    return all(own >= other - _SLACK for own, other in zip(told, least, strict=True))


def _keeps(larger: Reader, chosen: Reader, holders: Sequence[int]) -> bool:
    """Whether there are more records, and the known ones among them: by title, or by the text that is left without answers."""
    drafts = dict(zip(larger.numbers, larger.read(), strict=True))
    kept = 0
    for number, draft in zip(chosen.numbers, chosen.read(), strict=True):
        again = drafts.get(holders[number])
        if again is not None:
            same = draft.title == again.title if chosen.is_list else again.text in draft.text
            kept += same and bool(again.title or again.text)
    return len(drafts) >= _MORE * len(chosen.read()) and kept >= _KEPT * len(chosen.read())
