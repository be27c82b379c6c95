"""The moments of a crawl: the wall clock, which a simulated web may make faster, and one for waits that never goes back."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OFFSET = time.time() - time.clock_gettime(_CLOCK)


def clock_at_speed(speed: float) -> Callable[[], float]:
    """The wall clock; in a simulated web whose seconds are shorter, a clock that runs faster from now on."""
    if speed == 1:
        return time.time
    start, offset = time.monotonic(), time.time()
    return lambda: offset + (time.monotonic() - start) * speed


_crawl_time: Callable[[], float] = clock_at_speed(1)


def set_speed(speed: float) -> None:
    """From now on, so many seconds of this process's crawl pass in one second."""
    global _crawl_time
    _crawl_time = clock_at_speed(speed)


def crawl_time() -> float:
    """Seconds since the epoch for the crawl: what it writes down and compares with what sites say."""
    return _crawl_time()


def crawl_now() -> datetime:
    """The same as an aware moment."""
    return datetime.fromtimestamp(crawl_time(), UTC)


def steady_time() -> float:
    """The wall clock as it was when the process started, plus the seconds since then.

    Waits that are stored as moments use it: somebody who sets the clock back an hour must not make each of them an hour
    longer. Moments that people read come from the wall clock.
    """
    return time.clock_gettime(_CLOCK) + _OFFSET
