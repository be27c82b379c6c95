"""Answers that grow when they are decompressed, and hosts whose robots.txt fails, leave a row with the reason."""

import gzip
from pathlib import Path

from benchmarks.attacks import Trial
from pipelines.stores.tables import URLS
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to, plain, robots_refuse

_CLOSED, _BOMB = "http://closed.example/", "http://bomb.example/bomb"


def attack(folder: Path, trial: Trial) -> str:
    """One crawl with both, which ends before the closed host is asked again."""

    def bomb(asked: Connection) -> None:
        if asked.path == "/bomb":
            asked.answer(gzip.compress(b"x" * 50_000_000), Content_Encoding="gzip", Content_Type="text/html")
        else:
            asked.answer(article("首页", links_to("/bomb")))

    with HostileWeb({"closed.example": plain, "bomb.example": bomb}, {"closed.example": robots_refuse}) as web:
        settings = {
            "FRONTIER_HOST_DELAY": 0, "FRONTIER_MAX_WAIT": 1, "ROBOTS_RETRY_SECONDS": 600, "DOWNLOAD_MAXSIZE": 1_000_000,
        }  # fmt: skip
        starts = [_CLOSED, "http://bomb.example/"]
        crawl = Crawl(folder, starts, settings=settings, environment={"http_proxy": web.address}).run(60)
    with crawl.store() as store:
        rows = {row["url"]: f"{row['state']}: {row['reason']}" for row in store.select(URLS)}
    wanted = {_CLOSED: "failed: robots.txt is unavailable: HTTP 503", _BOMB: "failed: too large when decompressed"}
    wrong = [
        f"{url}: {rows.get(url, 'no row')}" for url, start in wanted.items() if not rows.get(url, "").startswith(start)
    ]
    return "; ".join(wrong)
