"""The database breaks for good during a crawl: no page is buried, the exit code says it, and the next run has all pages."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from benchmarks.attacks import Trial
from benchmarks.attacks.clock_jumps import PAGES, tree
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb

_UNUSABLE = 6
_MAX_REQUESTS = 30
"""After the break; a page that is fetched again and again would need more."""


def attack(folder: Path, trial: Trial) -> str:
    """A table goes, and comes back before the second run."""
    settings = {"FRONTIER_HOST_DELAY": 0.1, "RETRY_DELAY": 0.2}
    with HostileWeb({"site.example": tree}) as web:
        crawl = Crawl(folder, ["http://site.example/"], {}, settings, {"http_proxy": web.address})
        process = crawl.start()
        deadline = time.monotonic() + 60
        while len(web.seen) < PAGES // 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        _rename(crawl.database, "links", "gone")
        before = len(web.seen)
        crawl.wait(process)
        requests = len(web.seen) - before
        if crawl.exit_code != _UNUSABLE or requests > _MAX_REQUESTS:
            return f"exit code {crawl.exit_code}, {requests} requests after the break"
        _rename(crawl.database, "gone", "links")
        crawl.run()
        pages = len(crawl.pages())
    return "" if (crawl.exit_code, pages) == (0, PAGES) else f"next run: exit code {crawl.exit_code}, {pages} pages"


def _rename(database: Path, old: str, new: str) -> None:
    with closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        connection.execute(f"DROP TABLE IF EXISTS {new}")  # whoever opens the store makes its tables
        connection.execute(f"ALTER TABLE {old} RENAME TO {new}")
