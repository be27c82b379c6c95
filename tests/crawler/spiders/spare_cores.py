"""An extension of a crawl under test: the machine has four cores, three of which nobody uses, and looks come quickly."""

import os
from typing import Self

from scrapy.crawler import Crawler

from crawler.middlewares import parse_workers
from crawler.parse_workers import autoscale


class SpareCores:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        os.getloadavg = lambda: (1.0, 1.0, 1.0)
        parse_workers.usable_cores = lambda: 4
        parse_workers.SAMPLE_SECONDS = 0.05
        return cls()


class BusyProcess(SpareCores):
    """The crawl's process uses its whole core, whatever else the machine has to do while the test runs."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        autoscale._MIN_BUSY_SHARE = 0.0
        return super().from_crawler(crawler)
