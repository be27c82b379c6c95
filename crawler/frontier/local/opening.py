"""From settings to the embedded frontier: one file for each crawl name."""

from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from crawler.frontier.base import Frontier, ManagedFrontier
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.names import crawl_name, frontier_path
from crawler.frontier.pacing import host_pace


def open_frontier(crawler: Crawler) -> Frontier:
    """Reads DATA_DIR, FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY; FrontierError if it is in use or unusable."""
    settings = crawler.settings
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], crawl_name(crawler)), host_pace(settings))


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    """The frontier of that crawl; FrontierError if it shall be changed and a crawl uses it."""
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], name), host_pace(settings), exclusive=to_change)


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    return sorted(path.stem for path in (Path(settings["DATA_DIR"]) / "frontier").glob("*.db"))


def check(settings: BaseSettings) -> None:
    """No server is needed."""
