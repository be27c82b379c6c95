"""Timers that setting the system's clock does not delay."""

from typing import Self

from scrapy.crawler import Crawler

from crawler.clock import steady_time
from crawler.scrapy_internals import use_reactor_clock


class SteadyTimers:
    """Gives the reactor a clock that nobody sets."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        use_reactor_clock(steady_time)
        return cls()
