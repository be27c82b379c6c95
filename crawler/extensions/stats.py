"""The counters of a crawl."""

from scrapy.statscollectors import MemoryStatsCollector


class PlainStats(MemoryStatsCollector):
    """Scrapy's own wraps each of its methods, to warn of an argument that no part of this project gives: 35 calls a page."""

    __getattribute__ = object.__getattribute__
