"""Stored pages are read again: mended, resumable, and nothing collected is lost."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from extractors.links.urls import url_key
from extractors.page import Page, declared_rules, site_rules
from pipelines.content import ContentPipeline, source_row
from pipelines.discussion import DiscussionPipeline
from pipelines.items import PageItem
from pipelines.rereading import RereadOutcome, RereadPlan, reread
from pipelines.site_boilerplate import SiteMemories
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import PAGES, RECORDS, REREADS, SOURCES
from tests.pipelines.test_site_boilerplate import _page


@pytest.fixture
def store(store: Store) -> Store:
    """Sixty pages of two hosts, as a crawl without memory has stored them."""
    _store(store, [_of_host(f"{'ab'[number % 2]}.example", number) for number in range(60)])
    return store


def _of_host(host: str, number: int) -> Page:
    return Page(_page(number).body, f"http://{host}/{number}")


def _store(store: Store, pages: Sequence[Page]) -> None:
    for page in pages:
        item = PageItem(page.url, page.url, 200, page, ())
        store.write(DiscussionPipeline().process_item(ContentPipeline().process_item(item)).rows).result()


def _plan() -> RereadPlan:
    return RereadPlan(memories=SiteMemories(10))


def _bodies(store: Store) -> list[str]:
    return [row["body"] for row in store.select(PAGES, columns=["body"])]


def test_pages_fetched_early_are_mended_and_a_second_run_finds_nothing_to_do(store: Store) -> None:
    assert all("手机客户端" in body for body in _bodies(store))
    outcome = reread(store, _plan())
    assert (outcome.pages["read"], outcome.pages["changed"]) == (60, 60)
    assert outcome.columns["body changed"] == 60
    assert not any("手机客户端" in body for body in _bodies(store))
    assert store.count(ANALYSIS_QUEUE) == 60
    assert reread(store, _plan()).pages == {"read": 60, "changed": 0}


def test_a_run_that_was_stopped_goes_on_where_it_was(store: Store) -> None:
    def stop(outcome: RereadOutcome) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reread(store, _plan(), stop)
    assert 0 < sum("手机客户端" not in body for body in _bodies(store)) < 60
    reports: list[int] = []
    outcome = reread(store, _plan(), lambda outcome: reports.append(outcome.pages["read"]))
    assert (reports[0] > 25, outcome.pages["read"], outcome.pages["changed"]) == (True, 60, 60)
    assert store.count(REREADS) == 0


def test_pages_are_read_again_by_the_rules_of_their_site(store: Store) -> None:
    rules = site_rules("a.example", declared_rules({"title": "//p"}, None))
    reread(store, RereadPlan(rules=lambda host: rules if host == "a.example" else None))
    methods = {(row["host"], row["method"]) for row in store.select(PAGES, columns=["host", "method"])}
    assert methods == {("a.example", "default, rule a.example: title"), ("b.example", "default")}


def test_a_dry_run_writes_nothing(store: Store) -> None:
    before = _bodies(store)
    assert reread(store, replace(_plan(), dry=True, limit=30)).pages == {"read": 30, "changed": 30}
    assert (_bodies(store), store.count(REREADS), store.count(ANALYSIS_QUEUE)) == (before, 0, 0)


def test_joined_texts_pages_without_source_and_other_pages_stay(store: Store) -> None:
    keys = sorted(row["key"] for row in store.select(PAGES, columns=["key"]))
    store.upsert(PAGES, [{"key": keys[0], "parts": ["http://a.example/0_2"], "body": "两页的全文"}]).result()
    store.remove(SOURCES, [Condition("key", "=", keys[1])]).result()
    url = store.get(PAGES, keys[2])["url"]  # type: ignore[index]
    outcome = reread(store, replace(_plan(), where=(Condition("url", "!=", url),)))
    assert store.get(PAGES, keys[0])["body"] == "两页的全文"  # type: ignore[index]
    assert "手机客户端" in store.get(PAGES, keys[1])["body"]  # type: ignore[index]
    assert "手机客户端" in store.get(PAGES, keys[2])["body"]  # type: ignore[index]
    assert outcome.pages == {"read": 59, "changed": 57, "without source": 1}


def test_a_page_that_a_crawl_fetches_meanwhile_is_left_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    count = store.count

    def fetched(table: object, where: Sequence[Condition] = (), limit: int = 0) -> int:
        return 0 if table is PAGES else count(table, where, limit)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "count", fetched)
    assert reread(store, _plan()).pages == {"read": 60, "changed": 0, "fetched again": 60}
    assert all("手机客户端" in body for body in _bodies(store))


def test_records_that_earlier_visits_found_stay(store: Store) -> None:
    posts = "".join(
        f'<div class="post"><a class="author" href="/u/{n}">用户{n}</a><span class="date">2026-11-0{n + 1} 10:00</span>'
        f'<div class="content"><p>{text * 3}</p></div></div>'
        for n, text in enumerate(
            ("今天的讨论很有意思。", "我觉得这个办法可行。", "不同意楼上的看法。", "谢谢各位的建议。")
        )
    )
    page = Page(
        f"<meta charset=utf-8><title>讨论</title><div id=posts>{posts}</div>".encode(), "http://bbs.example/t/1"
    )
    _store(store, [page])
    key = store.get(PAGES, next(store.select(RECORDS))["page"])["key"]  # type: ignore[index]
    now = page.fetched_at.isoformat(timespec="seconds")
    rows = [{"page": key, "key": "early", "text": "早先的", "fetched_at": "2026-01-01T00:00:00+00:00", "part": 1}]
    rows += [{"page": key, "key": "wrong", "text": "读错的", "fetched_at": now, "part": 1}]
    rows += [{"page": key, "key": "second", "text": "第二页的", "fetched_at": now, "part": 2}]
    store.upsert(RECORDS, rows).result()
    outcome = reread(store, replace(_plan(), where=(Condition("host", "=", "bbs.example"),)))
    assert outcome.records == {"new": 0, "changed": 0, "removed": 1}
    left = {row["key"] for row in store.select(RECORDS, [Condition("page", "=", key)])}
    assert {"early", "second"} < left
    assert len(left) == 6


def test_an_article_of_several_pages_is_mended_where_their_sources_are_stored(store: Store) -> None:
    row = next(store.select(PAGES, [Condition("host", "=", "a.example")], columns=["key", "url"]))
    second = f"{row['url']}_2"
    part = Page(_page(61).body, second)
    store.upsert(
        PAGES, [{**row, "parts": [row["url"], second], "body": "两页的全文", "body_markdown": "两页"}]
    ).result()
    store.upsert(SOURCES, [source_row(part, url_key(second))]).result()
    reread(store, _plan())
    found = store.get(PAGES, row["key"])
    assert found is not None
    own = [line for line in part.article.text.split("\n") if "手机客户端" not in line]
    assert found["body"].endswith("\n".join(own[1:]))
    assert "手机客户端" not in found["body"] + found["body_markdown"]
    assert len(found["body"]) > len(part.article.text)
    assert reread(store, _plan()).pages["changed"] == 0
