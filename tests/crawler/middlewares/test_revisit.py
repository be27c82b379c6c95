"""A finished crawl started again asks only for what may have changed, and never for what was dead."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipelines.stores.tables import PAGES, URLS
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

SETTINGS = {"RETRY_DELAY": 0.05, "FRONTIER_HOST_DELAY": 0}


def _site(asked: Connection) -> None:
    """The home page never changes, the news does, one page is gone."""
    if asked.path == "/":
        if asked.headers.get("If-None-Match") == '"v1"':
            asked.answer(status=304)
        else:
            asked.answer(article("首页", links_to("/news", "/gone")), ETag='"v1"')
    elif asked.path == "/news":
        asked.answer(article(f"新闻 {asked.turn}", links_to("/extra") if asked.turn > 1 else ""))
    elif asked.path == "/extra":
        asked.answer(article("新的一页"))
    else:
        asked.answer("gone", 404)


def test_second_run(tmp_path: Path) -> None:
    with HostileWeb({"site.example": _site}) as web:
        environment = {"http_proxy": web.address}
        first = Crawl(tmp_path, ["http://site.example/"], settings=SETTINGS, environment=environment).run()
        assert first.pages()["http://site.example/news"]["title"] == "新闻 1"
        second = Crawl(tmp_path, ["http://site.example/"], settings=SETTINGS, environment=environment).run()
    assert not second.errors
    assert second.states() == {
        "http://site.example/": "unchanged",
        "http://site.example/news": "fetched",
        "http://site.example/extra": "fetched",
        "http://site.example/gone": "dead",
    }
    assert second.pages()["http://site.example/news"]["title"] == "新闻 2"
    assert second.pages()["http://site.example/"]["title"] == "首页"
    assert len(web.asked("site.example", "/gone")) == 1
    assert "2 pages read  2 kept  1 unchanged" in second.log


def _lying(asked: Connection) -> None:
    """A list that grows, behind an ETag that never changes."""
    if asked.path != "/":
        asked.answer(article(f"新闻{asked.path}"))
    elif asked.headers.get("If-None-Match") == '"same"':
        asked.answer(status=304)
    else:
        asked.answer(article("首页", links_to(*(f"/{n}" for n in range(asked.turn)))), ETag='"same"')


def test_a_server_that_says_not_modified_is_not_believed_for_ever(tmp_path: Path) -> None:
    with HostileWeb({"site.example": _lying}) as web:
        environment = {"http_proxy": web.address}
        crawl = Crawl(tmp_path, ["http://site.example/"], settings=SETTINGS, environment=environment).run()
        crawl.run()
        assert "http://site.example/1" not in crawl.pages()
        _set_back(crawl, days=31)
        crawl.run()
    assert "http://site.example/1" in crawl.pages()


def _set_back(crawl: Crawl, days: int) -> None:
    """All pages were fetched that long ago."""
    then = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    with crawl.store() as store:
        for table in (PAGES, URLS):
            store.change(table, [], {"fetched_at": then}).result()
