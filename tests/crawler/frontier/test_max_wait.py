"""A crawl does not hang for hosts that want to be left alone: it ends, says so, and the next run asks them again."""

from pathlib import Path

from crawler.exit_status import ExitCode
from extractors.links.urls import url_key
from pipelines.stores.tables import URLS
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb, behaviours


def test_a_crawl_ends_when_only_closed_hosts_are_left(tmp_path: Path) -> None:
    down = True

    def robots(asked: Connection) -> None:
        asked.answer("", 503 if down else 404)

    hosts = {"closed.example": behaviours.plain, "fine.example": behaviours.plain}
    with HostileWeb(hosts, robots={"closed.example": robots}) as web:
        settings = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_MAX_WAIT": 1, "ROBOTS_RETRY_SECONDS": 6}
        settings["ROBOTS_CRAWL_DELAY_MAX"] = 0
        starts = [f"http://{host}/" for host in hosts]
        crawl = Crawl(tmp_path, starts, settings=settings, environment={"http_proxy": web.address})
        crawl.run()
        assert crawl.exit_code == ExitCode.INCOMPLETE
        assert list(crawl.pages()) == ["http://fine.example/"]
        assert "wait for hosts that are unavailable" in crawl.log
        with crawl.store() as store:
            row = store.get(URLS, url_key("http://closed.example/"))
        assert row is not None
        assert (row["state"], row["reason"]) == ("failed", "robots.txt is unavailable: HTTP 503")
        down = False
        crawl.settings = settings | {"FRONTIER_MAX_WAIT": 10}
        crawl.run()
    assert sorted(crawl.pages()) == ["http://closed.example/", "http://fine.example/"]
