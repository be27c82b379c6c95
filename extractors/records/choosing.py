"""Which group of elements is the page's records.

One forest looks at all likely groups and expects how well each would read; the best few are read, and another forest looks
at what came out of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from extractors.article.forest import Forest
from extractors.columns import Columns
from extractors.page import Page
from extractors.records.candidates import Group, Members, find_groups
from extractors.records.measures import Measures
from extractors.records.model import Record
from extractors.records.outcomes import Row, compared, inside, outcome
from extractors.records.reading import Reader
from extractors.records.signals import Signals

MEASURED = 30
"""Groups of a page that are measured in full."""
LEAST = -0.85
"""Log odds of reading right; where no group is expected to reach this the page has no records."""
_READ = 4
"""Groups of a page that are read at most."""
_LOOKED_AT = 14
_WRAPPERS = 2
_MARGIN = 2.0
"""Log odds by which a group may be expected to read worse than the best and still is read."""
_WEIGHT_OF_EXPECTED = 0.15
_HOPELESS = -4.0
"""Log odds of the best group below which nothing is read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen group as it was read, and how likely it is right, 0 … 1."""

    group: Group
    is_list: bool
    records: list[Record]
    likelihood: float


def choose(page: Page, signals: Signals) -> Choice | None:
    """The group that reads best; None where no group is expected to hold records."""
    groups = find_groups(signals)
    if not groups:
        return None
    groups = [groups[place] for place in Measures(groups, signals).likely(MEASURED).tolist()]
    table, names = Measures(groups, signals).table()
    expected = forest("choosing", names).scores(table)
    places = worth_reading(expected, [group.members for group in groups], signals.columns)
    if expected[places[0]] < _HOPELESS:
        return None
    readers = [Reader(page, signals, groups[place]) for place in places.tolist()]
    rows = [outcome(reader, reader.read()) for reader in readers]
    seen, names = review(rows, [reader.group.members for reader in readers], expected[places], signals.columns)
    odds = forest("reviewing", names).scores(seen)
    best = best_of(odds, expected[places])
    if odds[best] < LEAST:
        return None
    whole = _with_nested(readers[best].group, groups, signals)
    reader = readers[best] if whole is readers[best].group else Reader(page, signals, whole)
    records = reader.records()
    return Choice(whole, reader.is_list, records, float(1 / (1 + np.exp(-odds[best])))) if records else None


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
    """The number of the group that read best; where several did almost equally, what was expected of them decides."""
    return int(np.argmax(odds + _WEIGHT_OF_EXPECTED * expected))


def review(
    rows: Sequence[Row], members: Sequence[Members], expected: NDArray[np.float32], columns: Columns
) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, R]: what is known of R groups after they were read, and the F names."""
    beside = expected - expected.max()
    seen = [
        row | {"expected": float(own), "expected beside": float(rest)}
        for row, own, rest in zip(compared(rows, members, columns), expected, beside, strict=True)
    ]
    return np.array([list(row.values()) for row in seen], dtype=np.float32).T, list(seen[0])


def _with_nested(chosen: Group, groups: list[Group], signals: Signals) -> Group:
    """The smallest group that holds the chosen one and else only elements inside it that tell a time: its replies."""
    first = chosen.members[0]
    wider = [group.members for group in groups]
    larger = [
        number
        for number, members in enumerate(wider)
        if len(members) > len(chosen.members) and members[np.searchsorted(members[:-1], first)] == first
    ]
    for number in sorted(larger, key=lambda number: len(wider[number])):
        rest = np.isin(wider[number], chosen.members, assume_unique=True, invert=True)
        further = wider[number][rest]
        if len(further) + len(chosen.members) > len(wider[number]):
            continue
        if inside(chosen.members, signals.columns)[further].all() and (signals.times[further] > 0).all():
            return groups[number]
    return chosen


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
