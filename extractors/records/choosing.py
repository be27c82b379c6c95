"""Which group of elements is the page's records: a weighted sum of measures."""

import numpy as np

from extractors.records.candidates import Group, Signals, find_groups, measure

WEIGHTS = np.array(
    (
        1.74,
        1.88,
        0.09,
        -1.66,
        1.21,
        1.93,
        0.59,
        1.06,
        -0.35,
        0.41,
        1.15,
        -1.49,
        0.66,
        -0.61,
        1.39,
        -0.14,
        -1.01,
        -1.08,
        -0.23,
        -1.45,
        0.43,
    )
)
"""One per measure of `candidates.measure`, fitted by `benchmarks.train_records`."""
LEAST = 4.2
"""A group that weighs less is no answer: the page has no records."""


def choose(signals: Signals) -> tuple[Group | None, float]:
    """The heaviest group and its weight; None where no group weighs enough."""
    groups = find_groups(signals)
    if not groups:
        return None, 0.0
    weights = np.array([measure(group, signals) for group in groups]) @ WEIGHTS
    best = int(np.argmax(weights))
    weight = float(weights[best])
    return (groups[best], weight) if weight >= LEAST else (None, weight)
