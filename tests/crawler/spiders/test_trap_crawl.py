"""A site of twenty articles whose calendar and tags never end: the crawl ends, and has all articles."""

from pathlib import Path

from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to

_SETTINGS = {"FRONTIER_HOST_DELAY": 0, "FRONTIER_HOST_CONCURRENCY": 16, "TITLES_ENABLED": False}


def _site(asked: Connection) -> None:
    name = asked.path.rpartition("/")[2]
    if asked.path == "/":
        asked.answer(f"<title>首页</title>{links_to(*(f'/a/{n}' for n in range(20)), '/month/1', '/tag/t1')}")
    elif asked.path.startswith("/a/"):
        asked.answer(article(f"第{name}条新闻", links_to("/month/5", f"/tag/t{name}")))
    elif asked.path.startswith("/month/"):
        month = int(name)
        asked.answer(
            f"<title>{month}</title>{links_to(f'/month/{month + 1}', *(f'/day/{month * 28 + n}' for n in range(28)))}"
        )
    elif asked.path.startswith("/day/"):
        asked.answer(f"<title>{name}</title><p>这一天没有新闻</p>{links_to(f'/month/{int(name) // 28 + 7}')}")
    else:
        asked.answer(f"<title>标签</title>{links_to(*(f'/tag/{name}{letter}' for letter in 'abcdef'), '/a/3')}")


def test_a_calendar_and_tags_that_never_end_are_left(tmp_path: Path) -> None:
    with HostileWeb({"trap.example": _site}) as web:
        environment = {"http_proxy": web.address}
        crawl = Crawl(tmp_path, ["http://trap.example/"], {"max_pages": "4000"}, _SETTINGS, environment).run()
        asked = len(web.asked("trap.example"))
    assert {f"http://trap.example/a/{n}" for n in range(20)} <= set(crawl.pages())
    assert crawl.exit_code == 0, crawl.log[-2000:]
    assert asked < 800
