"""Seconds since the epoch that never go back within a process, and pass on while the machine sleeps."""

import time
from collections.abc import Callable

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OFFSET = time.time() - time.clock_gettime(_CLOCK)


def clock_at_speed(speed: float) -> Callable[[], float]:
    """The wall clock; in a simulated web whose seconds are shorter, a clock that runs faster from now on."""
    if speed == 1:
        return time.time
    start, offset = time.monotonic(), time.time()
    return lambda: offset + (time.monotonic() - start) * speed


def steady_time() -> float:
    """The wall clock as it was when the process started, plus the seconds since then.

    Waits that are stored as moments use it: somebody who sets the clock back an hour must not make each of them an hour
    longer. Moments that people read come from the wall clock.
    """
    return time.clock_gettime(_CLOCK) + _OFFSET
