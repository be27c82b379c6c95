"""Selects the source to visit next: the one with the largest accumulated waiting cost.

Items that appear between two visits wait for the second. With rate λ, importance μ and unseen time u before now, the waits so
far sum up to μλ∫u du, which is μλΔ²/2 after Δ seconds without a visit: visiting the largest first minimises the sum of all
waits for any budget. If another source of the same site shows a share p of the same items, its visit removes that share. So
each source has two moments of its unseen time, which grow with time and shrink with visits of other sources.
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
    "gap",
)
_MEASURES = _FIELDS.index("host")
"""The number of fields that determine the waiting cost."""
WORTH = 3.0
"""Minimum expected saving of a visit, in seconds of waiting."""
_MIN_CROWDED_SHARE = 0.4
"""Share of a list that may be replaced before items risk scrolling off."""


class VisitQueue:
    """Columns over all sources; a source is a row number.

    Attributes:
        risen: incremented whenever a source's value rises for another reason than time.
    """

    def __init__(self) -> None:
        self.rows = self.risen = 0
        self._has_gaps = False
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
    _gap: NDArray[np.float64]

    def add(self, host: int, now: float, *, unseen: float) -> int:
        """Add a row, initially unvisited for `unseen` seconds."""
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
        """Set the rate, with a minimum of `least` items per second, and the hourly profile's factor of this hour."""
        self._mean[row], self._factor[row] = max(rate.mean, least), factor
        self._heat[row], self._heat_at[row] = rate.heat, rate.at

    def set_factor(self, row: int, factor: float) -> None:
        """Set the profile's factor of this hour."""
        self._factor[row] = factor

    def set_list(self, row: int, *, size: float, importance: float, interval: float) -> None:
        """Set the number of listed items, their importance, and the operator's maximum interval of visits."""
        self._size[row], self._importance[row], self._interval[row] = max(1.0, size), importance, interval

    def set_idle(self, row: int, idle: bool) -> None:
        """Set whether the source may be chosen; it may not while it is being visited or dead."""
        self._idle[row] = float(idle)

    def set_gap(self, rows: NDArray[np.intp], seconds: float) -> None:
        """Set the seconds between two visits at least; pinned sources have none of their own."""
        self.risen += 1
        self._gap[rows] = seconds
        self._has_gaps = bool(self._gap[: self.rows].any())

    def visited(self, row: int) -> float:
        """The moment of the last visit."""
        return float(self._visited[row])

    def see(self, row: int, now: float) -> None:
        """Note a visit of the source itself."""
        self._visited[row] = now

    def set_unseen(
        self, rows: NDArray[np.intp], seconds: NDArray[np.float64], moments: NDArray[np.float64], now: float
    ) -> None:
        """Set the unseen times of a site's sources; see `crawler.watching.coverage.unseen_moments`."""
        self._unseen[rows], self._moment[rows], self._at[rows] = seconds, moments, now

    def hurry(self, row: int, now: float, unseen: float) -> None:
        """Treat a source that certainly has new items as unvisited for `unseen` seconds."""
        self.risen += 1
        self._unseen[row], self._moment[row], self._at[row] = unseen, unseen**2 / 2, now

    def visits(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The moments of the last visits."""
        return self._visited[rows]

    def rates(self, now: float) -> NDArray[np.float64]:
        """Expected new items per second at present."""
        n = self.rows
        return _rates(self._mean[:n], self._factor[:n], self._heat[:n], self._heat_at[:n], now)

    def values(self, now: float, rows: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
        """The accumulated waiting cost of each source, or of some rows."""
        table = self._table[:, : self.rows] if rows is None else self._table.take(rows, axis=1)
        mean, factor, heat, heat_at, before, moment, at, visited, importance, size, interval = table[:_MEASURES]
        rates = _rates(mean, factor, heat, heat_at, now)
        elapsed = now - at
        waited = moment + before * elapsed + elapsed**2 / 2
        crowded = 1 + (rates * (before + elapsed) / (_MIN_CROWDED_SHARE * size)) ** 2
        overdue = (interval > 0) & (now - visited >= interval)
        return np.where(overdue, np.inf, importance * rates * waited * crowded)

    def due(self, now: float, value: float) -> int:
        """The number of idle sources with at least this value."""
        return int(((self._idle[: self.rows] > 0) & (self.values(now) >= max(value, WORTH))).sum())

    def waiting(
        self, now: float, ready: NDArray[np.bool_], gap: float, rows: NDArray[np.intp] | None = None
    ) -> NDArray[np.intp]:
        """The rows that may be visited: idle, with an available host, and last visited at least `gap` seconds ago."""
        n = self.rows
        if rows is None:
            rows = np.flatnonzero((self._idle[:n] > 0) & (now - self._visited[:n] >= gap))
        else:
            rows = rows[(self._idle[rows] > 0) & (now - self._visited[rows] >= gap)]
        if self._has_gaps:
            rows = rows[(now - self._visited[rows] >= self._gap[rows]) | (self._interval[rows] > 0)]
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
