"""Names of crawls: each has a frontier of its own."""

import re
from pathlib import Path

from scrapy.crawler import Crawler


def crawl_name(crawler: Crawler) -> str:
    """The spider's `crawl_name` if it has one, else its name."""
    return str(getattr(crawler.spider, "crawl_name", "") or crawler.spidercls.name)


def frontier_path(folder: str, name: str) -> Path:
    """The file with the frontier of the crawl of that name."""
    return Path(folder) / "frontier" / f"{re.sub(r'[^0-9A-Za-z._-]', '_', name)[:100]}.db"
