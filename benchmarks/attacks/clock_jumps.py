"""The clock is set back or forward by an hour or thirty days during a crawl: it goes on and ends with every page."""

from pathlib import Path

from benchmarks.attacks import Trial
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

PAGES, _HOUR = 60, 3_600
_PATCH = """
import os, time
_real, _begun = time.time, time.monotonic()
time.time = lambda: _real() - (float(os.environ["SET_BACK"]) if time.monotonic() > _begun + 8 else 0.0)
"""
"""The process sees the clock jump some seconds after its start, when it crawls."""


def attack(folder: Path, trial: Trial) -> str:
    """A delay between two pages makes the crawl last longer than the clock stays right."""
    return "; ".join(
        filter(
            None,
            (_run(folder / str(seconds), seconds) for seconds in (_HOUR, 30 * 24 * _HOUR, -_HOUR, -30 * 24 * _HOUR)),
        )
    )


def _run(folder: Path, seconds: int) -> str:
    (folder / "patch").mkdir(parents=True)
    (folder / "patch" / "sitecustomize.py").write_text(_PATCH)
    with HostileWeb({"site.example": tree}) as web:
        environment = {"http_proxy": web.address, "SET_BACK": str(seconds), "PYTHONPATH": str(folder / "patch")}
        settings = {"FRONTIER_HOST_DELAY": 0.25, "RETRY_DELAY": 0.2}
        crawl = Crawl(folder, ["http://site.example/"], {}, settings, environment).run()
        pages = len(crawl.pages())
    return (
        ""
        if (crawl.exit_code, pages) == (0, PAGES)
        else f"set back by {seconds} s: exit code {crawl.exit_code}, {pages} pages"
    )


def tree(asked: Connection) -> None:
    """Page n leads to 3n + 1, 3n + 2, 3n + 3."""
    number = int(asked.path[1:] or 0) if asked.path[1:].isdigit() or asked.path == "/" else None
    if number is None or number >= PAGES:
        asked.answer(status=404)
        return
    children = [f"/{child}" for child in range(3 * number + 1, 3 * number + 4) if child < PAGES]
    asked.answer(article(f"第{number}页", links_to(*children)))
