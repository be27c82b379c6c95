"""Which group of elements is the page's records: a weighted sum of measures."""

import numpy as np

from extractors.records.candidates import Group, Signals, find_groups, measure

WEIGHTS = np.array(
    (1.0, 1.6, 0.6, -1.2, 0.8, 1.6, 1.2, 1.0, 0.2, 0.2, 0.5, -1.5, 0.5, -0.2, 1.0, 0.3, -0.8, -1.5, 0.0, -0.8, 0.0)
)
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
