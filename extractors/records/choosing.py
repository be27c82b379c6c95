"""Which group of elements is the page's records: a forest that expects the F1 of reading each group."""

from functools import cache
from importlib.resources import files

import numpy as np

from extractors.article.forest import Forest
from extractors.records.candidates import Group, Signals, find_groups
from extractors.records.measures import Measures

LEAST = 0.3
"""A group whose expected F1 is less is no answer: the page has no records."""


def choose(signals: Signals) -> tuple[Group | None, float]:
    """The group of the highest expected F1, and that; None where no group is expected to reach `LEAST`."""
    groups = find_groups(signals)
    if not groups:
        return None, 0.0
    table, names = Measures(groups, signals).table()
    forest = choosing_forest()
    if names != forest.names:
        raise RuntimeError("the forest was trained on other measures: run python -m benchmarks.train_records")
    expected = forest.scores(table)
    best = int(np.argmax(expected))
    if expected[best] < LEAST:
        return None, float(expected[best])
    return _with_nested(groups[best], groups, signals), float(expected[best])


def _with_nested(chosen: Group, groups: list[Group], signals: Signals) -> Group:
    """The smallest group that holds the chosen one and else only elements inside it that tell a time: its replies."""
    members, columns = set(chosen.members.tolist()), signals.columns
    inside = np.zeros(len(columns) + 1, dtype=np.int32)
    np.add.at(inside, chosen.members + 1, 1)
    np.subtract.at(inside, columns.end[chosen.members], 1)
    nested = np.cumsum(inside)[:-1] > 0
    for group in sorted(groups, key=lambda group: len(group.members)):
        if len(group.members) > len(members) and members.issubset(group.members.tolist()):
            further = np.array([member for member in group.members.tolist() if member not in members])
            if nested[further].all() and (signals.times[further] > 0).all():
                return group
    return chosen


@cache
def choosing_forest() -> Forest:
    """As `benchmarks.train_records` has left it."""
    with files(__package__).joinpath("data/choosing.npz").open("rb") as file:
        return Forest.load(file)
