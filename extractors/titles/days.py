"""Which titles lie outside of a window of days around a title's day.

Days come roughly in the order of positions, so that the lowest and the highest day of a block of positions tell of most blocks that
no title in them is inside. A title of unknown day never is too far: its block may always be inside.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractors.titles.columns import TitleColumn

_BLOCK = 4_096
"""Positions whose days are looked at together."""
_LAST = 0xFFFFFFFF
_MOST_RANGES = 32
"""Ranges of positions that a search looks for in each list."""
_MOST_DAYS = 1_024
_LOWEST, _HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


class DayWindow(NamedTuple):
    """The window of a search, see `TitleIndex.nearest`.

    Attributes:
        outside: the cosine from which titles outside of it are found.
        day: of the title that is asked for, days since 1970; 0: nothing is outside.
        width: days. days: int32[T], of the titles by position, 0 where it is unknown.
        ranges: uint32[2R], where ranges of positions that may be inside begin and end, ascending; all others surely are outside.
    """

    outside: float
    day: int
    width: int
    days: NDArray[np.int32]
    ranges: NDArray[np.uint32]

    def far(self, places: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which of these titles lie outside."""
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
        """Around this day; everything is inside where it is 0 or the width is."""
        if not day or not width:
            return NO_WINDOW
        self._note_full()
        ranges = self._known.get((day, width))
        if ranges is None:
            if len(self._known) >= _MOST_DAYS:
                self._known.clear()
            ranges = self._known[day, width] = self._ranges(day, width)
        return DayWindow(outside, day, width, self._days.data, ranges)

    def _note_full(self) -> None:
        known, full = len(self._lowest), len(self._days) // _BLOCK
        if known == full:
            return
        days = self._days.data[known * _BLOCK : full * _BLOCK].reshape(-1, _BLOCK)
        unknown = (days == 0).any(axis=1)
        self._lowest.extend(np.where(unknown, _LOWEST, days.min(axis=1)))
        self._highest.extend(np.where(unknown, _HIGHEST, days.max(axis=1)))
        self._known.clear()

    def _ranges(self, day: int, width: int) -> NDArray[np.uint32]:
        inside = (self._lowest.filled() <= day + width) & (self._highest.filled() >= day - width)
        states = np.concatenate([[False], inside, [True]])  # the block that is not full yet may be inside
        bounds = np.flatnonzero(states[1:] != states[:-1]) * _BLOCK
        return _few(np.append(bounds, _LAST)).astype(np.uint32)


def _few(bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ranges as the most that are looked for: those with the least between them become one."""
    gaps = bounds[2::2] - bounds[1:-1:2]
    widest = np.sort(np.argsort(gaps, kind="stable")[::-1][: _MOST_RANGES - 1])
    between = np.stack([bounds[1:-1:2][widest], bounds[2::2][widest]], axis=1).ravel()
    return np.concatenate([bounds[:1], between, bounds[-1:]])
