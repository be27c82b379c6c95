"""A short-lived cache of the most valuable sources, since evaluating thousands of them for each request is expensive."""

import numpy as np
from numpy.typing import NDArray

from crawler.watching.visit_queue import WORTH, VisitQueue

_LIFE_SECONDS = 0.25
"""Lifetime of the list; values hardly change in this time without an answer."""
_MAX_ROWS = 64


class Shortlist:
    """The best sources of `queue` at the last evaluation of all."""

    def __init__(self, queue: VisitQueue) -> None:
        self._queue = queue
        self._rows = np.zeros(0, np.intp)
        self._floor = 0.0
        self._at, self._seen = -np.inf, -1

    def best(self, now: float, ready: NDArray[np.bool_], gap: float) -> tuple[int, float]:
        """The idle row of greatest value whose host is ready and whose last visit is `gap` seconds ago, and the value.

        The row is -1 if no visit is worth a request.
        """
        if self._at <= now < self._at + _LIFE_SECONDS and self._seen == self._queue.risen:
            row, value = self._first(now, ready, gap)
            if value >= self._floor:
                return row, value
        self._weigh_all(now, ready, gap)
        return self._first(now, ready, gap)

    def _first(self, now: float, ready: NDArray[np.bool_], gap: float) -> tuple[int, float]:
        if not len(self._rows):
            return -1, 0.0
        rows = self._rows = self._queue.waiting(now, ready, gap, self._rows)
        if not len(rows):
            return -1, 0.0
        values = self._queue.values(now, rows)
        best = int(values.argmax())
        return (int(rows[best]) if values[best] >= WORTH else -1), float(values[best])

    def _weigh_all(self, now: float, ready: NDArray[np.bool_], gap: float) -> None:
        """List sources that are worth a request, or will be soon; the floor is the value of the best one left out."""
        rows = self._queue.waiting(now, ready, gap)
        values, self._floor = self._queue.values(now + _LIFE_SECONDS, rows), 0.0
        rows, values = rows[values >= WORTH], values[values >= WORTH]
        if len(rows) > _MAX_ROWS:
            order = np.argpartition(values, -_MAX_ROWS - 1)[-_MAX_ROWS - 1 :]
            self._floor, rows = float(values[order[0]]), rows[order[1:]]
        self._rows, self._at, self._seen = rows, now, self._queue.risen
