"""A crawl with a topic: of its pages first, of others only their scores; and its orders."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.config.hours import Politeness
from crawler.frontier.local.host_queue import HostQueue
from crawler.strategies import STRATEGIES, strategy_class
from crawler.strategies.focused import FocusedStrategy
from extractors.links.urls import address_words
from pipelines.stores.tables import TERMS, URLS
from testbed.crawling import REPOSITORY, Crawl, run_together
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import article, links_to
from testbed.servers.processes import wait_until

TOPIC = """\
name: tax
terms:
  subject: [税务局, 纳税人]
  professional: [印花税, 增值税, 出口退税]
  intelligence: [稽查]
seeds: [http://news.example/, http://blog.example/]
"""
_ORDERS = [name for name in STRATEGIES if name not in ("site", "focused")]
TAX = "税务局对纳税人的增值税申报进行稽查，印花税和出口退税的办理也有了新的规定。"


def _news(asked: Connection) -> None:
    """Ten pages of the topic under /tax/, thirty of others, all linked from the home page; titles tell them apart."""
    if asked.path == "/":
        others = "".join(f'<p><a href="/life/{n}">市民生活的第{n}件事</a></p>' for n in range(30))
        taxes = "".join(f'<p><a href="/tax/{n}">增值税稽查之{n}</a></p>' for n in range(10))
        asked.answer(f"<title>新闻</title>{others}{taxes}")
    elif asked.path.startswith("/tax/"):
        asked.answer(f"<title>增值税稽查</title><h1>增值税稽查</h1>{''.join(f'<p>{TAX}</p>' for _ in range(9))}")
    else:
        asked.answer(article("市民生活"))


def _blog(asked: Connection) -> None:
    """One page of the topic behind a dozen that are not; and a way that never comes to one."""
    if asked.path == "/":
        asked.answer(article("一个博客", links_to("/a/1", "/z/1")))
    elif asked.path == "/a/12":
        asked.answer(f"<title>印花税</title><h1>印花税</h1>{''.join(f'<p>{TAX}</p>' for _ in range(9))}")
    else:
        letter, number = asked.path.strip("/").split("/") if asked.path.count("/") == 2 else ("a", "9")
        asked.answer(article(f"日记{number}", links_to(f"/{letter}/{int(number) + 1}")))


def _moved(asked: Connection) -> None:
    """The same pages, all named by a sitemap; links to them are redirected to how the sitemap names them."""
    paths = [*(f"/life/{n}/" for n in range(30)), *(f"/tax/{n}/" for n in range(10))]
    if asked.path == "/robots.txt":
        asked.answer("Sitemap: http://moved.example/sitemap.xml", Content_Type="text/plain")
    elif asked.path == "/sitemap.xml":
        named = "".join(f"<url><loc>http://moved.example{path}</loc></url>" for path in paths)
        asked.answer(f"<urlset>{named}</urlset>", Content_Type="application/xml")
    elif asked.path == "/" or asked.path.endswith("/"):
        _news(asked)
    else:
        asked.answer("", 301, Location=f"{asked.path}/")


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    """Two sites."""
    with HostileWeb({"news.example": _news, "blog.example": _blog, "moved.example": _moved}) as served:
        yield served


@pytest.fixture(scope="module")
def settings_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With one topic."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "topics").mkdir()
    (folder / "topics" / "tax.yaml").write_text(TOPIC, encoding="utf-8")
    return folder


def _prepared(
    web: HostileWeb,
    folder: Path,
    settings_folder: Path,
    topic: str = "tax",
    urls: tuple[str, ...] = (),
    **settings: object,
) -> Crawl:
    chosen = {
        "TOPICRAWL_SETTINGS_DIR": settings_folder,
        "FRONTIER_HOST_DELAY": 0,
        "FRONTIER_HOST_CONCURRENCY": 64,
        "CONCURRENT_REQUESTS": 1,
        "SITE_MAX_DEPTH": 15,
        "TOPIC_LEARN_PAGES": 5,
    } | settings
    return Crawl(folder, urls, {"topic": topic}, chosen, {"http_proxy": web.address})


@pytest.fixture(scope="module")
def crawls(web: HostileWeb, settings_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawl, Crawl]:
    """In one process: a crawl of the topic from its own seeds, and one of the site with redirects."""
    folder = tmp_path_factory.mktemp("focused")
    own = _prepared(web, folder / "own", settings_folder)
    moved = _prepared(web, folder / "moved", settings_folder, urls=("http://moved.example/",))
    run_together([own, moved])
    return own, moved


@pytest.fixture(scope="module")
def crawl(crawls: tuple[Crawl, Crawl]) -> Crawl:
    """The crawl from the topic's own seeds."""
    return crawls[0]


def test_pages_of_the_topic_are_kept_and_others_only_noted(crawl: Crawl) -> None:
    assert crawl.exit_code == 0
    assert not crawl.errors
    kept = set(crawl.pages())
    assert {f"http://news.example/tax/{n}" for n in range(10)} <= kept
    assert not any("/life/" in url for url in kept)
    assert crawl.states()["http://news.example/life/3"] == "irrelevant"
    with crawl.store() as store:
        row = next(row for row in store.select(URLS) if row["url"] == "http://news.example/tax/1")
    assert row["relevance"] > 0.5
    assert "增值税" in row["reason"]


def test_pages_of_the_topic_come_first(crawl: Crawl, web: HostileWeb) -> None:
    paths = [seen.path for seen in web.asked("news.example") if seen.path.startswith(("/tax", "/life"))][:40]
    assert all(path.startswith("/tax/") for path in paths[:10])


def test_a_page_that_waits_is_worth_what_a_redirect_to_it_was(crawls: tuple[Crawl, Crawl], web: HostileWeb) -> None:
    assert len([url for url in crawls[1].pages() if "/tax/" in url]) == 10
    read = [seen.path for seen in web.asked("moved.example") if seen.path.endswith("/") and seen.path != "/"]
    assert all(path.startswith("/tax/") for path in read[:9]), read


def test_a_way_through_other_pages_is_followed_as_deep_as_all_links(crawl: Crawl, web: HostileWeb) -> None:
    assert "http://blog.example/a/12" in crawl.pages()
    asked = [seen.path for seen in web.asked("blog.example") if seen.path.startswith("/z/")]
    assert asked == [f"/z/{n}" for n in range(1, 16)]


def test_sure_pages_propose_terms_that_wait_for_people(crawl: Crawl) -> None:
    with crawl.store() as store:
        rows = list(store.select(TERMS))
    assert {row["state"] for row in rows} == {"candidate"}
    assert {row["origin"] for row in rows} == {"crawl"}
    assert any(row["word"] in ("申报", "办理", "规定") for row in rows)


@pytest.fixture(scope="module")
def crawls_of_orders(
    web: HostileWeb, settings_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Crawl]:
    """A crawl of each published order, all in one process."""
    folder = tmp_path_factory.mktemp("orders")
    crawls = {name: _prepared(web, folder / name, settings_folder, LINK_STRATEGY=name) for name in _ORDERS}
    run_together(list(crawls.values()))
    return crawls


@pytest.mark.parametrize("order", _ORDERS)
def test_every_order_finds_the_pages(order: str, crawls_of_orders: dict[str, Crawl]) -> None:
    crawl = crawls_of_orders[order]
    assert not crawl.errors
    assert len([url for url in crawl.pages() if "/tax/" in url]) == 10


def test_a_topic_that_is_not_there_is_said(web: HostileWeb, settings_folder: Path, tmp_path: Path) -> None:
    crawl = _prepared(web, tmp_path / "crawl", settings_folder, topic="law").run()
    assert "There is no topic law" in crawl.log
    assert "tax" in crawl.log
    assert "Traceback" not in crawl.log


def test_an_order_that_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match=r"no LINK_STRATEGY 'best'\. There are: site, focused"):
        strategy_class("best", "site")


@pytest.mark.parametrize(("best", "order"), [(0.51, "abab"), (0.6, "aabb")])
def test_hosts_whose_best_links_are_about_as_good_take_turns(best: float, order: str) -> None:
    turns, left, found = HostQueue(Politeness(0.0)), Counter("aabb"), ""
    priority = {host: round(FocusedStrategy.scale * score) for host, score in (("a", best), ("b", 0.505))}
    for host in priority:
        turns.added(host, priority[host], left[host])
    while host := turns.next(0.0) or "":
        left[host] -= 1
        turns.popped(host, 0.0, priority[host] if left[host] else None)
        turns.released(host)
        found += host
    assert found == order


def test_urls_are_read_as_words() -> None:
    assert (
        address_words("http://a.example/tags/%E5%A2%9E%E5%80%BC%E7%A8%8E/stamp-duty.html?q=a")
        == " tags 增值税 stamp duty html q a"
    )


def _letters(asked: Connection) -> None:
    """Twenty pages on what the topic's file does not name, told by a home page."""
    if asked.path == "/":
        asked.answer(f"<title>来信</title>{''.join(f'<p><a href=/letter/{n}>来信{n}</a></p>' for n in range(20))}")
    else:
        told = "<p>离岸信托与离岸账户的登记，受益人披露从严。</p>" * 9 + "<p>来信请寄税务局。</p>"
        other = "<p>这里写的是一封普通的来信，没有别的意思。</p>" * 110
        asked.answer(f"<title>离岸账户来信{asked.path}</title><h1>离岸账户来信{asked.path}</h1>{told}{other}")


def test_terms_accepted_in_mid_crawl_reach_it(settings_folder: Path, tmp_path: Path) -> None:
    accepted = threading.Event()
    letters_asked: list[str] = []

    def letters(asked: Connection) -> None:
        if asked.path.startswith("/letter/"):
            letters_asked.append(asked.path)
            if len(letters_asked) > 5:
                accepted.wait(120)
        _letters(asked)

    with HostileWeb({"letters.example": letters}) as web:
        chosen = {
            "TOPICRAWL_SETTINGS_DIR": settings_folder,
            "FRONTIER_HOST_DELAY": 0.25,
            "CONCURRENT_REQUESTS": 1,
            "TOPIC_RELOAD_SECONDS": 0.2,
        }
        crawl = Crawl(tmp_path, ["http://letters.example/"], {"topic": "tax"}, chosen, {"http_proxy": web.address})
        process = crawl.start()
        wait_until(lambda: len(letters_asked) > 5, "the sixth letter to be asked for")
        words = tmp_path / "words.txt"
        words.write_text("离岸信托\n离岸账户\n受益人披露\n", encoding="utf-8")
        command = [sys.executable, "-m", "scrapy", "topic", "import", "tax", str(words)]
        command += ["-s", f"STORE=sqlite:///{crawl.database}", "-s", f"TOPICRAWL_SETTINGS_DIR={settings_folder}"]
        subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
        accepted.set()
        crawl.wait(process)
    assert not crawl.errors
    states = [state for url, state in crawl.states().items() if "/letter/" in url]
    assert len(states) == 20
    assert states.count("irrelevant") >= 2
    assert len([url for url in crawl.pages() if "/letter/" in url]) >= 5
