"""The clocks of a crawl: the wall clock, which a simulated web may speed up, and a steady one for waits."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_OFFSET = time.time() - time.clock_gettime(_CLOCK)


_WEEK = 7 * 86_400


def clock_at_speed(speed: float) -> Callable[[], float]:
    """The wall clock; or that of a simulated web whose seconds are shorter.

    Such a clock has run at its speed since the beginning of the week, so that all processes of a simulation, including
    restarted ones, have the same time. It never goes back.
    """
    if speed == 1:
        return time.time
    start, now = time.monotonic(), time.time()
    week = now // _WEEK * _WEEK
    return lambda: week + (now - week + time.monotonic() - start) * speed


_speed = 1.0
_crawl_time: Callable[[], float] = clock_at_speed(1)
_fast_wait_time: Callable[[], float] = clock_at_speed(1)
"""Of a simulated web, which stays steady if its clock for people is set."""


def set_speed(speed: float) -> None:
    """`speed` seconds of this process's crawl pass in one second. For tests with simulated webs, before Scrapy starts."""
    global _crawl_time, _fast_wait_time, _speed
    _crawl_time = _fast_wait_time = clock_at_speed(speed)
    _speed = speed


def crawl_time() -> float:
    """Seconds since the epoch on the crawl's clock, for stored times and for comparison with times on sites."""
    return _crawl_time()


def crawl_now() -> datetime:
    """The same as an aware moment."""
    return datetime.fromtimestamp(crawl_time(), UTC)


def steady_time() -> float:
    """The wall clock as it was when the process started, plus the seconds since then.

    For waits that are stored as moments: setting the clock back an hour must not make each of them an hour longer.
    Moments that people read come from the wall clock.
    """
    return time.clock_gettime(_CLOCK) + _OFFSET


def machine_time() -> float:
    """Seconds on a steady clock that all processes of this machine share; in a simulated web that web's clock."""
    return time.clock_gettime(_CLOCK) if _speed == 1 else _fast_wait_time()


def wait_time() -> float:
    """The clock of waits between requests, leases and opening hours: steady, and in a simulated web that web's clock."""
    return steady_time() if _speed == 1 else _fast_wait_time()


def crawl_seconds(seconds: float) -> float:
    """Seconds of a process in seconds of its crawl: a lease expires when a process is silent, however fast its web is."""
    return seconds * _speed
