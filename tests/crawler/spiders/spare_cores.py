"""An extension of a crawl under test: the machine has four cores, three of which nobody uses, and looks come quickly."""

import os
from typing import Self

from scrapy.crawler import Crawler

import crawler.middlewares.reading as reading
from crawler.reading import demand


class SpareCores:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        os.getloadavg = lambda: (1.0, 1.0, 1.0)
        reading.usable_cores = lambda: 4
        reading.LOOK_SECONDS = 0.05
        return cls()


class BusyProcess(SpareCores):
    """The crawl's process uses its whole core, whatever else the machine has to do while the test runs."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        demand._BUSY = 0.0
        return super().from_crawler(crawler)
