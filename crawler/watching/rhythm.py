"""How the number of new things rises and falls with the hour of the day and the day of the week."""

from typing import Any, Self

import numpy as np

HOUR, DAY = 3_600.0, 86_400.0
_HOURS, _DAYS = 24, 7
_FIRST_DAY = 3
"""1970-01-01 was a Thursday; days count from Monday."""
_CERTAIN = 12.0
"""Things of an hour, or of a day of the week, that count as much as the belief that all of them are alike."""
_NEIGHBOURS = ((-1, 0.2), (0, 0.6), (1, 0.2))
"""Weights of an hour and of those beside it."""


class Rhythm:
    """Factors around 1, learned from counts: things that came, by things that were expected without a rhythm.

    Args:
        common: the rhythm of all sites, from which that of one site departs as its own counts say.
    """

    def __init__(self, common: "Rhythm | None" = None) -> None:
        self._common = common
        self._came, self._expected = np.zeros(_HOURS + _DAYS), np.zeros(_HOURS + _DAYS)
        self._cached_hour, self._cached = -1, 1.0

    def add(self, begin: float, end: float, expected: float, came: float) -> None:
        """Between two moments (seconds since the epoch) so many things were expected by the mean rate, and came."""
        hours = max(1, round((end - begin) / HOUR))
        for number in range(min(hours, _HOURS * _DAYS)):
            hour, day = _places(begin + (number + 0.5) * (end - begin) / hours)
            for place in (hour, day):
                self._came[place] += came / hours
                self._expected[place] += expected / hours * self._of_common(begin + (number + 0.5) * HOUR)
        self._cached_hour = -1

    def factor(self, moment: float) -> float:
        """By how much the rate differs from its mean at a moment."""
        number = int(moment // HOUR)
        if number != self._cached_hour:
            hour, day = _places(moment)
            self._cached_hour, self._cached = number, self._own(hour, day) * self._of_common(moment)
        return self._cached

    def mean(self, begin: float, end: float) -> float:
        """The mean factor between two moments."""
        steps = min(48, max(1, round((end - begin) / HOUR)))
        return sum(self.factor(begin + (step + 0.5) * (end - begin) / steps) for step in range(steps)) / steps

    def since(self, earlier: "Rhythm") -> "Rhythm":
        """What was learned after an earlier state of this rhythm."""
        found = Rhythm(self._common)
        found._came, found._expected = self._came - earlier._came, self._expected - earlier._expected
        return found

    def join(self, other: "Rhythm") -> None:
        """Learn what another has learned."""
        self._came, self._expected = self._came + other._came, self._expected + other._expected
        self._cached_hour = -1

    def take(self, other: "Rhythm") -> None:
        """Become the same as another."""
        self._came, self._expected, self._cached_hour = other._came.copy(), other._expected.copy(), -1

    def copy(self) -> "Rhythm":
        """With counts of its own."""
        found = Rhythm(self._common)
        found.take(self)
        return found

    def to_row(self) -> list[list[float]]:
        """Plain values, to be stored."""
        return [np.round(values, 3).tolist() for values in (self._came, self._expected)]

    @classmethod
    def from_row(cls, row: Any, common: Self | None = None) -> Self:
        """From what `to_row` gave; empty for anything else."""
        rhythm = cls(common)
        if isinstance(row, list) and len(row) == 2 and all(len(values) == _HOURS + _DAYS for values in row):
            rhythm._came, rhythm._expected = (np.array(values, float) for values in row)
        return rhythm

    def _of_common(self, moment: float) -> float:
        return 1.0 if self._common is None else self._common.factor(moment)

    def _own(self, hour: int, day: int) -> float:
        factors: list[float] = ((self._came + _CERTAIN) / (self._expected + _CERTAIN)).tolist()
        hours, days = factors[:_HOURS], factors[_HOURS:]
        smooth = sum(weight * hours[(hour + step) % _HOURS] for step, weight in _NEIGHBOURS)
        return smooth / (sum(hours) / _HOURS) * days[day - _HOURS] / (sum(days) / _DAYS)


def _places(moment: float) -> tuple[int, int]:
    return int(moment // HOUR) % _HOURS, _HOURS + (int(moment // DAY) + _FIRST_DAY) % _DAYS
