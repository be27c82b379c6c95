"""robots.txt files of 10 MB: rules, wildcards, user agents, and user agents times rules."""

import time
from pathlib import Path

from benchmarks.attacks import Trial
from crawler.links.robots_rules import RobotsRules, named_sitemaps
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.hostile.large_robots import large_robots

_MAX_READ_SECONDS = 3.0
_MAX_ASK_SECONDS = 0.004
_PAGES = 60


def attack(folder: Path, trial: Trial) -> str:
    """How long each takes to read and to ask; then a crawl of a site with the worst."""
    wrong, slowest = [], ("", 0.0)
    for name, text in large_robots().items():
        body, begun = text.encode(), time.process_time()
        rules = RobotsRules(body)
        named_sitemaps(body)
        rules.allowed("http://x.example/", "topicrawl")
        read = time.process_time() - begun
        begun = time.process_time()
        answers = {rules.allowed(f"http://x.example/{'aaa/' * 20}{number}.html", "topicrawl") for number in range(100)}
        ask = (time.process_time() - begun) / 100
        if answers != {True}:
            wrong.append(f"{name}: forbids what is allowed")
        if read > _MAX_READ_SECONDS or ask > _MAX_ASK_SECONDS:
            wrong.append(f"{name}: {read:.2f} s to read, {ask * 1000:.2f} ms a page")
        slowest = max(slowest, (name, read), key=lambda each: each[1])
    return "; ".join(wrong) or _crawled(folder, large_robots()[slowest[0]])


def _crawled(folder: Path, robots: str) -> str:
    def site(asked: Connection) -> None:
        asked.answer(
            article("首页", links_to(*(f"/{number}.html" for number in range(_PAGES))) if asked.path == "/" else "")
        )

    with HostileWeb(
        {"big.example": site}, {"big.example": lambda asked: asked.answer(robots, Content_Type="text/plain")}
    ) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "DOWNLOAD_MAXSIZE": 50_000_000}
        crawl = Crawl(folder, ["http://big.example/"], settings=settings, environment={"http_proxy": web.address})
        crawl.run(60)
    if len(crawl.pages()) != _PAGES + 1:
        return f"{len(crawl.pages())} of {_PAGES + 1} pages"
    return "" if crawl.seconds < 30 else f"{crawl.seconds:.0f} s for {_PAGES + 1} pages"
