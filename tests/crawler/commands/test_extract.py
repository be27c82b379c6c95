"""`scrapy extract` as users call it."""

import json
import subprocess
import sys
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.commands.extract import Command, views
from extractors.links.urls import url_key
from extractors.page import Page
from pipelines.stores.opening import open_store
from pipelines.stores.tables import URLS
from testbed.crawling import REPOSITORY
from testbed.hostile import HostileWeb, behaviours

PAGE = behaviours.article("地铁新线明年开工", behaviours.links_to("/next.html"), charset="gb18030").encode("gb18030")


def scrapy(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs the command in the repository."""
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, input=given, capture_output=True, timeout=120)


@pytest.fixture
def page(tmp_path: Path) -> str:
    """A saved page in GB 18030."""
    saved = tmp_path / "page.html"
    saved.write_bytes(PAGE)
    return str(saved)


def test_a_file_for_people(page: str) -> None:
    done = scrapy("extract", page)
    assert done.returncode == 0
    shown = done.stdout.decode()
    assert "title" in shown
    assert "地铁新线明年开工" in shown
    assert behaviours.SENTENCE in shown
    assert not done.stderr


def test_a_plain_text_is_shown_whole(tmp_path: Path) -> None:
    saved = tmp_path / "notes.txt"
    saved.write_text("会议纪要\n一\n首页 | 登录\n", encoding="utf-8")
    article = json.loads(scrapy("extract", str(saved), "--json").stdout)
    assert (article["title"], article["text"], article["method"]) == (
        "会议纪要",
        "会议纪要\n一\n首页 | 登录",
        "document",
    )


def test_standard_input_as_json_by_a_published_method() -> None:
    done = scrapy("extract", "-", "--method", "density", "--json", given=PAGE)
    article = json.loads(done.stdout)
    assert (article["title"], article["charset"], article["method"]) == ("地铁新线明年开工", "gb18030", "density")
    assert "\\u" not in done.stdout.decode()


def test_markdown_is_the_text_with_its_structure(page: str) -> None:
    done = scrapy("extract", page, "--format", "markdown")
    assert done.returncode == 0
    assert behaviours.SENTENCE in done.stdout.decode()
    assert "confidence" not in done.stdout.decode()


def test_links_are_absolute(page: str) -> None:
    done = scrapy("extract", page, "--method", "links", "--url", "http://some.example/a/")
    assert done.stdout.decode().startswith("http://some.example/next.html\t")


def test_an_address_is_fetched_with_the_guards_on_whatever_a_crawl_has_stored_of_it(tmp_path: Path) -> None:
    where = f"sqlite:///{tmp_path}/a.db"
    with HostileWeb({"127.0.0.1": behaviours.plain}) as web:
        with closing(open_store(where)) as store:
            known = {
                "key": url_key(web.address),
                "url": web.address,
                "host": "127.0.0.1",
                "state": "dead",
                "status": 404,
            }
            store.upsert(URLS, [known]).result()
        refused = scrapy("extract", web.address)
        allowed = scrapy("extract", web.address, "-s", "ALLOW_PRIVATE_ADDRESSES=1", "-s", f"STORE={where}")
    assert refused.returncode == 1
    assert b"private address" in refused.stderr
    assert not refused.stdout
    assert allowed.returncode == 0
    assert "一切正常" in allowed.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name one page"),
        (("/no/such/file",), "cannot be read: No such file"),
        (("-", "--method", "magic"), "There are: default, density, decay"),
        (("-", "--charset", "klingon"), "'klingon' is not a charset"),
    ],
)
def test_mistakes_get_a_sentence(arguments: tuple[str, ...], said: str) -> None:
    command, parser = Command(), ArgumentParser()
    command.settings = Settings()
    command.add_options(parser)
    options, pages = parser.parse_known_args(arguments)
    with pytest.raises(UsageError, match=said):
        command.run(pages, options)


def test_records_for_people_and_programs(tmp_path: Path) -> None:
    posts = "".join(
        f'<div class="post"><a class="author" href="/u/{number}">用户{number}</a> <span class="date">2026-11-0{number} 10:00</span>'
        f'<div class="content"><p>{text}</p></div></div>'
        for number, text in enumerate(("这个办法可行,先试一试", "不同意,理由有三条要说", "谢谢各位,我再想一想"), 1)
    )
    saved = tmp_path / "thread.html"
    saved.write_text(
        f'<meta charset=utf-8><div id=posts>{posts}</div><a href="/t-1-2.html">下一页</a>', encoding="utf-8"
    )
    given = (str(saved), "--url", "http://bbs.example/t-1-1.html")
    shown = scrapy("extract", *given, "--method", "records").stdout.decode()
    assert shown.startswith("thread: 3 records")
    assert "next page: http://bbs.example/t-1-2.html" in shown
    assert "[2] 用户2 · 2026-11-02T10:00" in shown
    told = json.loads(scrapy("extract", *given, "--method", "records", "--json").stdout)
    assert [record["author"] for record in told["records"]] == ["用户1", "用户2", "用户3"]
    assert told["next_page"] == "http://bbs.example/t-1-2.html"
    assert "3 (thread); --method records" in scrapy("extract", *given).stdout.decode()


def test_unlikely_blocks_share_a_line() -> None:
    links = "".join(f"<li><a href=/{number}>频道{number}</a>" for number in range(30))
    prose = "<p>昨夜河水上涨两米，到早上，下城已经全部被水淹没，居民被送往高处的学校。</p>" * 4
    page = Page(f"<meta charset=utf-8><ul class=nav>{links}</ul><div class=content>{prose}</div>".encode())
    shown = list(views()["blocks"].lines(page))
    assert shown[0].startswith("34 blocks, 4 of them in the main text (+)")
    assert "30 blocks < 0.1: 频道0 / 频道1" in shown[1]
    assert [line[:1] for line in shown[2::2]] == ["+"] * 4
