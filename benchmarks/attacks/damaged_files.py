"""The file of the frontier is damaged between two runs or during one: code 6, and what to do."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from benchmarks.attacks import Trial
from benchmarks.attacks.clock_jumps import PAGES, tree
from crawler.exit_status import ExitCode, last_result
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb

_SECONDS = 60.0
_PAGE = 4_096
_ADVICE = {"frontier/mine.db": "frontier rebuild"}


def attack(folder: Path, trial: Trial) -> str:
    """All pages of the file are noise but the first few, or the file is cut, or a running crawl's table is gone."""
    ways = [(file, how) for file in _ADVICE for how in ("1", "2", "3", "cut", "during")]
    results = (_run(folder / str(number), file, how) for number, (file, how) in enumerate(ways))
    return "; ".join(filter(None, results))


def _run(folder: Path, file: str, how: str) -> str:
    with HostileWeb({"site.example": tree}) as web:
        settings = {"FRONTIER_HOST_DELAY": 0.1, "RETRY_DELAY": 0.2}
        limits = {"crawl": "mine"} | ({} if how == "during" else {"max_pages": str(PAGES // 3)})
        crawl = Crawl(folder, ["http://site.example/"], limits, settings, {"http_proxy": web.address})
        if how != "during":
            crawl.run(_SECONDS)
            _damage(folder / file, how)
        process = crawl.start()
        if how == "during":
            deadline = time.monotonic() + 60
            while len(web.seen) < PAGES // 3 and time.monotonic() < deadline:
                time.sleep(0.05)
            _damage(folder / file, how)
        crawl.wait(process, _SECONDS)
    ending, rest = last_result(crawl.log), crawl.log
    if crawl.exit_code != ExitCode.UNUSABLE or _ADVICE[file] not in rest:
        return f"{file}, {how}: exit code {crawl.exit_code} after {crawl.seconds:.0f} s, {ending}"
    return f"{file}, {how}: a traceback" if "Traceback" in crawl.log else ""


def _damage(path: Path, how: str) -> None:
    if how == "during":
        with closing(sqlite3.connect(path, timeout=30)) as database:
            for table in ("requests", "seen"):
                database.execute(f"DROP TABLE IF EXISTS {table}")
        return
    size = path.stat().st_size
    with path.open("r+b") as file:
        if how == "cut":
            file.truncate(size - 2 * _PAGE)
        else:
            file.seek(int(how) * _PAGE)
            file.write(os.urandom(max(0, size - int(how) * _PAGE)))
