"""The embedded frontier of a crawl: one file for each spider and crawl name."""

import re
from pathlib import Path

from scrapy.crawler import Crawler

from crawler.frontier.base import Frontier, Politeness
from crawler.frontier.sqlite import SqliteFrontier


def open_frontier(crawler: Crawler) -> Frontier:
    """Reads DATA_DIR, FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY; FrontierError if it is in use or unusable."""
    settings = crawler.settings
    pace = Politeness(settings.getfloat("FRONTIER_HOST_DELAY"), settings.getint("FRONTIER_HOST_CONCURRENCY"))
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], crawl_name(crawler)), pace)


def crawl_name(crawler: Crawler) -> str:
    """The spider's `crawl_name` if it has one, else its name."""
    return str(getattr(crawler.spider, "crawl_name", "") or crawler.spidercls.name)


def frontier_path(folder: str, name: str) -> Path:
    """Where the crawl of that name keeps its frontier."""
    return Path(folder) / "frontier" / f"{re.sub(r'[^0-9A-Za-z._-]', '_', name)[:100]}.db"
