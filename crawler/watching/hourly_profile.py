"""The number of new items by hour of the day and day of the week."""

from typing import Any, Self

import numpy as np

HOUR, DAY = 3_600.0, 86_400.0
_HOURS, _DAYS = 24, 7
_FIRST_DAY = 3
"""1970-01-01 was a Thursday; days count from Monday."""
_PRIOR_ITEMS = 12.0
"""Weight, in items, of the prior that all hours, or all days of the week, are equal."""
_NEIGHBOURS = ((-1, 0.2), (0, 0.6), (1, 0.2))
"""Weights of an hour and of its neighbours."""


class HourlyProfile:
    """Factors around 1, learned from counts: observed items divided by items expected without a profile.

    Args:
        common: the profile of all sites, which is the prior for that of one site.
    """

    def __init__(self, common: "HourlyProfile | None" = None) -> None:
        self._common = common
        self._came, self._expected = np.zeros(_HOURS + _DAYS), np.zeros(_HOURS + _DAYS)
        self._cached_hour, self._cached = -1, 1.0

    def add(self, begin: float, end: float, expected: float, came: float) -> None:
        """Count items expected by the mean rate, and observed, between two moments (seconds since the epoch)."""
        hours = max(1, round((end - begin) / HOUR))
        for number in range(min(hours, _HOURS * _DAYS)):
            hour, day = _places(begin + (number + 0.5) * (end - begin) / hours)
            for place in (hour, day):
                self._came[place] += came / hours
                self._expected[place] += expected / hours * self._of_common(begin + (number + 0.5) * HOUR)
        self._cached_hour = -1

    def factor(self, moment: float) -> float:
        """The ratio of the rate at a moment to its mean."""
        number = int(moment // HOUR)
        if number != self._cached_hour:
            hour, day = _places(moment)
            self._cached_hour, self._cached = number, self._own(hour, day) * self._of_common(moment)
        return self._cached

    def mean(self, begin: float, end: float) -> float:
        """The mean factor between two moments."""
        steps = min(48, max(1, round((end - begin) / HOUR)))
        return sum(self.factor(begin + (step + 0.5) * (end - begin) / steps) for step in range(steps)) / steps

    def to_row(self) -> list[list[float]]:
        """Plain values, to be stored."""
        return [np.round(values, 3).tolist() for values in (self._came, self._expected)]

    @classmethod
    def from_row(cls, row: Any, common: Self | None = None) -> Self:
        """The inverse of `to_row`; empty for anything else."""
        profile = cls(common)
        profile.restore(row)
        return profile

    def restore(self, row: Any) -> None:
        """Restore the counts of `to_row`; ignores anything else."""
        if isinstance(row, list) and len(row) == 2 and all(len(values) == _HOURS + _DAYS for values in row):
            self._came, self._expected = (np.array(values, float) for values in row)
            self._cached_hour = -1

    def _of_common(self, moment: float) -> float:
        return 1.0 if self._common is None else self._common.factor(moment)

    def _own(self, hour: int, day: int) -> float:
        factors: list[float] = ((self._came + _PRIOR_ITEMS) / (self._expected + _PRIOR_ITEMS)).tolist()
        hours, days = factors[:_HOURS], factors[_HOURS:]
        smooth = sum(weight * hours[(hour + step) % _HOURS] for step, weight in _NEIGHBOURS)
        return smooth / (sum(hours) / _HOURS) * days[day - _HOURS] / (sum(days) / _DAYS)


def _places(moment: float) -> tuple[int, int]:
    return int(moment // HOUR) % _HOURS, _HOURS + (int(moment // DAY) + _FIRST_DAY) % _DAYS
