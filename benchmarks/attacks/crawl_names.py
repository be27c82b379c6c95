"""Crawls whose names have the same letters for a careless eye share no queue."""

from pathlib import Path

from benchmarks.attacks import Trial
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb
from testbed.hostile.behaviours import article

_NAMES = ("新闻", "财经", "a/b", "a_b", "News", "news", "x" * 150, "x" * 151)


def attack(folder: Path, trial: Trial) -> str:
    """Each crawl stores its own start page, in one data folder."""
    hosts = [f"host{number}.example" for number in range(len(_NAMES))]
    settings = {"FRONTIER_HOST_DELAY": 0}
    with HostileWeb({host: lambda asked: asked.answer(article("页", "")) for host in hosts}) as web:
        for name, host in zip(_NAMES, hosts, strict=True):
            crawl = Crawl(folder, [f"http://{host}/"], {"crawl": name}, settings, {"http_proxy": web.address}).run()
            if crawl.exit_code or f"http://{host}/" not in crawl.pages():
                return f"the crawl {name[:20]} has not its own page"
    files = len(list((folder / "frontier").glob("*.db")))
    return "" if files == len(_NAMES) else f"{files} frontiers for {len(_NAMES)} crawls"
