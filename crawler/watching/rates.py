"""The rate of new items of a source: a Gamma-Poisson rate with exponential forgetting, raised after each new item."""

import math
from dataclasses import dataclass

PRIOR_COUNT, PRIOR_SECONDS = 0.3, 3 * 3_600.0
"""Weak prior of an unknown source: a new item in ten hours."""
HALF_LIFE_SECONDS = 36 * 3_600.0
"""Observations lose half their weight in this time."""
EXCITED_SHARE, EXCITED_SECONDS = 0.3, 1_800.0
"""The share of new items triggered by others, and their mean delay (a Hawkes process)."""


@dataclass(slots=True)
class Rate:
    """New items per second.

    Attributes:
        count, seconds: new items and the observed time, both with forgetting, the time weighted by the hourly profile.
        heat: recent new items, weighted by their age. at: the moment of `heat`.
    """

    count: float = 0.0
    seconds: float = 0.0
    heat: float = 0.0
    at: float = 0.0

    @property
    def mean(self) -> float:
        """The mean over all hours, without the rise after new items."""
        return (PRIOR_COUNT + self.count) / (PRIOR_SECONDS + self.seconds)

    def see(self, came: float, elapsed: float, factor: float, now: float) -> None:
        """Observe `came` new items in `elapsed` seconds, in which the hourly profile had this mean factor."""
        kept = 0.5 ** (elapsed / HALF_LIFE_SECONDS)
        self.count, self.seconds = self.count * kept + came, self.seconds * kept + elapsed * factor
        self.heat = self.heat * math.exp(-max(0.0, now - self.at) / EXCITED_SECONDS) + came
        self.at = now
