"""Pages that are of no topic and lead to it: what the focused order learns of the links to them."""

import pytest
from scrapy.settings import Settings

from crawler.priorities import BAND
from crawler.strategies.focused import FocusedStrategy
from extractors.page import Page
from extractors.topic.model import Term, Topic
from pipelines.items import PageItem
from pipelines.stores.base import Store

TOPIC = Topic("tax", tuple(Term(word) for word in ("增值税", "印花税", "稽查")))
SETTINGS = Settings({"TOPIC_HOST_SHARE": 0.5, "TOPIC_RELOAD_SECONDS": 60, "TOPIC_LEARN_PAGES": 0})
LIFE = "".join(f"<p>市民生活的第{number}件事，说来话长，今天先写到这里。</p>" for number in range(5))


@pytest.fixture
def strategy(store: Store) -> FocusedStrategy:
    return FocusedStrategy(SETTINGS, lambda: store, TOPIC)


def judged(strategy: FocusedStrategy, url: str, body: str) -> PageItem:
    """The page, judged."""
    page = Page(f"<html><body>{body}</body></html>".encode(), url)
    verdict = strategy.judge(url, page)
    return PageItem(url, url, 200, page, page.links, relevance=verdict.relevance, relevant=verdict.relevant)


def read(strategy: FocusedStrategy, url: str, body: str) -> dict[str, float]:
    """Judge a page and score its links: their scores by text."""
    item = judged(strategy, url, body)
    return {link.text: score for link, score in zip(item.links, strategy.score(item, item.links), strict=True)}


def test_a_host_that_disappoints_falls_behind(strategy: FocusedStrategy) -> None:
    links = "".join(f'<p><a href="/p/{place}">增值税稽查{place}</a></p>' for place in range(60))
    for host in ("barren", "other"):
        read(strategy, f"http://{host}.example/", LIFE + links)
    before = strategy.present_score("http://barren.example/p/59") or 0.0
    for place in range(40):
        read(strategy, f"http://barren.example/p/{place}", LIFE)
    barren, other = (strategy.present_score(f"http://{host}.example/p/59") or 0.0 for host in ("barren", "other"))
    assert barren < 0.5 * before
    assert barren < other - BAND / strategy.scale


def test_lists_that_lead_to_the_topic_are_looked_for_on_other_sites(strategy: FocusedStrategy) -> None:
    home = f'{LIFE}<p><a href="/all/">全部栏目</a></p><p><a href="/me/">关于本人</a></p>'
    for number in range(4):
        site = f"http://{number}.example"
        scores = read(strategy, f"{site}/", home)
        columns = "".join(f'<p><a href="/t/{place}">增值税稽查{place}</a></p>' for place in range(5))
        read(strategy, f"{site}/all/", LIFE + columns)
        read(strategy, f"{site}/me/", LIFE + '<p><a href="/me/2">往下看吧</a></p>')
        if number == 0:
            assert scores["全部栏目"] == pytest.approx(scores["关于本人"], abs=0.01)
    scores = read(strategy, "http://last.example/", home)
    assert scores["全部栏目"] > scores["关于本人"] + 0.03


def test_pages_on_which_the_judge_is_not_sure_teach_nothing(strategy: FocusedStrategy) -> None:
    links = "".join(f'<p><a href="/p/{place}">增值税稽查{place}</a></p>' for place in range(60))
    before = read(strategy, "http://before.example/", LIFE + links)
    assert strategy.present_score("http://before.example/p/59") is not None
    for place in range(40):
        read(strategy, f"http://before.example/p/{place}", "<p>It rained all day, and so we stayed at home.</p>" * 5)
    assert strategy.present_score("http://before.example/p/59") is None
    assert read(strategy, "http://after.example/", LIFE + links) == pytest.approx(before, abs=0.005)
