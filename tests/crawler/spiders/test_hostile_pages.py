"""A crawl of hosts that mean harm, one crawl for all: it ends, small and without an error, and has what there is to have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from extractors.links.urls import url_key
from pipelines.stores.tables import LINKS, URLS
from testbed.crawling import Crawl
from testbed.hostile import HostileWeb, behaviours

HOSTS = {
    "bomb.example": behaviours.gzip_bomb,
    "endless.example": behaviours.endless_body,
    "slow-body.example": behaviours.slow_body,
    "slow-headers.example": behaviours.slow_headers,
    "headers.example": behaviours.endless_headers,
    "header.example": behaviours.one_endless_header,
    "links.example": behaviours.many_links,
    "calendar.example": behaviours.calendar,
    "growing.example": behaviours.growing_path,
    "gb.example": behaviours.declared_wrongly,
    "big5.example": behaviours.undeclared_big5,
    "deep.example": behaviours.deep_nesting,
    "loop.example": behaviours.redirect_loop,
    "cut.example": behaviours.cut_short,
    "nonsense.example": behaviours.no_http,
    "busy.example": behaviours.busy_once,
    "gone.example": behaviours.gone,
    "entities.example": behaviours.entity_bomb,
    "feed.example": behaviours.feed_of_a_device,
    "closed.example": behaviours.plain,
    "fine.example": behaviours.plain,
}
SETTINGS = {
    "DOWNLOAD_TIMEOUT": 2,
    "RETRY_DELAY": 0.1,
    "ROBOTS_RETRY_SECONDS": 0.5,
    "FRONTIER_HOST_DELAY": 0,
    "SITE_MAX_DEPTH": 6,
}


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    """The hostile hosts."""
    with HostileWeb(HOSTS, robots={"closed.example": behaviours.robots_refuse}) as served:
        yield served


@pytest.fixture(scope="module")
def crawl(web: HostileWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """One crawl from all home pages, by way of a proxy, with every guard on."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    starts = [f"http://{host}/" for host in HOSTS]
    return Crawl(folder, starts, settings=SETTINGS, environment={"http_proxy": web.address}).run()


def test_it_ends_by_itself_and_without_errors(crawl: Crawl) -> None:
    assert crawl.exit_code == 0
    assert not crawl.errors
    assert "Finished" in crawl.log


def test_it_stays_small(crawl: Crawl) -> None:
    assert crawl.peak_memory < 450e6


def test_a_harmless_page_among_them_is_stored(crawl: Crawl) -> None:
    assert crawl.pages()["http://fine.example/"]["title"] == "一切正常"


@pytest.mark.parametrize("host", ["bomb.example", "endless.example"])
def test_a_body_without_end_is_dropped(crawl: Crawl, web: HostileWeb, host: str) -> None:
    assert f"http://{host}/" not in crawl.pages()
    assert web.sent[host] < 5 * 25e6


@pytest.mark.parametrize("host", ["headers.example", "header.example"])
def test_headers_without_end_are_dropped(crawl: Crawl, web: HostileWeb, host: str) -> None:
    assert crawl.states()[f"http://{host}/"] == "failed"
    assert web.sent[host] < 5 * 10e6


@pytest.mark.parametrize("host", ["slow-body.example", "slow-headers.example", "cut.example", "nonsense.example"])
def test_an_answer_that_does_not_come_is_given_up(crawl: Crawl, web: HostileWeb, host: str) -> None:
    assert crawl.states()[f"http://{host}/"] == "failed"
    assert len(web.asked(host, "/")) == 5


def test_a_page_of_links_costs_little(crawl: Crawl) -> None:
    with crawl.store() as store:
        longest = max(len(row["links"]) for row in store.select(LINKS))
    assert 500 < longest <= 3_000


def test_a_calendar_ends_at_the_depth_limit(crawl: Crawl, web: HostileWeb) -> None:
    months = {seen.path for seen in web.asked("calendar.example") if seen.path.startswith("/calendar")}
    assert 5 <= len(months) <= 6


def test_a_path_that_feeds_on_itself_ends(crawl: Crawl, web: HostileWeb) -> None:
    grown = {seen.path for seen in web.asked("growing.example") if seen.path.startswith("/more")}
    assert 1 <= len(grown) <= 3


def test_chinese_bytes_called_utf8_are_read(crawl: Crawl) -> None:
    page = crawl.pages()["http://gb.example/"]
    assert page["title"] == "地铁新线明年开工"
    assert behaviours.SENTENCE in page["body"]


def test_undeclared_big5_is_read(crawl: Crawl) -> None:
    page = crawl.pages()["http://big5.example/"]
    assert page["title"] == "地鐵新線明年開工"
    assert "十二座車站" in page["body"]


def test_deep_nesting_keeps_its_text(crawl: Crawl) -> None:
    assert behaviours.SENTENCE in crawl.pages()["http://deep.example/"]["body"]


def test_a_redirect_loop_ends(crawl: Crawl, web: HostileWeb) -> None:
    assert len(web.asked("loop.example")) <= 60


def test_retry_after_is_waited_for(crawl: Crawl, web: HostileWeb) -> None:
    first, second, *more = (seen.at for seen in web.asked("busy.example", "/"))
    assert 1.0 <= second - first < 10.0
    # on a busy machine a request may end without an answer, whether it arrived there or not; only then another follows
    assert len(more) <= crawl.log.count("No answer from http://busy.example/:")
    assert crawl.pages()["http://busy.example/"]["title"] == "终于开门了"


def test_a_dead_page_is_marked(crawl: Crawl) -> None:
    assert crawl.states()["http://gone.example/dead.html"] == "dead"


def test_entities_in_a_sitemap_are_not_expanded(crawl: Crawl, web: HostileWeb) -> None:
    assert web.asked("entities.example", "/sitemap.xml")
    assert crawl.pages()["http://entities.example/"]["title"] == "有站点地图"


def test_a_feed_that_names_a_file_is_no_feed(crawl: Crawl, web: HostileWeb) -> None:
    assert web.asked("feed.example", "/zero")
    assert crawl.pages()["http://feed.example/listed.html"]["title"] == "订阅里的一页"


def test_an_answer_that_grows_when_decompressed_leaves_its_reason(crawl: Crawl) -> None:
    with crawl.store() as store:
        row = store.get(URLS, url_key("http://bomb.example/"))
    assert row is not None
    assert row["state"] == "failed"
    assert row["reason"].startswith("too large when decompressed")


def test_no_page_of_a_host_whose_robots_txt_cannot_be_had(crawl: Crawl, web: HostileWeb) -> None:
    assert not web.asked("closed.example")
    assert crawl.states()["http://closed.example/"] == "failed"
