"""From settings to a frontier: embedded in a file, or shared on Redis; for a crawl, or for an operator."""

import re
from pathlib import Path
from types import ModuleType

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from crawler.frontier.base import Frontier, Politeness
from crawler.frontier.local.sqlite import SqliteFrontier


def open_frontier(crawler: Crawler) -> Frontier:
    """The embedded frontier: one file for each crawl name.

    Reads DATA_DIR, FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY; FrontierError if it is in use or unusable.
    """
    settings = crawler.settings
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], crawl_name(crawler)), host_pace(settings))


def crawl_name(crawler: Crawler) -> str:
    """The spider's `crawl_name` if it has one, else its name."""
    return str(getattr(crawler.spider, "crawl_name", "") or crawler.spidercls.name)


def frontier_path(folder: str, name: str) -> Path:
    """Where the crawl of that name keeps its frontier."""
    return Path(folder) / "frontier" / f"{re.sub(r'[^0-9A-Za-z._-]', '_', name)[:100]}.db"


def host_pace(settings: BaseSettings) -> Politeness:
    """The pace of hosts that have none of their own."""
    return Politeness(settings.getfloat("FRONTIER_HOST_DELAY"), settings.getint("FRONTIER_HOST_CONCURRENCY"))


def is_shared(settings: BaseSettings) -> bool:
    """Whether crawls with these settings use the shared frontier."""
    return str(settings["FRONTIER"]).endswith(".open_shared_frontier")


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    if is_shared(settings):
        names: list[str] = _shared().known_crawls(settings)
        return names
    return sorted(path.stem for path in (Path(settings["DATA_DIR"]) / "frontier").glob("*.db"))


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> Frontier:
    """The frontier of that crawl, beside whoever crawls with it; FrontierError if it must not be changed just now."""
    if is_shared(settings):
        frontier: Frontier = _shared().open_for_operator(settings, name)
        return frontier
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], name), host_pace(settings), exclusive=to_change)


def check_frontier(settings: BaseSettings) -> None:
    """FrontierError, with a sentence, if crawls with these settings could not begin."""
    if is_shared(settings):
        _shared().check_server(settings)


def _shared() -> ModuleType:
    """Imported where it is used only: a crawl on one machine needs no client of Redis in its memory."""
    from crawler.frontier.shared import opening as shared

    return shared
