"""Limits occasional work to a share of the time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class TimeShare:
    """After each piece of work, the next one waits until the work has taken at most `share` of the time."""

    def __init__(self, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._share, self._clock = share, clock
        self._free_at = clock()

    def is_free(self) -> bool:
        """Whether work may begin."""
        return self._clock() >= self._free_at

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Count the time of the block as work."""
        begun = self._clock()
        yield
        self._free_at = self._clock() + (self._clock() - begun) / self._share
