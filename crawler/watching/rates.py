"""How often a source has something new: a Gamma-Poisson rate with forgetting, and a rise after each new item."""

import math
from dataclasses import dataclass

PRIOR_COUNT, PRIOR_SECONDS = 0.3, 3 * 3_600.0
"""A source of which nothing is known: a new item in ten hours, which little can outweigh."""
HALF_LIFE_SECONDS = 36 * 3_600.0
"""Seconds after which what was seen counts half."""
EXCITED_SHARE, EXCITED_SECONDS = 0.3, 1_800.0
"""The share of new items that follow others, and the mean time after which they do (a Hawkes process)."""


@dataclass(slots=True)
class Rate:
    """New items a second.

    Attributes:
        count, seconds: new items and the time in which they came, both with forgetting, the time weighted by the hourly profile.
        heat: new items of late, each weighted by how long ago it was seen; at: of which moment heat is.
    """

    count: float = 0.0
    seconds: float = 0.0
    heat: float = 0.0
    at: float = 0.0

    @property
    def mean(self) -> float:
        """By day and night, without the rise after new items."""
        return (PRIOR_COUNT + self.count) / (PRIOR_SECONDS + self.seconds)

    def see(self, came: float, elapsed: float, factor: float, now: float) -> None:
        """So many new items came in so many seconds, in which the hourly profile had this mean factor."""
        kept = 0.5 ** (elapsed / HALF_LIFE_SECONDS)
        self.count, self.seconds = self.count * kept + came, self.seconds * kept + elapsed * factor
        self.heat = self.heat * math.exp(-max(0.0, now - self.at) / EXCITED_SECONDS) + came
        self.at = now
