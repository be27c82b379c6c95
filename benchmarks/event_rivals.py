"""Simple ways to group alike reports: a single pass, DBSCAN and average link, each given cosines, a least likeness and gaps in days."""

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def single_pass(alike: Values, least: float) -> list[int]:
    """Each report joins the event of the most alike report before it."""
    events = list(range(len(alike)))
    for row in range(1, len(alike)):
        nearest = int(alike[row, :row].argmax())
        if alike[row, nearest] >= least:
            events[row] = events[nearest]
    return events


def dbscan(alike: Values, least: float) -> list[int]:
    """Reports that are linked over others as alike; a neighbourhood of two is dense, so this is single link."""
    events = np.arange(len(alike))
    for row, column in zip(*np.nonzero(np.triu(alike >= least, 1)), strict=True):
        if events[row] != events[column]:
            events[events == events[column]] = events[row]
    found: list[int] = events.tolist()
    return found


def average_link(alike: Values, least: float) -> list[int]:
    """The two groups of the highest mean likeness are merged as long as it is high enough."""
    means, sizes, events = alike.copy(), np.ones(len(alike)), np.arange(len(alike))
    np.fill_diagonal(means, -1)
    while True:
        first, second = divmod(int(means.argmax()), len(means))
        if means[first, second] < least:
            found: list[int] = events.tolist()
            return found
        means[first] = (means[first] * sizes[first] + means[second] * sizes[second]) / (sizes[first] + sizes[second])
        means[:, first] = means[first]
        means[first, first] = -1
        means[second], means[:, second] = -1, -1
        sizes[first] += sizes[second]
        events[events == events[second]] = events[first]
