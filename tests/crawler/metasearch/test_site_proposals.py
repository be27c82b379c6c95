"""Hosts are proposed with reasons, let in up to a budget, and never against what people have decided."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from crawler.metasearch.site_proposals import SiteProposals, SiteProposer
from crawler.spiders.metasearch import MetaSearchSpider
from extractors.links.urls import host_of, url_key
from extractors.page import Page
from pipelines.items import PageItem, RowsItem
from pipelines.stores.base import Store
from pipelines.stores.tables import SITES, URLS


def item(url: str, relevance: float, head: str = "") -> PageItem:
    page = Page(f"<html><head>{head}</head><body>x</body></html>".encode(), url)
    return PageItem(url=url, requested_url=url, status=200, page=page, links=[], relevance=relevance)


def updates(proposals: SiteProposals, host: str, relevances: list[float]) -> list[str]:
    rows = [proposals.update(item(f"http://{host}/{n}", relevance), "水") for n, relevance in enumerate(relevances)]
    return [f"{row['state']} {row['relevant']}/{row['pages']}" for row in rows if row]


def outputs(found: AsyncIterator[Any]) -> list[Any]:
    """All of them."""

    async def collected() -> list[Any]:
        return [each async for each in found]

    return asyncio.run(collected())


def test_a_host_is_proposed_after_its_relevant_pages_and_better_founded(store: Store) -> None:
    proposals = SiteProposals(store, "c", needed=2, budget=0)
    assert updates(proposals, "a.example", [0.9, 0.1, 0.8, 0.2, 0.7]) == ["proposed 2/3", "proposed 3/5"]
    row = proposals.update(item("http://a.example/x", 0.9), "水 质")
    assert row
    assert row["home"] == "http://a.example/"
    assert row["reason"] == "4 of 6 pages are relevant, found by 水, 水 质, such as http://a.example/x"


def test_the_budget_holds_over_runs_and_people_have_the_last_word(store: Store) -> None:
    first = SiteProposals(store, "c", needed=1, budget=2)
    assert updates(first, "a.example", [0.9, 0.9]) == ["let_in 1/1"]
    store.upsert(SITES, [{"crawl": "c", "host": "a.example", "home": "http://a.example/", "state": "let_in"}]).result()
    store.upsert(SITES, [{"crawl": "c", "host": "bad.example", "state": "rejected"}]).result()
    again = SiteProposals(store, "c", needed=1, budget=2)
    assert again.admitted_homes() == ["http://a.example/"]
    assert updates(again, "a.example", [0.9]) == []
    assert updates(again, "bad.example", [0.9, 0.9]) == []
    assert updates(again, "b.example", [0.9]) == ["let_in 1/1"]
    assert updates(again, "c.example", [0.9]) == ["proposed 1/1"]


def test_pages_of_earlier_runs_count(store: Store) -> None:
    for n, relevance in enumerate((0.9, 0.8, 0.1)):
        url = f"http://a.example/{n}"
        row = {"key": url_key(url), "url": url, "host": host_of(url), "state": "fetched", "relevance": relevance}
        store.upsert(URLS, [row]).result()
    assert updates(SiteProposals(store, "c", needed=3, budget=0), "a.example", [0.9]) == ["proposed 3/4"]


def test_what_people_decide_during_a_crawl_is_read_and_not_written_over(store: Store) -> None:
    time = [0.0]
    proposals = SiteProposals(store, "c", needed=1, budget=0, clock=lambda: time[0])
    site = proposals.update(item("http://a.example/1", 0.9), "")
    assert site
    store.upsert(SITES, [proposals.row_of(site)]).result()
    store.upsert(SITES, [{"crawl": "c", "host": "a.example", "state": "let_in"}]).result()
    store.upsert(
        SITES, [{"crawl": "c", "host": "b.example", "home": "http://b.example/", "state": "rejected"}]
    ).result()
    again = proposals.update(item("http://a.example/2", 0.9), "")
    assert again
    assert "state" not in proposals.row_of(again)
    assert proposals.newly_admitted() == []
    time[0] = 30.0
    assert [row["host"] for row in proposals.newly_admitted()] == ["a.example"]
    assert proposals.update(item("http://b.example/1", 0.9), "") is None
    time[0] = 60.0
    assert proposals.newly_admitted() == []


ROBOTS = "User-agent: *\nAllow: /\nSitemap: /map.xml\n"
MAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/p</loc></url></urlset>'


def answer(url: str, body: str, status: int = 200) -> Response:
    return HtmlResponse(url, status=status, body=body, encoding="utf-8", request=Request(url))


def test_sitemaps_and_feeds_are_told_and_only_sites_let_in_are_crawled(store: Store, tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("水\n", encoding="utf-8")
    crawler = get_crawler(settings_dict={"SITE_MAX_PAGES_PER_HOST": 9})
    spider = MetaSearchSpider.from_crawler(crawler, terms=str(tmp_path / "terms.txt"), engines="bing", crawl="c")
    spider.scope.widen("http://a.example/")
    proposals, tools = SiteProposals(store, "c", needed=1, budget=0), spider.tools
    proposer = SiteProposer(proposals, "c", spider.scope, tools.follower, tools.listings, spider)
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    told, request = proposer.propose(item("http://a.example/x", 0.9, feed), "水")
    assert isinstance(told, RowsItem)
    assert told.rows[0][1]["feeds"] == ["http://a.example/feed"]
    assert isinstance(request, Request)
    assert request.url == "http://a.example/robots.txt"
    assert len(list(proposer.propose(item("http://a.example/y", 0.9), "水"))) == 1  # nobody looks again
    site = request.cb_kwargs["site"]
    (named,) = proposer.of_robots(answer(request.url, ROBOTS), site)
    assert named.rows[0][1]["sitemaps"] == ["http://a.example/map.xml"]
    (usual,) = proposer.of_robots(answer(request.url, "User-agent: *\n"), site)
    assert usual.url == "http://a.example/sitemap.xml"
    (found,) = outputs(proposer.of_sitemap(answer(usual.url, MAP), site))
    assert found.rows[0][1]["sitemaps"] == [usual.url]
    assert outputs(proposer.of_sitemap(answer(usual.url, "<p>no"), site)) == []
    requests = [
        each.url
        for each in outputs(proposer.of_sitemap(answer(usual.url, MAP), site | {"state": "let_in"}))
        if isinstance(each, Request)
    ]
    assert requests == ["http://a.example/p"]
