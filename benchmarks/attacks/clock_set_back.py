"""The machine's clock is set back, by an hour and by thirty days, while a crawl has its queue full."""

import os
import subprocess
import sys
from pathlib import Path

from tests.crawling import REPOSITORY, Crawl
from tests.hostile import Connection, HostileWeb
from tests.hostile.behaviours import article, links_to

_PAGES = 12
_SET_BACK = """
import os, sys, time
from scrapy.cmdline import execute
wall, seconds, sign = time.time, float(sys.argv.pop(1)), sys.argv.pop(1)
time.time = lambda: wall() - (seconds if os.path.exists(sign) else 0)
sys.argv[0] = "scrapy"
execute()
"""


def attack(folder: Path) -> str:
    """Every page must be stored, in about the time that the delay takes."""
    results = (_crawled(folder / str(hours), hours) for hours in (1, 720))
    return "; ".join(filter(None, results))


def _crawled(folder: Path, hours: int) -> str:
    sign = folder / "set-back"

    def site(asked: Connection) -> None:
        if len(asked.web.asked(asked.host)) == _PAGES // 3:
            sign.touch()
        asked.answer(article("页", links_to(*(f"/{number}" for number in range(_PAGES)))))

    folder.mkdir(parents=True)
    crawl = Crawl(folder, ["http://some.example/"])
    given = {"DATA_DIR": folder, "STORE": f"sqlite:///{crawl.database}", "ALLOW_PRIVATE_ADDRESSES": True}
    settings = {"FRONTIER_HOST_DELAY": 1, "FRONTIER_HOST_CONCURRENCY": 1} | given
    with HostileWeb({"some.example": site}) as web:
        arguments = [f"-s{name}={value}" for name, value in settings.items()]
        start = [sys.executable, "-c", _SET_BACK, str(hours * 3_600), str(sign)]
        command = [*start, "crawl", "site", "-a", "url=http://some.example/"]
        environment = os.environ | {"http_proxy": web.address}
        done = subprocess.run(
            [*command, *arguments], cwd=REPOSITORY, env=environment, capture_output=True, timeout=120, check=False
        )
    stored = len(crawl.pages())
    if stored == _PAGES + 1 and not done.returncode:
        return ""
    return f"{hours} h: {stored} of {_PAGES + 1} pages, exit code {done.returncode}"
