"""What came out of reading a group's records, as numbers: how whole they are, and how they stand beside other groups' records."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import native
from extractors.records.candidates import Members
from extractors.records.model import Draft
from extractors.records.reading import Reader

_BRIEF = 4
"""Characters; a shorter text says nothing."""

_NEARLY_ALL = 0.9

Row = dict[str, float]


def outcome(reader: Reader, records: Sequence[Draft]) -> Row:
    """One row of numbers about the records of one group."""
    return _fields(records) | _texts(reader, records) | _shape(reader, records)


def _share(values: Sequence[object], whole: int) -> float:
    return sum(map(bool, values)) / max(1, whole)


def _fields(records: Sequence[Draft]) -> Row:
    count = len(records)
    authors = [record.author for record in records if record.author]
    times = [record.time for record in records if record.time]
    steps = list(pairwise(times))
    rising, falling = sum(one <= two for one, two in steps), sum(one >= two for one, two in steps)
    return {
        "authors told": len(authors) / max(1, count),
        "authors differ": len(set(authors)) / max(1, len(authors)),
        "author comes twice": float(len(set(authors)) < len(authors)),
        "author's page told": _share([record.author_url for record in records], count),
        "times told": _share([record.time_text for record in records], count),
        "times read": len(times) / max(1, count),
        "times differ": len(set(times)) / max(1, len(times)),
        "times in order": max(rising, falling) / len(steps) if steps else 0.5,
        "titles told": _share([record.title for record in records], count),
        "texts told": _share([record.text for record in records], count),
    }


def _texts(reader: Reader, records: Sequence[Draft]) -> Row:
    lengths = np.array([len(record.text) for record in records] or [0], dtype=np.float64)
    count, text = len(lengths), float(lengths.sum())
    titles, whole = sum(len(record.title) for record in records), max(1, int(reader.columns.text_length[0]))
    mean = text / count
    keys = [(record.title if reader.is_list else "") or record.text for record in records]
    quoted = sum(len(record.quote) for record in records)
    return {
        "text mean": math.log1p(mean),
        "text middle": float(np.log1p(lengths).sum()) / count,
        "text spread": math.sqrt(max(0.0, float(((lengths - mean) ** 2).sum()) / count)) / (mean + 1),
        "text brief": np.count_nonzero(lengths < _BRIEF) / count,
        "text covers": text / whole,
        "text covers free": text / max(1.0, float(reader.signals.free[0])),
        "text quoted": quoted / max(1.0, text),
        "titles mean": math.log1p(titles / max(1, len(records))),
        "titles cover": titles / whole,
        "keys differ": len(set(keys)) / max(1, len(keys)),
    }


def _shape(reader: Reader, records: Sequence[Draft]) -> Row:
    own = reader.record >= 0
    beside = int(np.count_nonzero((reader.around >= 0) & ~own))
    chunks = max(1, int(np.count_nonzero(own)))
    members = len(reader.group.members)
    return {
        "kept": len(records) / members,
        "count": math.log1p(len(records)),
        "list": float(reader.is_list),
        "heads": len(reader.heads) / members,
        "template": int(np.count_nonzero(reader.template & own)) / chunks,
        "beside": beside / chunks,
        "answers nested": _nested(reader.group.members, reader.columns) / members,
    }


_COMPARED = (
    "text covers",
    "text covers free",
    "count",
    "text mean",
    "authors told",
    "times told",
    "authors differ",
    "keys differ",
    "titles cover",
)


def compared(rows: Sequence[Row], members: Sequence[Members], columns: Columns) -> list[Row]:
    """The rows of some groups of one page, with what each has beside the others."""
    most = {name: max(1e-6, *(row[name] for row in rows)) for name in _COMPARED}
    relative = [{f"{name} / most": row[name] / most[name] for name in _COMPARED} for row in rows]
    overlaps = _overlaps(members, columns)
    return [row | beside | overlap for row, beside, overlap in zip(rows, relative, overlaps, strict=True)]


def _overlaps(groups: Sequence[Members], columns: Columns) -> list[Row]:
    """How each group's members lie in those of the others, and hold them."""
    compiled = native()
    shared, lying = compiled.member_overlaps(groups, columns.end) if compiled else overlaps_by_numpy(groups, columns)
    sizes = [len(members) for members in groups]
    shares = (shared / np.array(sizes)[:, None]).tolist()
    inside_of = lying.tolist()
    return [_overlap(place, sizes, shares[place], inside_of) for place in range(len(groups))]


def overlaps_by_numpy(groups: Sequence[Members], columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """int64[G, G] twice: of each group's members how many are each other's, and how many lie in one of each other's."""
    number = len(groups)
    marked, held = np.zeros((2, number, len(columns)), dtype=np.bool_)
    for place, members in enumerate(groups):
        marked[place, members] = True
        held[place] = inside(members, columns)
    shared = [marked[:, members].sum(axis=1) for members in groups]
    return np.array(shared), np.array([held[:, members].sum(axis=1) for members in groups])


def _overlap(own: int, sizes: list[int], shared: list[float], lying: list[list[int]]) -> Row:
    found = {
        "part of larger": 0.0,
        "larger": 0.0,
        "inside others": 0.0,
        "holds others": 0.0,
        "others in each": 0.0,
        "larger around": 0.0,
    }
    for other in range(len(sizes)):
        if other == own:
            continue
        if sizes[other] > sizes[own] and shared[other] > found["part of larger"]:
            found["part of larger"], found["larger"] = shared[other], sizes[own] / sizes[other]
        found["inside others"] = max(found["inside others"], lying[own][other] / sizes[own])
        if sizes[other] > sizes[own] and lying[own][other] >= _NEARLY_ALL * sizes[own]:
            found["larger around"] = max(found["larger around"], min(4.0, sizes[other] / sizes[own]))
        found["holds others"] = max(found["holds others"], lying[other][own] / sizes[other])
        found["others in each"] = max(found["others in each"], min(4.0, lying[other][own] / sizes[own]))
    return found


def _nested(members: Members, columns: Columns) -> int:
    """How many lie in another one."""
    return int(np.count_nonzero(np.maximum.accumulate(columns.end[members])[:-1] > members[1:]))


def inside(members: Members, columns: Columns) -> NDArray[np.bool_]:
    """bool[N]: the element lies in one of the members."""
    opened = np.bincount(members + 1, minlength=len(columns) + 1)
    closed = np.bincount(columns.end[members], minlength=len(columns) + 1)
    return np.asarray(np.cumsum(opened - closed)[:-1] > 0)
