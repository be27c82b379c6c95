"""Expected counts of each hour from the hours before it: a level, daily and weekly profiles, and the share of the total,
so that a crawler that collects more does not look like a trend."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HOURS_A_DAY = 24
_PROFILE_DAYS = 28
_LEVEL_HOURS = 14 * 24
_FLAT = 3.0
"""As many counts of each hour of the day as the rhythm begins with, so that few counts make no rhythm."""
_GAP_HOURS = 12
"""The last hours are left out of the level, so that a burst does not raise its own baseline."""
_PRIOR_HOURS = 48
"""Prior of the level: one count in this number of hours, divided by the observed counts, so that the prior supports rare series
and does not lower frequent ones."""
_CLIPPED = 3.0
"""Factor (plus a constant) over the expected count at which an hour is clipped for the level."""
_SPARE = 2.0
_UNKNOWN_HOURS = 24
"""First hours without a known baseline."""


def expected(
    counts: NDArray[np.int64], total: NDArray[np.int64] | None = None, first_hour: int = 0, ahead: int = 0
) -> Floats:
    """float64[H + ahead]: the count that is expected of each hour, and of `ahead` hours after the last.

    counts: int64[H] of consecutive hours, the first of which is `first_hour` (0 to 167) of a local week that begins on Monday at 0:00.
    total: int64[H] of all that was collected in these hours; with it the expected count is never less than the usual share of it.
    Each hour is expected from earlier hours only.
    """
    counts, known = _extended(counts, ahead), len(counts)
    reference = counts if total is None else _extended(total, ahead)
    profile = _profile(reference, first_hour, known)
    found = _level(counts, profile, known) * profile
    if total is None or not total.any():  # no share of an empty total
        return found
    volume = reference.astype(np.float64)
    volume[known:] = (_level(reference, profile, known) * profile)[known:]
    return np.maximum(found, _level(counts, volume, known) * volume)


def _extended(counts: NDArray[np.int64], ahead: int) -> NDArray[np.int64]:
    return np.concatenate([counts, np.zeros(ahead, np.int64)])


def _profile(reference: NDArray[np.int64], first_hour: int, known: int) -> Floats:
    """float64[H], 1 in the mean: how much of the usual an hour of the day and of the week has, by the four weeks before."""
    pad = first_hour % HOURS_A_DAY
    days = -(-(pad + len(reference)) // HOURS_A_DAY)
    table = np.zeros((days, HOURS_A_DAY))
    table.ravel()[pad : pad + len(reference)] = reference
    seen = np.zeros(days)
    seen[min(1, pad) : (pad + known) // HOURS_A_DAY] = 1  # whole days
    table *= seen[:, None]
    by_hour = _before(table, _PROFILE_DAYS)
    usual = by_hour.mean(axis=1, keepdims=True)
    hour = (by_hour + _FLAT) / (usual + _FLAT)
    weekday = (first_hour // HOURS_A_DAY + np.arange(days)) % 7
    whole = (hour * _weekdays(table.sum(axis=1), seen, weekday)[:, None]).ravel()
    return np.asarray(whole[pad : pad + len(reference)])


def _weekdays(sums: Floats, seen: Floats, weekday: NDArray[np.int64]) -> Floats:
    """float64[D]: how much of the usual a day of its weekday has, drawn towards 1 as by two usual days."""
    same = weekday[:, None] == np.arange(7)
    alike = np.take_along_axis(_before(sums[:, None] * same, _PROFILE_DAYS), weekday[:, None], 1)[:, 0]
    count = np.take_along_axis(_before(seen[:, None] * same, _PROFILE_DAYS), weekday[:, None], 1)[:, 0]
    usual = _before(sums[:, None], _PROFILE_DAYS)[:, 0] / np.maximum(1, _before(seen[:, None], _PROFILE_DAYS)[:, 0])
    return np.asarray((alike + 2 * usual + 1) / (count * usual + 2 * usual + 1))


def _before(rows: Floats, most: int) -> Floats:
    """For each row the sum of the `most` rows before it."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
    place = np.arange(len(rows))
    return np.asarray(sums[place] - sums[np.maximum(0, place - most)])


def _level(counts: NDArray[np.int64], scale: Floats, known: int) -> Floats:
    """float64[H]: counts by `scale` over the two weeks before each hour, without the last hours; big hours count in part."""
    first = _running(counts.astype(np.float64), scale, known)
    clipped = np.minimum(counts, _CLIPPED * first * scale + _SPARE)
    clipped[:_UNKNOWN_HOURS] = counts[:_UNKNOWN_HOURS]
    return _running(clipped, scale, known)


def _running(counts: Floats, scale: Floats, known: int) -> Floats:
    hours = np.arange(len(counts))
    stop = np.maximum(0, np.minimum(hours, known) - _GAP_HOURS)
    start = np.maximum(0, stop - _LEVEL_HOURS)
    some, all_ = _sums(counts), _sums(scale)
    until = np.minimum(hours + 1, max(1, known))
    usual = np.maximum(all_[until] / until, 1e-9)
    came = some[stop] - some[start] + 1
    return np.asarray(came / (all_[stop] - all_[start] + _PRIOR_HOURS * usual / came))


def _sums(values: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(values)])
