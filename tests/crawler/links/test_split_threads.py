"""What a list says of its threads, whose pages a page's further pages are, and which short links lead into threads."""

from dataclasses import replace
from datetime import timedelta

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from crawler.links.split_threads import ThreadListDiff, Threads, activity_of, is_discussion, other_pages
from crawler.page_answers import url_row
from crawler.spiders.site import SiteSpider
from extractors.page import Page
from extractors.records.read.model import Record
from pipelines.items import PageItem, RowsItem
from pipelines.storage import StoragePipeline
from pipelines.stores.base import Store
from pipelines.stores.tables import URLS
from tests.extractors.records.engines import ENGINES, LISTS, NOW
from tests.extractors.records.engines.comments import ARTICLE
from tests.extractors.records.engines.content import lines, posts

HOST = "http://bbs.example"


def item(markup: str, path: str) -> PageItem:
    """A fetched page."""
    page = Page(f"<html><meta charset=utf-8><body>{markup}</body></html>".encode(), HOST + path, fetched_at=NOW)
    return PageItem(HOST + path, HOST + path, 200, page, page.links)


def test_threads_of_which_a_list_says_what_it_said_before_are_left_out(store: Store) -> None:
    listed, content = ThreadListDiff(lambda: store), lines(3)
    build, path, _, _ = LISTS["Discuz! X3"]
    first = listed.read(item(build(content), path))
    assert first.leave_out == frozenset()
    assert first.activities[HOST + content[0].url] == f"{content[0].replies}|{content[0].last:%Y-%m-%dT%H:%M}"
    rows = [url_row(url, "fetched", "") | {"activity": activity} for url, activity in first.activities.items()]
    store.upsert(URLS, rows).result()
    assert listed.read(item(build(content), path)).leave_out == set(first.activities)
    later = [*content[:4], replace(content[4], replies=content[4].replies + 1), *content[5:]]
    assert listed.read(item(build(later), path)).leave_out == set(first.activities) - {HOST + content[4].url}


@pytest.mark.parametrize(
    ("record", "activity"),
    [
        (Record(replies="12", last_time="2026-11-19T08:40", last_time_text="2026-11-19 08:40"), "12|2026-11-19T08:40"),
        (Record(replies="12", last_time="2026-11-20T12:10+00:00", last_time_text="20 分钟前"), "12|~"),
        (Record(replies="12"), "12|"),
        (Record(), ""),
    ],
)
def test_what_a_list_says_of_a_thread(record: Record, activity: str) -> None:
    assert activity_of(record, NOW) == activity


@pytest.mark.parametrize(("ago", "left_out"), [(timedelta(minutes=1), True), (timedelta(hours=2), False)])
def test_how_long_ago_is_compared_with_the_last_fetch(store: Store, ago: timedelta, left_out: bool) -> None:
    """The list says "20 minutes ago"; the thread was fetched before or after that."""
    content = lines(3)
    build, path, _, _ = LISTS["Discuz! X3"]
    markup = build(content).replace(f"{content[2].last:%Y-%-m-%-d %H:%M}", "20 分钟前")
    row = url_row(HOST + content[2].url, "fetched", "") | {"activity": f"{content[2].replies}|~"}
    store.upsert(URLS, [row | {"fetched_at": (NOW - ago).isoformat()}]).result()
    told = ThreadListDiff(lambda: store).read(item(markup, path))
    assert told.activities[HOST + content[2].url].endswith("~")
    assert (HOST + content[2].url in told.leave_out) == left_out


def test_links_from_a_list_into_threads_wait_for_their_first_page(store: Store) -> None:
    content = lines(3)
    build, path, _, _ = LISTS["Discuz! X3"]
    further = content[1].url.replace("-1-1.html", "-2-1.html")
    markup = build(content).replace(f"{content[1].title}</a>", f'{content[1].title}</a> <a href="{further}">2</a>')
    markup += '<div class="pg"><a href="/forum-2-2.html">2</a></div>'
    assert ThreadListDiff(lambda: store).read(item(markup, path)).leave_out == {HOST + further}


def test_a_page_that_is_no_list_says_nothing(store: Store) -> None:
    build, path, _, _ = ENGINES["Discuz! X3"]
    assert ThreadListDiff(lambda: store).read(item(build(posts(1)), path)).activities == {}


PAGER = '<div class="pg"><a href="{0}">2</a> <a class="nxt" href="{0}">下一页</a></div>'


def test_further_pages_of_a_thread_are_its_records(store: Store) -> None:
    found = item(ENGINES["Discuz! X3"][0](posts(1)) + PAGER.format("/thread-7-2-1.html"), "/thread-7-1-1.html")
    assert is_discussion(found.page)
    assert other_pages(found) == {f"{HOST}/thread-7-2-1.html"}
    onward = Threads(lambda: store, 5).onward(found, None)
    assert onward is not None
    address, told = onward
    assert (address, told["first"], told["pages"]) == (f"{HOST}/thread-7-2-1.html", found.url, 1)
    assert Threads(lambda: store, 1).onward(found, None) is None


def test_further_pages_of_an_article_are_no_records() -> None:
    """An article on two pages, with comments under it."""
    text = "".join(f"<p>工程还有第{number}条：{paragraph}</p>" for number, paragraph in enumerate(ARTICLE * 2))
    markup = ENGINES["WordPress"][0](posts(1)).replace(
        "</article><div id", f"{text}</article>" + PAGER.format("/2026/11/pipes_2.html") + "<div id", 1
    )
    found = item(markup, "/2026/11/pipes.html")
    assert found.page.records.kind == "comments"
    assert not is_discussion(found.page)


@pytest.mark.parametrize("path", ["/", "/tag/pipes", "/news"])
def test_pages_of_a_blog_are_no_thread(path: str) -> None:
    """Beginnings of articles with their titles, dates and authors, as on a home page."""
    begun = "".join(
        f'<div class="post"><h2 class="post-title"><a href="/2026/11/{post.number}.html">{post.text[:12]} {post.number}</a></h2>'
        f'<a class="author" href="/u/1">{post.author}</a>'
        f"<time>{post.when:%Y-%m-%d}</time><div class='entry'><p>{post.text * 4}</p></div></div>"
        for post in posts(2, 8)
    )
    found = item(begun + PAGER.format(f"{path.rstrip('/')}/page/2"), path)
    assert found.page.records.next_page == f"{HOST}{path.rstrip('/')}/page/2"
    assert other_pages(found) == set()
    assert not is_discussion(found.page)


def test_a_page_tells_itself_of_which_thread_it_is(store: Store) -> None:
    pager = '<a href="/thread-7-1-1.html">1</a> <a href="/thread-7-2-1.html">2</a>'
    found = item(ENGINES["Discuz! X3"][0](posts(1)) + pager, "/thread-7-3-1.html")
    place = Threads(lambda: store, 5).place(found.page, found.url, None)
    assert place is not None
    assert (place.first, place.part) == (f"{HOST}/thread-7-1-1.html", 3)
    lost = item(ENGINES["Discuz! X3"][0](posts(1)), "/thread-7-3-1.html")
    assert Threads(lambda: store, 5).place(lost.page, lost.url, None) is None


def test_a_page_that_brings_what_the_page_before_has_shown_is_the_last(store: Store) -> None:
    threads = Threads(lambda: store, 50)
    first = item(ENGINES["Discuz! X3"][0](posts(1)) + PAGER.format("/thread-7-2-1.html"), "/thread-7-1-1.html")
    onward = threads.onward(first, None)
    assert onward is not None
    again = item(ENGINES["Discuz! X3"][0](posts(1)) + PAGER.format("/thread-7-3-1.html"), "/thread-7-2-1.html")
    place = threads.place(again.page, again.url, onward[1])
    assert place is not None
    assert place.first == first.url
    again = replace(again, part_of=place.first, part=place.part, left_out=place.left_out)
    assert threads.onward(again, onward[1]) is None


@pytest.mark.parametrize(("state", "reason"), [("part", f"{HOST}/thread-7-1-1.html"), ("fetched", "")])
def test_a_page_that_has_not_changed_stays_part_of_its_thread(store: Store, state: str, reason: str) -> None:
    url = f"{HOST}/thread-7-2-1.html"
    store.upsert(URLS, [url_row(url, state, reason)]).result()
    spider = SiteSpider.from_crawler(get_crawler(), url=HOST)
    storage = StoragePipeline.from_crawler(spider.crawler)
    storage.store, storage.is_open = store, True
    item = next(iter(spider.parse(HtmlResponse(url, status=304, request=Request(url)))))
    assert isinstance(item, RowsItem)
    row = item.rows[0][1]
    assert (row["state"], row["reason"]) == ("part" if state == "part" else "unchanged", reason)
