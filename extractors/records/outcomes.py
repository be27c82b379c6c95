"""What came out of reading a group's records, as numbers: how whole they are, and how they stand beside other groups' records."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns
from extractors.records.candidates import Members
from extractors.records.model import Draft
from extractors.records.reading import Reader

_BRIEF = 4
"""Characters; a shorter text says nothing."""

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
    titles = np.array([len(record.title) for record in records] or [0], dtype=np.float64)
    whole = max(1, int(reader.columns.text_length[0]))
    keys = [(record.title if reader.is_list else "") or record.text for record in records]
    quoted = sum(len(record.quote) for record in records)
    return {
        "text mean": float(np.log1p(lengths.mean())),
        "text middle": float(np.log1p(lengths).mean()),
        "text spread": float(lengths.std() / (lengths.mean() + 1)),
        "text brief": float((lengths < _BRIEF).mean()),
        "text covers": float(lengths.sum() / whole),
        "text covers free": float(lengths.sum() / max(1.0, float(reader.signals.free[0]))),
        "text quoted": float(quoted / max(1.0, lengths.sum())),
        "titles mean": float(np.log1p(titles.mean())),
        "titles cover": float(titles.sum() / whole),
        "keys differ": len(set(keys)) / max(1, len(keys)),
    }


def _shape(reader: Reader, records: Sequence[Draft]) -> Row:
    inside = reader.record >= 0
    beside = (reader.around >= 0) & ~inside
    members = len(reader.group.members)
    return {
        "kept": len(records) / members,
        "count": float(np.log1p(len(records))),
        "list": float(reader.is_list),
        "heads": len(reader.heads) / members,
        "template": float(reader.template[inside].mean()) if inside.any() else 0.0,
        "beside": float(beside.sum() / max(1, inside.sum())),
        "answers nested": float(_inside(reader.group.members, reader.group.members, reader.columns).mean()),
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
    return [
        row | beside | _overlap(place, members, columns)
        for place, (row, beside) in enumerate(zip(rows, relative, strict=True))
    ]


def _overlap(place: int, members: Sequence[Members], columns: Columns) -> Row:
    """How a group's members lie in those of the others, and hold them."""
    own = members[place]
    found = {"part of larger": 0.0, "larger": 0.0, "inside others": 0.0, "holds others": 0.0, "others in each": 0.0}
    for number, other in enumerate(members):
        if number == place:
            continue
        shared = float(np.isin(own, other).mean())
        if len(other) > len(own) and shared > found["part of larger"]:
            found["part of larger"], found["larger"] = shared, len(own) / len(other)
        found["inside others"] = max(found["inside others"], float(_inside(own, other, columns).mean()))
        held = _inside(other, own, columns)
        found["holds others"] = max(found["holds others"], float(held.mean()))
        found["others in each"] = max(found["others in each"], min(4.0, float(held.sum() / len(own))))
    return found


def _inside(inner: Members, outer: Members, columns: Columns) -> NDArray[np.bool_]:
    """bool[inner]: the element lies in one of the outer ones, which stand in document order."""
    reached = np.maximum.accumulate(columns.end[outer])
    before = np.searchsorted(outer, inner, side="left") - 1
    return np.asarray((before >= 0) & (reached[before.clip(0)] > inner))
