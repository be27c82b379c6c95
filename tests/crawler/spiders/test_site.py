"""The site spider's ways, each on a small site of its own, all in one crawl; then the same crawl again."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from extractors.links.urls import url_key
from pipelines.exporting import source_bytes
from pipelines.stores.tables import RUNS, SOURCES
from testbed.crawling import Crawl
from testbed.hostile import Connection, HostileWeb
from testbed.hostile.behaviours import SENTENCE, article, links_to
from tests.documents import pdf

PARTS = [f"这一部分讲的是第{name}件事，" + SENTENCE * 6 for name in ("一", "二", "三")]


def _paged(asked: Connection) -> None:
    """An article on three pages."""
    number = int(asked.path.rsplit("_", 1)[1][0]) if "_" in asked.path else 1
    if asked.path == "/":
        asked.answer(article("首页", links_to("/2024/05/story.html")))
        return
    pages = "".join(f'<a href="/2024/05/story{f"_{n}" if n > 1 else ""}.html">{n}</a> ' for n in (1, 2, 3))
    following = f'<a href="/2024/05/story_{number + 1}.html">下一页</a>' if number < 3 else ""
    text = "".join(f"<p>{PARTS[number - 1]}</p>" for _ in range(2))
    asked.answer(f"<title>长篇</title><h1>长篇</h1><div>{text}</div><div>{pages}{following}</div>")


def _listed(asked: Connection) -> None:
    """A list of articles on three pages; each article is linked from one of them only."""
    if asked.path.startswith("/post/"):
        asked.answer(article(f"文章{asked.path[6:]}"))
        return
    if asked.path.endswith(".xml"):
        asked.answer(status=404)
        return
    number = int(asked.path.strip("/").rsplit("/", 1)[-1] or 1)
    posts = "".join(f'<h2><a href="/post/{number}{n}">文章标题{number}{n}</a></h2><p>{SENTENCE}</p>' for n in range(5))
    asked.answer(f'<title>博客</title>{posts}<a href="/page/{number + 1}/">下一页</a>' if number < 3 else posts)


def _canonical(asked: Connection) -> None:
    """Claims of all kinds about where a page belongs."""
    claims = {
        "/own?from=list": "/own",
        "/foreign": "https://elsewhere.example/stolen",
        "/hostless": "canonical.example/hostless",
    }
    link = f'<link rel="canonical" href="{claims[asked.path]}">' if asked.path in claims else ""
    asked.answer(link + article(f"页面 {asked.path}", links_to(*claims)))


def _announced(asked: Connection) -> None:
    """Pages to which no link leads."""
    sitemap = "<urlset><url><loc>http://announced.example/from-sitemap</loc></url></urlset>"
    feed = "<rss version='2.0'><channel><item><link>http://announced.example/from-feed</link></item></channel></rss>"
    answers = {"/map.xml": (sitemap, "text/xml"), "/feed": (feed, "application/rss+xml")}
    body, kind = answers.get(asked.path, ("", "text/html"))
    head = '<link rel="alternate" type="application/rss+xml" href="/feed">' if asked.path == "/" else ""
    asked.answer(body or head + article(f"页面 {asked.path}"), Content_Type=kind)


def _files(asked: Connection) -> None:
    """Links to what is no page, with names that do not say so."""
    if asked.path == "/":
        asked.answer(article("首页", links_to("/download", "/empty", "/moved", "/report.pdf", "/notes", "/table.xls")))
    elif asked.path == "/report.pdf":
        lines = ["The river was cleaned in spring.", "See http://files.example/from-pdf for more."]
        asked.answer(pdf([lines], title="River report"), Content_Type="application/pdf")
    elif asked.path == "/notes":
        asked.answer("会议纪要\n修路和架桥。".encode(), Content_Type="text/plain")
    elif asked.path == "/from-pdf":
        asked.answer(article("来自文件"))
    elif asked.path == "/download":
        asked.answer(b"%PDF-1.4 \x00\x01", Content_Type="application/pdf")
    elif asked.path == "/moved":
        asked.answer(status=301, Location="http://away.example/moved-here")
    else:
        asked.answer(b"")


def _renamed(asked: Connection) -> None:
    asked.answer(status=301, Location="http://new-name.example/")


def _forbidding(asked: Connection) -> None:
    meta = '<meta name="robots" content="nofollow">' if asked.path == "/" else ""
    asked.answer(meta + article("首页", links_to("/not-followed", "/private/not-allowed")))


def _new_name(asked: Connection) -> None:
    asked.answer(article(f"新家 {asked.path}", links_to("/inside")))


def _guarded(asked: Connection) -> None:
    asked.answer(article("首页", links_to("/private/secret", "/open")))


def _slow(asked: Connection) -> None:
    asked.answer(article("首页", links_to("/1", "/2")))


def _as_json(asked: Connection) -> None:
    """A list as JSON, whose items are on another host too; a document that is no list; and a hostile item."""
    items = [{"title": f"Listed {n}", "url": f"/item/{n}", "time": 1764200000} for n in (1, 2)]
    strays = ["http://elsewhere-listed.example/item/3", "javascript:alert(1)", "http://127.0.0.1/item/4"]
    items += [{"title": f"Stray {n}", "url": url, "time": 1764200000} for n, url in enumerate(strays)]
    answers = {"/list": {"data": {"list": items}}, "/unclear": {"data": [1, 2, 3]}}
    if asked.path in answers:
        asked.answer(json.dumps(answers[asked.path]), Content_Type="application/json")
    else:
        asked.answer(f"<p>{SENTENCE * 8}</p>" if asked.path == "/item/2" else article(f"文章 {asked.path}"))


HOSTS = {
    "slow.example": _slow,
    "paged.example": _paged,
    "listed.example": _listed,
    "canonical.example": _canonical,
    "announced.example": _announced,
    "files.example": _files,
    "renamed.example": _renamed,
    "new-name.example": _new_name,
    "forbidding.example": _forbidding,
    "guarded.example": _guarded,
    "as-json.example": _as_json,
    "elsewhere-listed.example": _as_json,
}
ROBOTS = {
    "slow.example": lambda asked: asked.answer("User-agent: *\nCrawl-delay: 0.5"),
    "announced.example": lambda asked: asked.answer("Sitemap: http://announced.example/map.xml"),
    "guarded.example": lambda asked: asked.answer("User-agent: *\nDisallow: /private/"),
}
SETTINGS = {"RETRY_DELAY": 0.05, "FRONTIER_HOST_DELAY": 0, "ALLOW_PRIVATE_ADDRESSES": False}


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    """The sites."""
    with HostileWeb(HOSTS, robots=ROBOTS) as served:
        yield served


@pytest.fixture(scope="module")
def crawl(web: HostileWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """One crawl of them all."""
    folder: Path = tmp_path_factory.mktemp("site")
    others = ("new-name.example", "as-json.example", "elsewhere-listed.example")
    starts = [f"http://{host}/" for host in HOSTS if host not in others]
    starts += ["http://as-json.example/list", "http://as-json.example/unclear"]
    return Crawl(folder, starts, settings=SETTINGS, environment={"http_proxy": web.address}).run()


def test_it_ends_without_errors_and_says_where_the_data_is(crawl: Crawl) -> None:
    assert crawl.exit_code == 0
    assert not crawl.errors
    assert f"Data: {crawl.database}" in crawl.log


def test_the_summary_and_the_run_say_what_was_stored(crawl: Crawl) -> None:
    pages = crawl.pages()
    assert re.search(rf"^Finished.*: {len(pages)} pages", crawl.log, re.M)
    with crawl.store() as store:
        (run,) = store.select(RUNS)
    assert (run["pages"], run["errors"], run["reason"]) == (len(pages), 0, "finished")
    assert run["articles"] == sum(page["kind"] == "article" for page in pages.values()) > 10


def test_an_article_on_three_pages_is_one(crawl: Crawl, web: HostileWeb) -> None:
    pages = {url: page for url, page in crawl.pages().items() if "paged.example/2024" in url}
    assert list(pages) == ["http://paged.example/2024/05/story.html"]
    body = next(iter(pages.values()))["body"]
    places = [body.find(part) for part in PARTS]
    assert -1 not in places
    assert places == sorted(places)
    assert len(web.asked("paged.example", "/2024/05/story_2.html")) == 1
    assert crawl.states()["http://paged.example/2024/05/story_2.html"] == "part"
    with crawl.store() as store:
        second = store.get(SOURCES, url_key("http://paged.example/2024/05/story_2.html"))
    assert second is not None
    assert source_bytes(second)


def test_the_pages_of_a_list_are_pages(crawl: Crawl, web: HostileWeb) -> None:
    pages = [url for url in crawl.pages() if "listed.example/post/" in url]
    assert len(pages) == 15
    assert len(web.asked("listed.example", "/page/2/")) == 1


def test_documents_are_pages_and_their_links_are_followed(crawl: Crawl, web: HostileWeb) -> None:
    pages = crawl.pages()
    notes = pages["http://files.example/notes"]
    assert (notes["kind"], notes["title"], notes["body"]) == ("document", "会议纪要", "会议纪要\n修路和架桥。")
    assert crawl.states()["http://files.example/download"] == "other"
    pytest.importorskip("pypdfium2", reason="topicrawl[documents] is not installed")
    report = pages["http://files.example/report.pdf"]
    assert (report["kind"], report["title"], report["language"]) == ("document", "River report", "en")
    assert report["body"].startswith("The river was cleaned in spring.")
    assert len(web.asked("files.example", "/from-pdf")) == 1
    assert not web.asked("files.example", "/table.xls")
    with crawl.store() as store:
        source = store.get(SOURCES, report["key"])
    assert source is not None
    assert source_bytes(source).startswith(b"%PDF-")


def test_the_items_of_a_json_list_are_pages_with_what_the_list_says(crawl: Crawl) -> None:
    pages = {url: page for url, page in crawl.pages().items() if "/item/" in url}
    assert sorted(pages) == [
        "http://as-json.example/item/1",
        "http://as-json.example/item/2",
        "http://elsewhere-listed.example/item/3",
    ]
    assert {page["published_by"] for page in pages.values()} == {"list"}
    assert pages["http://as-json.example/item/1"]["published_at"] == "2025-11-26T23:33:20+00:00"
    assert pages["http://as-json.example/item/1"]["title"] == "文章 /item/1"
    assert pages["http://as-json.example/item/2"]["listed"]["title"] == "Listed 2"


def test_a_start_page_that_cannot_be_read_gets_a_state_and_a_sentence(crawl: Crawl) -> None:
    assert crawl.states()["http://as-json.example/unclear"] == "unreadable"
    assert "http://as-json.example/unclear cannot be read as a list: the JSON has no array" in crawl.log
    assert "http://127.0.0.1/item/4" not in crawl.pages()


def test_a_page_is_stored_under_its_canonical_address(crawl: Crawl) -> None:
    pages = crawl.pages()
    assert pages["http://canonical.example/own"]["title"] == "页面 /own?from=list"
    assert pages["http://canonical.example/hostless"]["title"] == "页面 /hostless"


def test_a_claim_to_belong_to_another_domain_is_not_believed(crawl: Crawl) -> None:
    assert crawl.pages()["http://canonical.example/foreign"]["title"] == "页面 /foreign"


@pytest.mark.parametrize("path", ["from-sitemap", "from-feed"])
def test_pages_that_are_only_announced_are_fetched(crawl: Crawl, path: str) -> None:
    assert f"http://announced.example/{path}" in crawl.pages()


def test_what_is_no_page_is_noted_and_not_stored(crawl: Crawl) -> None:
    assert crawl.states()["http://files.example/download"] == "other"
    assert "http://files.example/download" not in crawl.pages()


def test_a_redirect_out_of_scope_is_not_followed_but_that_of_a_start_page_is(crawl: Crawl, web: HostileWeb) -> None:
    assert "http://new-name.example/inside" in crawl.pages()
    assert not web.asked("away.example")


def test_a_crawl_delay_is_kept(crawl: Crawl, web: HostileWeb) -> None:
    times = sorted(seen.at for path in ("/", "/1", "/2") for seen in web.asked("slow.example", path))
    assert len(times) == 3
    # two delays of half a second, less what a busy machine takes to send and see the first
    assert times[2] - times[0] >= 0.7


def test_robots_rules_and_nofollow_are_obeyed(crawl: Crawl, web: HostileWeb) -> None:
    assert [seen.path for seen in web.asked("forbidding.example") if "not" in seen.path] == []
    assert "http://guarded.example/open" in crawl.pages()
    assert web.asked("guarded.example", "/private/secret") == []
