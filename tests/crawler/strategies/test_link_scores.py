"""How the default order of a focused crawl scores links: by their texts, their page, and their role in the site's lists."""

import pytest
from scrapy.settings import Settings

from crawler.strategies.focused import FocusedStrategy
from crawler.strategies.list_roles import is_index, is_named, names_index
from crawler.strategies.payoffs import Payoffs
from extractors.page import Page
from extractors.topic.model import Term, Topic
from pipelines.items import PageItem
from pipelines.stores.base import Store

TOPIC = Topic("tax", terms=tuple(Term(word) for word in ("印花税", "增值税", "出口退税")))
_ROWS = (f"<li><a href=/p/{number}.html>往事的第{number}篇</a> 2024-05-{number}</li>" for number in range(10, 28))
LIST = f"<h1>列表</h1><ul>{''.join(_ROWS)}</ul>"
FURTHER = '<a href="/tags/tax/page/2/">下一页</a>'


@pytest.fixture
def strategy(store: Store) -> FocusedStrategy:
    settings = Settings({"TOPIC_LEARN_PAGES": 0, "TOPIC_RELOAD_SECONDS": 60})
    return FocusedStrategy(settings, lambda: store, TOPIC)


def scored(strategy: FocusedStrategy, url: str, body: str, depth: int = 1) -> dict[str, float]:
    """Judge a page and score its links: their scores by text."""
    page = Page(f"<html><body>{body}</body></html>".encode(), url, content_type="text/html; charset=utf-8")
    verdict = strategy.judge(url, page)
    item = PageItem(
        url, url, 200, page, page.links, depth=depth, relevance=verdict.relevance, relevant=verdict.relevant
    )
    return {link.url: score for link, score in zip(page.links, strategy.score(item, page.links), strict=True)}


def test_a_tag_of_the_topic_vouches_for_its_whole_list(strategy: FocusedStrategy) -> None:
    home = '<a href="/tags/tax/">增值税</a><a href="/tags/life/">生活</a><a href="/about/">关于</a>'
    tags = scored(strategy, "http://a.example/", home, depth=0)
    assert tags["http://a.example/tags/tax/"] > 0.6
    assert tags["http://a.example/tags/life/"] < 0.1
    pages = scored(strategy, "http://a.example/tags/tax/", LIST + FURTHER)
    assert min(pages.values()) > 0.5
    assert pages["http://a.example/tags/tax/page/2/"] <= pages["http://a.example/p/11.html"]
    others = scored(strategy, "http://a.example/tags/life/", LIST.replace("/p/", "/q/"))
    assert max(others.values()) < 0.1
    later = scored(strategy, "http://a.example/tags/tax/page/2/", LIST.replace("/p/", "/r/"))
    assert later["http://a.example/r/11.html"] > 0.5


def test_pages_that_a_tag_lists_come_before_another_tag_of_the_same_name(strategy: FocusedStrategy) -> None:
    scored(strategy, "http://a.example/", '<a href="/tags/tax/">增值税</a>', depth=0)
    pages = scored(strategy, "http://a.example/tags/tax/", LIST + FURTHER + '<a href="/tags/vat/">增值税</a>')
    listed, other = pages["http://a.example/p/11.html"], pages["http://a.example/tags/vat/"]
    assert listed > 1.05 * other
    assert listed == pytest.approx(pages["http://a.example/tags/tax/page/2/"])


def test_the_first_page_of_a_site_vouches_less_as_its_frame_is_unknown(strategy: FocusedStrategy) -> None:
    strategy.score_listed(["http://b.example/tags/%E5%A2%9E%E5%80%BC%E7%A8%8E/"])
    pages = scored(strategy, "http://b.example/tags/%E5%A2%9E%E5%80%BC%E7%A8%8E/", LIST)
    assert 0.1 < max(pages.values()) < 0.5


def test_a_host_that_disappoints_falls_behind(strategy: FocusedStrategy) -> None:
    links = "".join(f'<p><a href="/p/{place}.html">增值税稽查{place}</a></p>' for place in range(30))
    before = {host: scored(strategy, f"http://{host}.example/", links) for host in ("barren", "other")}
    for place in range(15):
        scored(strategy, f"http://barren.example/p/{place}.html", "<p>市民生活的一件事，说来话长。</p>" * 9)
    barren, other = (strategy.present_score(f"http://{host}.example/p/29.html") or 0.0 for host in before)
    assert barren < 0.3 * other
    assert other == pytest.approx(before["other"]["http://other.example/p/29.html"])


def test_a_host_is_trusted_by_its_own_pages_alone() -> None:
    payoffs = Payoffs()
    for place in range(20):
        payoffs.add("a.example", expected=0.8, brought=0.4)
        payoffs.add(f"{place}.example", expected=0.8, brought=0.4)
    assert payoffs.trust("a.example") < 0.6
    assert payoffs.trust("new.example") == 1.0


def test_an_article_that_the_judge_leaves_out_has_brought_its_topical_score(strategy: FocusedStrategy) -> None:
    links = "".join(f'<p><a href="/p/{place}.html">增值税稽查{place}</a></p>' for place in range(30))
    found = scored(strategy, "http://near.example/", links)
    text = "<p>增值税稽查</p>" + "<p>市民生活的一件事，说来话长，先从那一年的夏天说起。</p>" * 9
    for place in range(4):
        scored(strategy, f"http://near.example/p/{place}.html", text)
    last = "http://near.example/p/29.html"
    assert strategy.present_score(last) == pytest.approx(found[last])


def test_indexes_are_priced_by_what_they_have_brought(strategy: FocusedStrategy) -> None:
    for number in range(4):
        home = scored(
            strategy, f"http://{number}.example/", f'<a href="/tags/">标签</a><a href="/{number}">往事</a>', depth=0
        )
        last = home[f"http://{number}.example/tags/"]
        scored(
            strategy, f"http://{number}.example/tags/", '<a href="/tags/tax/">增值税</a><a href="/tags/life/">生活</a>'
        )
    again = scored(strategy, "http://last.example/", '<a href="/tags/">标签</a><a href="/x">往事</a>', depth=0)
    assert again["http://last.example/tags/"] > last
    assert again["http://last.example/x"] < 0.1


@pytest.mark.parametrize(
    ("path", "index", "named"),
    [
        ("/tags/", True, False),
        ("/blog/categories/index.html", True, False),
        ("/archives", True, False),
        ("/tags/tax/", False, True),
        ("/list?cat=3", False, True),
        ("/2024/05/", False, True),
        ("/2024/05/07/post/", False, False),
        ("/post/tags-of-mine", False, False),
    ],
)
def test_the_role_of_a_list_is_read_from_its_address(path: str, index: bool, named: bool) -> None:
    url = f"http://a.example{path}"
    assert (is_index(url), is_named(url)) == (index, named)


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("归档", True),
        ("# 全部文章 (78)", True),
        ("Tags", True),
        ("標籤", True),
        ("历史上的今天", False),
        ("78", False),
        ("", False),
    ],
)
def test_links_lead_to_an_index_by_their_text(text: str, leads: bool) -> None:
    assert names_index(text) == leads
