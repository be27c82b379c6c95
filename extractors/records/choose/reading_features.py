"""Features of a group's records after reading: their completeness, and a comparison with other groups' records."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import kernel
from extractors.records.groups import Members
from extractors.records.read import RecordReading
from extractors.records.read.model import Draft

_BRIEF_CHARS = 4
"""Shorter texts are ignored."""
_NEARLY_ALL_SHARE = 0.9
_MAX_RATIO = 4.0
_COMPARED = (
    "text covers", "text covers free", "count", "text mean", "with author", "with time", "authors differ", "keys differ",
    "titles cover",
)  # fmt: skip

Row = dict[str, float]


def reading_features(reading: RecordReading) -> Row:
    """The features of one group's records."""
    return _fields(reading.drafts) | _texts(reading) | _shape(reading)


def _share(values: Sequence[object], whole: int) -> float:
    return sum(map(bool, values)) / max(1, whole)


def _fields(records: Sequence[Draft]) -> Row:
    count = len(records)
    authors = [record.author for record in records if record.author]
    times = [record.time for record in records if record.time]
    steps = list(pairwise(times))
    rising, falling = sum(one <= two for one, two in steps), sum(one >= two for one, two in steps)
    return {
        "with author": len(authors) / max(1, count),
        "authors differ": len(set(authors)) / max(1, len(authors)),
        "author comes twice": float(len(set(authors)) < len(authors)),
        "with author page": _share([record.author_url for record in records], count),
        "with time": _share([record.time_text for record in records], count),
        "times read": len(times) / max(1, count),
        "times differ": len(set(times)) / max(1, len(times)),
        "times in order": max(rising, falling) / len(steps) if steps else 0.5,
        "with title": _share([record.title for record in records], count),
        "with text": _share([record.text for record in records], count),
    }


def _texts(reading: RecordReading) -> Row:
    layout, records = reading.layout, reading.drafts
    lengths = np.array([len(record.text) for record in records] or [0], dtype=np.float64)
    count, text = len(lengths), float(lengths.sum())
    titles, whole = sum(len(record.title) for record in records), max(1, int(layout.columns.text_length[0]))
    mean = text / count
    keys = [(record.title if layout.is_list else "") or record.text for record in records]
    quoted = sum(len(record.quote) for record in records)
    return {
        "text mean": math.log1p(mean),
        "text middle": float(np.log1p(lengths).sum()) / count,
        "text spread": math.sqrt(max(0.0, float(((lengths - mean) ** 2).sum()) / count)) / (mean + 1),
        "text brief": np.count_nonzero(lengths < _BRIEF_CHARS) / count,
        "text covers": text / whole,
        "text covers free": text / max(1.0, float(layout.signals.unlinked[0])),
        "text quoted": quoted / max(1.0, text),
        "titles mean": math.log1p(titles / max(1, len(records))),
        "titles cover": titles / whole,
        "keys differ": len(set(keys)) / max(1, len(keys)),
    }


def _shape(reading: RecordReading) -> Row:
    layout = reading.layout
    own, members = layout.records.owner >= 0, layout.members
    beside = int(np.count_nonzero((layout.records.outer_owner >= 0) & ~own))
    chunks = max(1, int(np.count_nonzero(own)))
    nested = np.count_nonzero(np.maximum.accumulate(layout.columns.end[members])[:-1] > members[1:])
    return {
        "kept": len(reading.drafts) / len(members),
        "count": math.log1p(len(reading.drafts)),
        "list": float(layout.is_list),
        "with title link": len(layout.titles) / len(members),
        "template": int(np.count_nonzero(layout.template & own)) / chunks,
        "beside": beside / chunks,
        "answers nested": int(nested) / len(members),
    }


def compared(rows: Sequence[Row], members: Sequence[Members], columns: Columns) -> list[Row]:
    """The rows of some groups of one page, extended by comparisons with the others."""
    most = {name: max(1e-6, *(row[name] for row in rows)) for name in _COMPARED}
    relative = [{f"{name} / most": row[name] / most[name] for name in _COMPARED} for row in rows]
    shared, inside = member_overlaps(list(members), columns.end)
    sizes = [len(each) for each in members]
    shares, counts = (shared / np.array(sizes)[:, None]).tolist(), inside.tolist()
    overlaps = [_overlap(place, sizes, shares[place], counts) for place in range(len(sizes))]
    return [row | beside | overlap for row, beside, overlap in zip(rows, relative, overlaps, strict=True)]


@kernel
def member_overlaps(groups: list[Members], end: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """int64[G, G] twice: members of each group shared with each other group, and members inside one of the other group's."""
    shared, inside = [], []
    for members in groups:
        shared.append([np.isin(members, others).sum() for others in groups])
        inside.append([_inside(others, end)[members].sum() for others in groups])
    return np.array(shared), np.array(inside)


def _inside(members: Members, end: NDArray[np.int32]) -> NDArray[np.bool_]:
    """bool[N]: the element is inside one of the members."""
    opened = np.bincount(members + 1, minlength=len(end) + 1)
    closed = np.bincount(end[members], minlength=len(end) + 1)
    return np.asarray(np.cumsum(opened - closed)[:-1] > 0)


def _overlap(own: int, sizes: list[int], shared: list[float], inside: list[list[int]]) -> Row:
    names = "part of larger", "larger", "inside others", "holds others", "others in each", "larger around"
    found = dict.fromkeys(names, 0.0)
    for other in range(len(sizes)):
        if other == own:
            continue
        if sizes[other] > sizes[own] and shared[other] > found["part of larger"]:
            found["part of larger"], found["larger"] = shared[other], sizes[own] / sizes[other]
        found["inside others"] = max(found["inside others"], inside[own][other] / sizes[own])
        if sizes[other] > sizes[own] and inside[own][other] >= _NEARLY_ALL_SHARE * sizes[own]:
            found["larger around"] = max(found["larger around"], min(_MAX_RATIO, sizes[other] / sizes[own]))
        found["holds others"] = max(found["holds others"], inside[other][own] / sizes[other])
        found["others in each"] = max(found["others in each"], min(_MAX_RATIO, inside[other][own] / sizes[own]))
    return found
