"""Which group of elements is the page's records: a forest that expects the F1 of reading each group."""

from functools import cache
from importlib.resources import files

import numpy as np

from extractors.article.forest import Forest
from extractors.records.candidates import Group, Signals, find_groups
from extractors.records.measures import Measures

LEAST = 0.25
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
    return (groups[best] if expected[best] >= LEAST else None), float(expected[best])


@cache
def choosing_forest() -> Forest:
    """As `benchmarks.train_records` has left it."""
    with files(__package__).joinpath("data/choosing.npz").open("rb") as file:
        return Forest.load(file)
