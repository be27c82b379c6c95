"""Timers that are independent of changes of the system clock."""

from typing import Self

from scrapy.crawler import Crawler

from crawler.clock import steady_time
from crawler.scrapy_internals import use_reactor_clock


class SteadyTimers:
    """Gives the reactor a steady clock."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        use_reactor_clock(steady_time)
        return cls()
