"""A thousand slow hosts of one registered domain beside twenty honest hosts: these need at most half as long again as alone."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

_GOOD, _PAGES, _FARM = 20, 12, 1_000
_MAX_RATIO, _MAX_SECONDS = 1.5, 240.0
_SLOW_SECONDS = 1.0, 2.0
_LINKS = 40
"""From each page of the farm to others of its hosts."""


def attack(folder: Path, trial: Trial) -> str:
    """Names of hosts and links of the farm by the seed."""
    chance = trial.chance()
    names = [f"h{chance.randrange(10**9)}.farm{trial.seed}.com" for _ in range(_FARM)]
    good = [f"www.good{number}.com" for number in range(_GOOD)]
    alone = _seconds(folder / "alone", good, [])

    def page(asked: Connection) -> None:
        asked.answer(
            article(
                "促销", links_to(*(f"http://{name}/{chance.randrange(99)}" for name in chance.sample(names, _LINKS)))
            )
        )

    beside = _seconds(folder / "beside", good, names, page)
    return outcome(
        f"{_GOOD * _PAGES} pages of {_GOOD} hosts after {alone:.0f} s alone, {beside:.0f} s beside {_FARM} hosts",
        "too slow" if beside > _MAX_RATIO * alone else "",
    )


def _seconds(
    folder: Path, good: list[str], farm: list[str], farm_page: Callable[[Connection], None] | None = None
) -> float:
    """Until every page of the good hosts was asked for."""
    folder.mkdir()
    left, done = {(host, f"/{number}.html") for host in good for number in range(_PAGES)}, threading.Event()

    def page(asked: Connection) -> None:
        left.discard((asked.host, asked.path))
        if not left:
            done.set()
        asked.answer(article(f"新闻{asked.path}", links_to(*(f"/{number}.html" for number in range(_PAGES)))))

    hosts = dict.fromkeys(good, page) | (dict.fromkeys(farm, farm_page) if farm_page else {})
    with HostileWeb(hosts) as web:
        starts = [f"http://{host}/" for host in [*good, *farm[:1]]]
        settings = {"FRONTIER_HOST_DELAY": 1, "TITLES_ENABLED": False}
        process = Crawl(folder, starts, {"workers": "0"}, settings, {"http_proxy": web.address}).start()
        try:
            while not web.seen and process.poll() is None:
                time.sleep(0.05)
            begun = time.monotonic()
            done.wait(_MAX_SECONDS)
            return time.monotonic() - begun
        finally:
            process.kill()
            process.wait()
