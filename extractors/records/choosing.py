"""Which group of elements is the page's records.

One forest looks at all likely groups and expects how well each would read; the best few are read, and another forest looks
at what came out of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.kernels.forest import Forest
from extractors.records.candidates import Group, Members, find_groups
from extractors.records.measures import Measures
from extractors.records.model import Record
from extractors.records.outcomes import Row, compared, outcome
from extractors.records.reading import Reader
from extractors.records.signals import Signals
from extractors.records.widening import widened

MEASURED = 30
"""Groups of a page that are measured in full."""
LEAST = -1.1
"""Log odds of reading right; where no group is expected to reach this the page has no records."""
_READ = 4
"""Groups of a page that are read at most."""
_LOOKED_AT = 14
_WRAPPERS = 2
_MARGIN = 2.0
"""Log odds by which a group may be expected to read worse than the best and still is read."""
_WEIGHT_OF_EXPECTED = 0.4
_HOPELESS = -4.0
"""Log odds of the best group below which nothing is read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen group as it was read, how likely it is right, 0 … 1, and who read it."""

    group: Group
    is_list: bool
    records: list[Record]
    likelihood: float
    reader: Reader


def choose(
    page: Document, signals: Signals, forests: Callable[[str, list[str]], Forest] | None = None
) -> Choice | None:
    """The group that reads best; None where no group is expected to hold records.

    Args:
        forests: gives a forest by its name and its measures; the ones carried along if not given.
    """
    grown = forests or forest
    found = find_groups(signals)
    if not found:
        return None
    every = Measures(found, signals)
    measures = every.take(every.likely(MEASURED))
    groups, (table, names) = measures.groups, measures.table()
    expected = grown("choosing", names).scores(table)
    places = worth_reading(expected, [group.members for group in groups], signals.columns)
    if expected[places[0]] < _HOPELESS:
        return None
    readers = [Reader(page, signals, groups[place]) for place in places.tolist()]
    rows = [outcome(reader, reader.read()) for reader in readers]
    own = dict(zip(names, table[:, places], strict=True))
    seen, asked = review(rows, [reader.group.members for reader in readers], expected[places], own, signals.columns)
    odds = grown("reviewing", asked).scores(seen)
    best = best_of(odds, expected[places])
    if odds[best] < LEAST:
        return None
    reader = widened(readers[best], groups, dict(zip(names, table, strict=True)), expected)
    records = reader.records()
    if not records:
        return None
    return Choice(reader.group, reader.is_list, records, float(1 / (1 + np.exp(-odds[best]))), reader)


def worth_reading(expected: NDArray[np.float32], members: Sequence[Members], columns: Columns) -> NDArray[np.intp]:
    """The numbers of the groups that are read, best first.

    Of those that lie one in one, as wrappers do, only the best few, and none with the same text.
    """
    order = np.argsort(-expected, kind="stable")[:_LOOKED_AT]
    chosen: list[int] = []
    for place in order[expected[order] >= expected[order[0]] - _MARGIN].tolist():
        wrapped = [members[other] for other in chosen if _one_in_one(members[place], members[other], columns)]
        if len(wrapped) < _WRAPPERS and not any(_same_text(members[place], other, columns) for other in wrapped):
            chosen.append(place)
        if len(chosen) == _READ:
            break
    return np.array(chosen, dtype=np.intp)


def _one_in_one(one: Members, other: Members, columns: Columns) -> bool:
    if len(one) != len(other):
        return False
    holds = (one <= other) & (other < columns.end[one])
    return bool(holds.all() or ((other <= one) & (one < columns.end[other])).all())


def _same_text(one: Members, other: Members, columns: Columns) -> bool:
    starts, ends = columns.chunk_start, columns.chunk_end
    return bool((starts[one] == starts[other]).all() and (ends[one] == ends[other]).all())


def best_of(odds: NDArray[np.float32], expected: NDArray[np.float32]) -> int:
    """The number of the group that read best; what was expected of it counts as well, as half of the trees do not know it."""
    return int(np.argmax(odds + _WEIGHT_OF_EXPECTED * expected))


def review(
    rows: Sequence[Row],
    members: Sequence[Members],
    expected: NDArray[np.float32],
    measured: Mapping[str, NDArray[np.float32]],
    columns: Columns,
) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, R]: what is known of R groups after they were read, and the F names."""
    beside = expected - expected.max()
    seen = [
        row | {"expected": float(own), "expected beside": float(rest)}
        for row, own, rest in zip(compared(rows, members, columns), expected, beside, strict=True)
    ]
    read = np.array([list(row.values()) for row in seen], dtype=np.float32).T
    return np.concatenate((read, *(each[None] for each in measured.values()))), [
        *seen[0],
        *(f"group's {name}" for name in measured),
    ]


def forest(name: str, measures: list[str]) -> Forest:
    """A forest as `benchmarks.train_records` has left it; RuntimeError if it was trained on other measures."""
    found = _forest(name)
    if found.names != measures:
        raise RuntimeError(f"the forest {name} was trained on other measures: run python -m benchmarks.train_records")
    return found


@cache
def _forest(name: str) -> Forest:
    with files(__package__).joinpath(f"data/{name}.npz").open("rb") as file:
        return Forest.load(file)
