"""Opens the embedded frontier from settings: one file per crawl name."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from crawler.config.crawl_names import crawl_name, file_stem
from crawler.frontier.base import Frontier, FrontierInUseError, ManagedFrontier
from crawler.frontier.local.sqlite import SqliteFrontier
from crawler.frontier.pacing import host_pace

_MAX_PROCESSES = 64


def open_frontier(crawler: Crawler) -> Frontier:
    """Reads DATA_DIR, FRONTIER_HOST_DELAY and FRONTIER_HOST_CONCURRENCY. Raises FrontierError if in use or unusable.

    A spider that `has_own_frontier` gets one private to this process.
    """
    settings, name = crawler.settings, crawl_name(crawler)
    if getattr(crawler.spidercls, "has_own_frontier", False):
        return open_private_frontier(crawler)
    return SqliteFrontier(frontier_path(settings["DATA_DIR"], name), host_pace(settings), crawl=name)


def open_private_frontier(crawler: Crawler) -> Frontier:
    """An empty frontier private to this process, in the first unused file on this machine.

    For spiders whose work does not depend on the queue of an earlier run. Raises FrontierError like `open_frontier`.
    """
    settings, name = crawler.settings, crawl_name(crawler)
    for number in range(1, _MAX_PROCESSES + 1):
        own = f"{name}.node{number}"
        with suppress(FrontierInUseError):
            frontier = SqliteFrontier(frontier_path(settings["DATA_DIR"], own), host_pace(settings), crawl=own)
            frontier.purge()
            return frontier
    raise FrontierInUseError(f"{_MAX_PROCESSES} processes of {name} run on this machine already; more would not help.")


def open_for_operator(settings: BaseSettings, name: str, *, to_change: bool) -> ManagedFrontier:
    """The frontier of that crawl. Raises FrontierError if it is to be changed while a crawl uses it."""
    path = frontier_path(settings["DATA_DIR"], name)
    return SqliteFrontier(path, host_pace(settings), crawl=name, exclusive=to_change)


def known_crawls(settings: BaseSettings) -> list[str]:
    """Names of the crawls that have a frontier, sorted."""
    paths = (Path(settings["DATA_DIR"]) / "frontier").glob("*.db")
    return sorted((_crawl_of(path) if "+" in path.stem else "") or path.stem for path in paths)


def check(settings: BaseSettings) -> None:
    """Nothing to check, as no server is needed."""


def frontier_path(folder: str | Path, name: str) -> Path:
    """The file with the frontier of the crawl of that name."""
    return Path(folder) / "frontier" / f"{file_stem(name)}.db"


def _crawl_of(path: Path) -> str:
    """The name of the crawl that the file belongs to; "" if unreadable."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            row = database.execute("SELECT value FROM about WHERE name = 'crawl'").fetchone()
    except sqlite3.Error:
        return ""
    return str(row[0]) if row else ""
