"""How the default order of a focused crawl scores links: by what surrounds them, and by what earlier runs found."""

from datetime import UTC, datetime

import pytest
from scrapy.settings import Settings

from crawler.page_answers import url_row
from crawler.strategies.focused import FocusedStrategy
from extractors.page import Page
from extractors.topic.model import Term, TermClass, Topic
from pipelines.items import PageItem
from pipelines.stores.base import Store
from pipelines.stores.tables import URLS

TOPIC = Topic("tax", terms=tuple(Term(word, TermClass.PROFESSIONAL) for word in ("印花税", "增值税", "出口退税")))
TEASERS = """<html><body>
<div><h2><a href="/1">阅读全文</a></h2><p>各地增值税和出口退税的办理有了新的规定，印花税的申报也改在网上进行，请各单位照此办理。</p></div>
<div><h2><a href="/2">阅读全文</a></h2><p>周末去湖边走了一圈，天气很好，拍了不少照片，回来的路上在小店里吃了面，晚上早早睡了。</p></div>
</body></html>"""


def _strategy(store: Store) -> FocusedStrategy:
    settings = Settings({"TOPIC_HOST_SHARE": 0.5, "TOPIC_LEARN_PAGES": 0, "TOPIC_RELOAD_SECONDS": 60})
    return FocusedStrategy(settings, lambda: store, TOPIC)


def _remember(store: Store, folder: str, state: str, relevance: float) -> None:
    now = datetime.now(UTC).isoformat()
    urls = [f"http://a.example/{folder}/{number}.html" for number in range(20)]
    rows = [url_row(url, state, "") | {"relevance": relevance, "fetched_at": now} for url in urls]
    store.upsert(URLS, rows).result(timeout=120)


def test_anchors_that_say_nothing_are_told_apart_by_the_text_beside_them(store: Store) -> None:
    page = Page(TEASERS.encode(), "http://a.example/", content_type="text/html; charset=utf-8")
    strategy = _strategy(store)
    verdict = strategy.judge(page.url, page)
    item = PageItem(page.url, page.url, 200, page, page.links, relevance=verdict.relevance, relevant=verdict.relevant)
    first, second = strategy.score(item, page.links)
    assert [link.url[-1] for link in page.links] == ["1", "2"]
    assert first > second + 0.1
    assert 0 <= second < first <= 1


def test_what_earlier_runs_found_outlives_them(store: Store) -> None:
    _remember(store, "tax", "fetched", 0.9)
    _remember(store, "same", "unchanged", 0.9)
    _remember(store, "life", "irrelevant", 0.1)
    _remember(store, "foreign", "irrelevant", 0.9)
    folders = ("tax", "same", "life", "foreign")
    scores = _strategy(store).score_listed([f"http://a.example/{folder}/99.html" for folder in folders])
    tax, same, life, foreign = scores
    assert tax == pytest.approx(same)
    assert life == pytest.approx(foreign)
    assert tax > life + 0.04
