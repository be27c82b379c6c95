"""Titles outside a window of days around a title's day.

Days roughly follow the order of positions, so that the lowest and the highest day of a block of positions exclude most blocks. A
title without a day is never outside: its block may always be inside.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.titles.title_column import TitleColumn

_BLOCK_POSITIONS = 4_096
"""Positions of a block."""
_LAST = 0xFFFFFFFF
_MAX_RANGES = 32
"""Maximum ranges of positions that a search uses in each list."""
_MAX_CACHED_WINDOWS = 1_024
_LOWEST, _HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


class DayWindow(NamedTuple):
    """The window of a search, see `TitleIndex.search`.

    Attributes:
        outside: the minimum cosine of titles outside the window.
        day: of the searched title, days since 1970; 0: nothing is outside.
        width: days. days: int32[T], of the titles by position, 0 if unknown.
        ranges: uint32[2R], bounds of ranges of positions that may be inside, ascending; all others are certainly outside.
    """

    outside: float
    day: int
    width: int
    days: NDArray[np.int32]
    ranges: NDArray[np.uint32]

    def far(self, places: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """bool of each of these titles: it is outside."""
        days = self.days[places].astype(np.int64)
        return np.asarray((days != 0) & (np.abs(days - self.day) > self.width))


NO_WINDOW = DayWindow(1.0, 0, 0, np.zeros(1, np.int32), np.array([0, _LAST], np.uint32))


class DayBlocks:
    """The lowest and highest day of each full block of positions; days: of all titles, see `TitleIndex.add`."""

    def __init__(self, days: TitleColumn) -> None:
        self._days = days
        self._lowest, self._highest = TitleColumn(np.int32), TitleColumn(np.int32)
        self._known: dict[tuple[int, int], NDArray[np.uint32]] = {}

    def window(self, day: int, width: int, outside: float) -> DayWindow:
        """The window around this day; everything is inside if day or width is 0."""
        if not day or not width:
            return NO_WINDOW
        self._note_full()
        ranges = self._known.get((day, width))
        if ranges is None:
            if len(self._known) >= _MAX_CACHED_WINDOWS:
                self._known.clear()
            ranges = self._known[day, width] = self._ranges(day, width)
        return DayWindow(outside, day, width, self._days.data, ranges)

    def _note_full(self) -> None:
        known, full = len(self._lowest), len(self._days) // _BLOCK_POSITIONS
        if known == full:
            return
        days = self._days.data[known * _BLOCK_POSITIONS : full * _BLOCK_POSITIONS].reshape(-1, _BLOCK_POSITIONS)
        unknown = (days == 0).any(axis=1)
        self._lowest.extend(np.where(unknown, _LOWEST, days.min(axis=1)))
        self._highest.extend(np.where(unknown, _HIGHEST, days.max(axis=1)))
        self._known.clear()

    def _ranges(self, day: int, width: int) -> NDArray[np.uint32]:
        inside = (self._lowest.filled() <= day + width) & (self._highest.filled() >= day - width)
        states = np.concatenate([[False], inside, [True]])  # the last, incomplete block may be inside
        bounds = np.flatnonzero(states[1:] != states[:-1]) * _BLOCK_POSITIONS
        return _merged(np.append(bounds, _LAST)).astype(np.uint32)


def _merged(bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranges, limited to the maximum number by merging those with the smallest gaps."""
    gaps = bounds[2::2] - bounds[1:-1:2]
    widest = np.sort(np.argsort(gaps, kind="stable")[::-1][: _MAX_RANGES - 1])
    between = np.stack([bounds[1:-1:2][widest], bounds[2::2][widest]], axis=1).ravel()
    return np.concatenate([bounds[:1], between, bounds[-1:]])
