"""Sites that ban, proxies that die: every page is fetched, nobody is asked who has banned us, and nothing goes direct."""

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.bans.health import read_health
from testbed.banning_site import crawl_banning_site
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb


@pytest.mark.skipif(not shutil.which("tinyproxy"), reason="tinyproxy is not installed")
def test_pages_of_a_site_that_bans_come_through_proxies_of_which_two_die(tmp_path: Path) -> None:
    site, crawl = crawl_banning_site(tmp_path, pages=60, quota=8, window=1.5, die_after=15, forgets=False)
    assert len(crawl.pages()) == 60
    assert site.bans > 0
    assert site.direct == site.too_early == 0
    assert "does not work" in crawl.log
    assert not crawl.errors


def _settings(folder: Path, text: str = "") -> dict[str, object]:
    (folder / "sites").mkdir()
    (folder / "sites" / "default.yaml").write_text(text or "render: never")
    return {"TOPICRAWL_SETTINGS_DIR": folder, "FRONTIER_HOST_DELAY": 0, "BANS_ENABLED": True, "BAN_BACKOFF": 1}


@pytest.mark.parametrize("kind", ["status", "challenge", "redirect"])
def test_a_challenge_is_never_stored_and_its_page_is_had_later(tmp_path: Path, kind: str) -> None:
    def banning(asked: Connection) -> None:
        if asked.path == "/captcha/check":
            asked.answer("<title>安全验证</title>")
        elif asked.turn >= 2:
            asked.answer("<title>A page</title><p>" + "The text of the page, and some more of it. " * 20)
        elif kind == "status":
            asked.answer("slow down", 429)
        elif kind == "challenge":
            asked.answer("<title>百度安全验证</title><body>请完成验证</body>")
        else:
            asked.answer("", 302, Location="/captcha/check?back=1")

    with HostileWeb({"some.example": banning}) as web:
        crawl = Crawl(tmp_path / "data", ["http://some.example/page"], settings=_settings(tmp_path))
        crawl.environment = {"http_proxy": web.address}
        crawl.run()
        times = [seen.at for seen in web.asked("some.example", "/page")]
    assert [row["title"] for row in crawl.pages().values()] == ["A page"]
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.9
    assert "refuses us" in crawl.log
    (told,) = read_health(crawl.folder)
    assert told.sites["some.example"].bans >= 1
    assert bool(told.sites["some.example"].challenges) == (kind != "status")


def test_a_dead_pool_ends_the_crawl_says_so_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "proxies.txt").write_text("http://user:geheim@127.0.0.1:9\n")
    settings = _settings(tmp_path, "proxies: proxies.txt") | {"PROXY_BACKOFF": 0.2, "PROXY_MAX_WAIT": 1}

    def page(asked: Connection) -> None:
        asked.answer("<title>A page</title><p>" + "The text of the page, and some more of it. " * 20)

    with HostileWeb({"some.example": page}, robots={"some.example": page}) as web:
        crawl = Crawl(tmp_path / "data", ["http://some.example/page"], settings=settings)
        crawl.environment = {"http_proxy": web.address}
        crawl.run(30)
        assert not web.seen
        assert "nothing is requested without a proxy" in crawl.log
        assert "geheim" not in crawl.log
        (tmp_path / "proxies.txt").write_text(web.address)
        crawl.run()
    assert "http://some.example/page" in crawl.pages()


def test_a_list_that_cannot_be_used_is_told_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "proxies.txt").write_text("# mine\nhttp://me:${NO_SUCH_SECRET}@proxy.example:80\n")
    crawl = Crawl(tmp_path / "data", ["http://a.example/"], settings=_settings(tmp_path, "proxies: proxies.txt"))
    crawl.run()
    assert "proxies.txt, line 2: the environment has no NO_SUCH_SECRET" in crawl.log
    assert "Traceback" not in crawl.log
