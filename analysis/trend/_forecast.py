"""Forecast of the next hours: the usual level plus the decaying burst, with the error of earlier forecasts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.trend.baseline import Floats, expected

HOURS = 24
_HALF_LIFE = 8.0
"""Half-life in hours of an excess over the usual."""
_RECENT = 6
_TRIALS = 14
_SPACING = 24
NORMAL_80 = 1.2816


@dataclass(frozen=True, slots=True)
class Forecast:
    """`hours` float64[24] expected counts; their sum `total` with the bounds that hold in about 80 of 100 cases; `error` is the mean
    absolute error of `trials` such forecasts of days that are over, None if there were none: of a topic as a share of the counts that
    came, of an event in pages."""

    hours: Floats
    total: float
    low: float
    high: float
    error: float | None
    trials: int


def forecast(counts: NDArray[np.int64], total: NDArray[np.int64] | None = None, first_hour: int = 0) -> Forecast:
    """The 24 hours after the last of int64[H] counts; arguments as in `expected`."""
    hours = _next_day(counts, total, first_hour)
    errors, came = _earlier(counts, total, first_hour)
    sum_ = float(hours.sum())
    relative = float(np.sqrt(np.mean((errors / np.maximum(came, 5)) ** 2))) if len(errors) else 0.5
    half = NORMAL_80 * float(np.sqrt(sum_ + (relative * sum_) ** 2))
    share = float(np.abs(errors).sum() / came.sum()) if len(errors) and came.sum() else None
    return Forecast(hours, sum_, max(0.0, sum_ - half), sum_ + half, share, len(errors))


def _next_day(counts: NDArray[np.int64], total: NDArray[np.int64] | None, first_hour: int) -> Floats:
    usual = expected(counts, total, first_hour, ahead=HOURS)
    recent = slice(max(0, len(counts) - _RECENT), len(counts))
    excess = float((counts[recent] - usual[recent]).sum()) / _RECENT
    scattered = float(np.sqrt(usual[recent].sum() + 1)) / _RECENT
    left = excess - np.sign(excess) * min(abs(excess), scattered)
    fading = left * 0.5 ** ((np.arange(HOURS) + _RECENT / 2) / _HALF_LIFE)
    return np.asarray(np.maximum(0.0, usual[len(counts) :] + fading))


def _earlier(counts: NDArray[np.int64], total: NDArray[np.int64] | None, first_hour: int) -> tuple[Floats, Floats]:
    """Errors of earlier forecasts, and the actual counts."""
    ends = [len(counts) - HOURS - _SPACING * trial for trial in range(_TRIALS)]
    ends = [end for end in ends if end >= 2 * HOURS]
    made = [_next_day(counts[:end], total[:end] if total is not None else None, first_hour).sum() for end in ends]
    came = np.array([counts[end : end + HOURS].sum() for end in ends], np.float64)
    return np.array(made, np.float64) - came, came
