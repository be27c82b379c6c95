"""The reactor's timers go by a clock that nobody sets."""

from typing import Any, Self

from scrapy.crawler import Crawler

from crawler.clock import steady_time


class SteadyTimers:
    """Twisted's timers are moments of the wall clock: set back by an hour, each one that waits would wait an hour longer."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        from twisted.internet import reactor  # importing it earlier would install another one

        timed: Any = reactor
        timed.seconds = steady_time
        return cls()
