"""Bursts: spans with counts far above the expected, detected online.

An hour is compared over windows of several lengths that end with it. The distance of a count C from the expected E is
2 (√(C + 3/8) - √(E + 3/8)), about normal if counts scatter by chance alone (Anscombe 1948), divided by how much more they do scatter.
"""

from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from analysis.trend.baseline import Floats

WINDOWS = (1, 2, 4, 8)
"""Window lengths in hours."""
_SCATTER_HOURS = 14 * 24
_QUIET_HOURS = 3
_QUIET_RATIO = 1.5
WARM_UP = 7 * 24
"""Hours at the start of a series without a baseline, in which no burst is detected."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """A burst has a distance of at least `distance`, `least` counts in a window, and `ratio` times the expected count."""

    distance: float = 2.75
    least: int = 6
    ratio: float = 2.0


@dataclass(frozen=True, slots=True)
class Burst:
    """Numbers of hours: it began in `start`, was noticed in `noticed`, was highest in `peak` and ended before `end`; None: it
    continues. `count` and `usual` are over its hours."""

    start: int
    noticed: int
    peak: int
    end: int | None
    count: int
    usual: float
    distance: float


DEFAULT = Sensitivity()


def distances(counts: NDArray[np.int64], usual: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """float64[W, H]: how far each window that ends with an hour is from what was expected; int64[W, H]: its count."""
    scatter = _scatter(counts, usual)
    sums = np.stack([_window(counts, width) for width in WINDOWS])
    means = np.stack([_window(usual, width) for width in WINDOWS])
    return 2 * (np.sqrt(sums + 0.375) - np.sqrt(means + 0.375)) / scatter, sums.astype(np.int64)


def needed(usual: float, scatter: float = 1.0, sensitivity: Sensitivity = DEFAULT) -> int:
    """The least count that begins a burst where `usual` is expected."""
    far = (sqrt(usual + 0.375) + sensitivity.distance * scatter / 2) ** 2 - 0.375
    return ceil(max(sensitivity.least, sensitivity.ratio * usual, far))


def latest_against_needed(counts: NDArray[np.int64], usual: Floats) -> tuple[int, int]:
    """The count of the window up to the last hour that comes nearest to a burst, and what it would need."""
    scatter = float(_scatter(counts, usual)[-1])
    pairs = [(int(counts[-width:].sum()), needed(float(usual[-width:].sum()), scatter)) for width in WINDOWS]
    return max(pairs, key=lambda pair: pair[0] / pair[1])


def _window(values: NDArray[np.int64] | Floats, width: int) -> Floats:
    sums = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    place = np.arange(1, len(values) + 1)
    return np.asarray(sums[place] - sums[np.maximum(0, place - width)])


def _scatter(counts: NDArray[np.int64], usual: Floats) -> Floats:
    """float64[H], at least 1: how many times wider than by chance the two weeks before each hour scatter; outliers are cut off."""
    own = np.minimum(4.0, 4 * (np.sqrt(counts + 0.375) - np.sqrt(usual + 0.375)) ** 2)
    hours = np.minimum(np.arange(1, len(counts) + 1), _SCATTER_HOURS)
    before = np.concatenate([[0.0], _window(own, _SCATTER_HOURS)[:-1]])
    return np.asarray(np.sqrt(np.maximum(1.0, before / hours)))


def find_bursts(counts: NDArray[np.int64], usual: Floats, sensitivity: Sensitivity = DEFAULT) -> list[Burst]:
    """All bursts of a series, in order; nothing later than an hour decides whether a burst is noticed in it.

    counts: int64[H]; usual: float64[H] as from `expected`.
    """
    far, sums = distances(counts, usual)
    means = np.stack([_window(usual, width) for width in WINDOWS])
    fired = (far >= sensitivity.distance) & (sums >= sensitivity.least) & (sums >= sensitivity.ratio * means)
    quiet = _window(counts, _QUIET_HOURS) <= _QUIET_RATIO * _window(usual, _QUIET_HOURS) + 1
    fired[:, :WARM_UP] = False
    fired[:, quiet] = False
    found: list[Burst] = []
    hour, end = 0, 0
    for hour in np.flatnonzero(fired.any(axis=0)).tolist():
        if hour < end:
            continue
        width = WINDOWS[int(np.where(fired[:, hour], far[:, hour], -1).argmax())]
        after = np.flatnonzero(quiet[hour:])
        end = hour + int(after[0]) if len(after) else len(counts) + 1
        found.append(_burst(counts, usual, far, max(found[-1].end or 0 if found else 0, hour - width + 1), hour, end))
    return found


def _burst(counts: NDArray[np.int64], usual: Floats, far: Floats, start: int, noticed: int, end: int) -> Burst:
    stop = min(max(end, noticed + 1), len(counts))
    while start < noticed and counts[start] <= usual[start]:
        start += 1
    peak = start + int(counts[start:stop].argmax())
    return Burst(
        start, noticed, peak, stop if end <= len(counts) else None, int(counts[start:stop].sum()),
        float(usual[start:stop].sum()), float(far[:, noticed:stop].max()),
    )  # fmt: skip
