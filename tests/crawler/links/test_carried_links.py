"""A list whose links scripts would make is read from the JSON that its page carries."""

import json

import pytest

from crawler.links.carried_links import carried_entries
from crawler.watching.listings import read_page
from extractors.page import Page

URL = "https://some.example/news/"
ITEMS = [{"title": f"新闻标题第{n}条", "path": f"/a/{n}.html", "publishTime": 1764200000} for n in range(5)]
STATE = json.dumps(
    {"props": {"pageProps": {"list": ITEMS, "menu": [{"name": "首页", "path": "/"}]}}}, ensure_ascii=False
)
NAV = "<a href=/>首页</a><a href=/about>关于</a>"
PAGES = {
    "next.js": f'{NAV}<div id=__next></div><script id="__NEXT_DATA__" type="application/json">{STATE}</script>',
    "an assignment": f"{NAV}<div id=app></div><script>window.__INITIAL_STATE__={STATE};</script>",
    "a variable": f"{NAV}<script>var listData = {STATE};\nrender()</script>",
    "a comment": f"{NAV}<!--s-data:{STATE}-->",
    "a text": f"{NAV}<script>window.__DATA__ = JSON.parse({json.dumps(STATE)})</script>",
}


@pytest.mark.parametrize("name", PAGES)
def test_the_list_is_found_wherever_the_page_carries_it(name: str) -> None:
    page = Page(f"<html><body>{PAGES[name]}</body></html>".encode(), URL)
    assert [entry.url for entry in carried_entries(page)] == [f"https://some.example/a/{n}.html" for n in range(5)]
    listed = [item for item in read_page(page).items if "/a/" in item.url]
    assert [(item.title, item.said) for item in listed[:1]] == [("新闻标题第0条", "2025-11-26T23:33:20+00:00")]


def test_a_page_that_shows_its_list_is_read_as_it_is() -> None:
    links = "".join(f"<a href=/b/{n}.html>这一条链接有一个完整的标题{n}</a>" for n in range(10))
    assert carried_entries(Page(f"{links}{PAGES['next.js']}".encode(), URL)) == ()
    assert carried_entries(Page(b'<script>window.x = {"a": [1, 2]};</script>', URL)) == ()


def test_many_broken_assignments_cost_little() -> None:
    page = Page(("<script>" + "window.a={" * 200_000 + "</script>").encode(), URL)
    assert carried_entries(page) == ()
