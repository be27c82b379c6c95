"""Which source to visit next: the one where waiting has cost most so far.

What appears at a source between two visits waits for the second. With rate λ, importance μ and unseen time u before now, the
waits so far sum up to μλ∫u du, which is μλΔ²/2 if nobody has looked for Δ seconds: visiting the largest first minimises the sum
of all waits for any budget. Where another source of the same site shows a share p of the same items, its visit takes away
that share. So each source has two moments of its unseen time, which a visit elsewhere shrinks and time makes grow.
"""

import numpy as np
from numpy.typing import NDArray

from crawler.watching.rates import EXCITED_SECONDS, EXCITED_SHARE, Rate

_FIELDS = (
    "mean",
    "factor",
    "heat",
    "heat_at",
    "unseen",
    "moment",
    "at",
    "visited",
    "importance",
    "size",
    "interval",
    "host",
    "idle",
)
_MEASURES = _FIELDS.index("host")
"""The fields before it say what waiting has cost."""
WORTH = 3.0
"""Seconds of waiting that a visit must be expected to save."""
_MIN_CROWDED_SHARE = 0.4
"""The share of a list that may be replaced before items are in danger of scrolling off."""


class VisitQueue:
    """Columns over all sources; a source is a row number.

    Attributes:
        risen: grows whenever time alone does not explain that a source is worth more than before.
    """

    def __init__(self) -> None:
        self.rows = self.risen = 0
        self._table = np.zeros((len(_FIELDS), 64))
        self._name_columns()

    def _name_columns(self) -> None:
        for place, name in enumerate(_FIELDS):
            setattr(self, f"_{name}", self._table[place])

    _mean: NDArray[np.float64]
    _factor: NDArray[np.float64]
    _heat: NDArray[np.float64]
    _heat_at: NDArray[np.float64]
    _unseen: NDArray[np.float64]
    _moment: NDArray[np.float64]
    _at: NDArray[np.float64]
    _visited: NDArray[np.float64]
    _importance: NDArray[np.float64]
    _size: NDArray[np.float64]
    _interval: NDArray[np.float64]
    _host: NDArray[np.float64]
    _idle: NDArray[np.float64]

    def add(self, host: int, now: float, *, unseen: float) -> int:
        """A new row; `unseen` seconds count as unvisited already."""
        if self.rows == self._table.shape[1]:
            self._table = np.concatenate((self._table, np.zeros_like(self._table)), axis=1)
            self._name_columns()
        row, self.rows = self.rows, self.rows + 1
        self.risen += 1
        self._table[:, row] = 0.0
        self._host[row], self._at[row], self._visited[row] = host, now, now - unseen
        self._unseen[row], self._moment[row] = unseen, unseen**2 / 2
        self._importance[row], self._factor[row], self._idle[row], self._size[row] = 1.0, 1.0, 1.0, 20.0
        self._mean[row] = Rate().mean
        return row

    def set_rate(self, row: int, rate: Rate, factor: float, least: float = 0.0) -> None:
        """The rate as it is known now, but at least so many items a second, and the hourly profile's factor of this hour."""
        self._mean[row], self._factor[row] = max(rate.mean, least), factor
        self._heat[row], self._heat_at[row] = rate.heat, rate.at

    def set_factor(self, row: int, factor: float) -> None:
        """The profile's factor of this hour."""
        self._factor[row] = factor

    def set_list(self, row: int, *, size: float, importance: float, interval: float) -> None:
        """How many items the source shows, what they are worth, and the longest time between visits that a person has set."""
        self._size[row], self._importance[row], self._interval[row] = max(1.0, size), importance, interval

    def set_idle(self, row: int, idle: bool) -> None:
        """A source that is being visited, or that has faded, is not chosen."""
        self._idle[row] = float(idle)

    def visited(self, row: int) -> float:
        """The moment of the last visit."""
        return float(self._visited[row])

    def see(self, row: int, now: float) -> None:
        """The source itself was visited."""
        self._visited[row] = now

    def set_unseen(
        self, rows: NDArray[np.intp], seconds: NDArray[np.float64], moments: NDArray[np.float64], now: float
    ) -> None:
        """The unseen time of the sources of a site; see `crawler.watching.coverage.unseen_moments`."""
        self._unseen[rows], self._moment[rows], self._at[rows] = seconds, moments, now

    def hurry(self, row: int, now: float, unseen: float) -> None:
        """The source has surely something new: it waits as if it had not been visited for so many seconds."""
        self.risen += 1
        self._unseen[row], self._moment[row], self._at[row] = unseen, unseen**2 / 2, now

    def visits(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The moments of the last visits."""
        return self._visited[rows]

    def rates(self, now: float) -> NDArray[np.float64]:
        """New items a second that are to be expected now."""
        n = self.rows
        return _rates(self._mean[:n], self._factor[:n], self._heat[:n], self._heat_at[:n], now)

    def values(self, now: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """What waiting has cost at each source, or at some of them."""
        table = self._table[:, : self.rows] if rows is None else self._table.take(rows, axis=1)
        mean, factor, heat, heat_at, before, moment, at, visited, importance, size, interval = table[:_MEASURES]
        rates = _rates(mean, factor, heat, heat_at, now)
        elapsed = now - at
        waited = moment + before * elapsed + elapsed**2 / 2
        crowded = 1 + (rates * (before + elapsed) / (_MIN_CROWDED_SHARE * size)) ** 2
        overdue = (interval > 0) & (now - visited >= interval)
        return np.where(overdue, np.inf, importance * rates * waited * crowded)

    def due(self, now: float, value: float) -> int:
        """How many idle sources are worth at least that much."""
        return int(((self._idle[: self.rows] > 0) & (self.values(now) >= max(value, WORTH))).sum())

    def waiting(
        self, now: float, ready: NDArray[np.bool_], gap: float, rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.intp]:
        """Of these rows, or of all, those that may be visited: idle, their host ready, their last visit `gap` seconds ago."""
        n = self.rows
        if rows is None:
            rows = np.flatnonzero((self._idle[:n] > 0) & (now - self._visited[:n] >= gap))
        else:
            rows = rows[(self._idle[rows] > 0) & (now - self._visited[rows] >= gap)]
        return rows[ready[self._host[rows].astype(np.intp)]]


def _rates(
    mean: NDArray[np.float64],
    factor: NDArray[np.float64],
    heat: NDArray[np.float64],
    heat_at: NDArray[np.float64],
    now: float,
) -> NDArray[np.float64]:
    hot = heat * np.exp((heat_at - now) / EXCITED_SECONDS)
    expected: NDArray[np.float64] = (1 - EXCITED_SHARE) * mean * factor
    return expected + hot * (EXCITED_SHARE / EXCITED_SECONDS)
