"""Seconds since the epoch that never go back within a process, and pass on while the machine sleeps."""

import time

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OFFSET = time.time() - time.clock_gettime(_CLOCK)


def steady_time() -> float:
    """The wall clock as it was when the process started, plus the seconds since then.

    Waits that are stored as moments use it: somebody who sets the clock back an hour must not make each of them an hour
    longer. Moments that people read come from the wall clock.
    """
    return time.clock_gettime(_CLOCK) + _OFFSET
