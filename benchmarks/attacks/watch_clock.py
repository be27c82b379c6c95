"""The clock jumps by an hour or thirty days during a watch: what is published afterwards is still found."""

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from pipelines.stores.base import Condition
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.crawling import REPOSITORY
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

_HOUR = 3_600.0
_SPEED = 360.0
"""Seconds of the watch in one second."""
_JUMP_AFTER, _MAX_SECONDS = 12.0, 60.0
_HOST = "news.example"
_WATCH = f"""
import os, sys, time
from crawler import clock
clock.set_speed({_SPEED})
fast, real, begun = clock._crawl_time, time.time, time.monotonic()
jump = lambda: float(os.environ["JUMP"]) if time.monotonic() > begun + {_JUMP_AFTER} else 0.0
clock._crawl_time, time.time = lambda: fast() + jump(), lambda: real() + jump()
from scrapy.cmdline import execute
sys.argv[0] = "scrapy"
execute()
"""


def attack(folder: Path, trial: Trial) -> str:
    """Forward and back, by sizes from the seed."""
    chance, faults, figures = trial.chance(), [], []
    for sign in (1, -1):
        jump = sign * chance.choice((1.0, 24.0, 30 * 24.0)) * _HOUR
        seconds = _found_after(folder / str(sign), jump)
        figures.append(f"{jump / _HOUR:+.0f} h: found after {seconds * _SPEED / 60:.0f} virtual minutes")
        faults.append(f"not found after {jump / _HOUR:+.0f} h" if seconds > _MAX_SECONDS else "")
    return outcome(", ".join(figures), *faults)


def _found_after(folder: Path, jump: float) -> float:
    """Seconds from the publication of a page after the jump until it is stored."""
    folder.mkdir()
    (folder / "sites.txt").write_text(f"http://{_HOST}/\n")
    begun = time.monotonic()

    def site(asked: Connection) -> None:
        pages = int((time.monotonic() - begun) / 2)
        if asked.path == "/":
            asked.answer(
                article("首页", links_to(*(f"/2026/{number}.html" for number in range(max(0, pages - 20), pages))))
            )
        else:
            asked.answer(article(f"新闻{asked.path}"))

    address = f"sqlite:///{folder}/watch.db"
    given = {
        "DATA_DIR": folder,
        "STORE": address,
        "TITLES_ENABLED": False,
        "FRONTIER_HOST_DELAY": 0,
        "WATCH_REQUESTS_PER_HOUR": 1_000,
    }
    with closing(open_store(address)) as store, HostileWeb({_HOST: site}) as web:
        command = [sys.executable, "-c", _WATCH, "crawl", "watch", "-a", f"sites={folder}/sites.txt"]
        command += [word for name, value in given.items() for word in ("-s", f"{name}={value}")]
        environment = os.environ | {"http_proxy": web.address, "no_proxy": "127.0.0.1", "JUMP": str(jump)}
        with (folder / "watch.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)
        try:
            time.sleep(_JUMP_AFTER + 8)
            number = int((time.monotonic() - begun) / 2) + 1
            published = time.monotonic()
            wanted = [Condition("url", "contains", f"/{number}.html")]
            while time.monotonic() - published <= _MAX_SECONDS and not store.count(PAGES, wanted, 1):
                time.sleep(0.3)
            return time.monotonic() - published
        finally:
            process.kill()
            process.wait()
