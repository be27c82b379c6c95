"""What is said of pages that a topic nearly kept."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from crawler.terms.example_store import ExampleStore
from crawler.terms.misses import TopicMisses
from extractors.links.urls import url_key
from extractors.topic.model import Term, Topic
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import URLS

TOPIC = Topic("tax", terms=(Term("增值税"),), threshold=0.5)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        yield opened


def item(number: int, relevance: float, *, is_list: bool = False) -> SimpleNamespace:
    article = SimpleNamespace(title=f"消息 {number}", text="企业所得税汇算清缴开始，纳税人可在网上申报。")
    page = SimpleNamespace(article=article, kind=SimpleNamespace(is_list=is_list))
    url = f"http://a.example/{number}"
    return SimpleNamespace(url=url, relevance=relevance, relevant=relevance >= 0.5, page=page)


def lines(items: list[SimpleNamespace], store: Store) -> str:
    misses = TopicMisses()
    for each in items:
        misses.add(each)
    return "\n".join(misses.lines(TOPIC, store))


def test_few_and_sure_pages_say_nothing(store: Store) -> None:
    assert lines([item(number, 0.0) for number in range(19)], store) == ""
    assert lines([item(number, 0.9) for number in range(40)], store) == ""


def test_a_topic_that_keeps_few_names_the_nearest_misses_and_their_words(store: Store) -> None:
    said = lines([item(number, number / 100) for number in range(30)] + [item(99, 0.45, is_list=True)], store)
    assert "The topic kept 0 of 31 pages read" in said
    assert said.index("http://a.example/29") < said.index("http://a.example/28")
    assert "http://a.example/99" not in said, "a list"
    assert "汇算清缴" in said or "所得税" in said
    assert "Too few judged pages are marked (0)" in said


def test_an_unsure_judge_says_what_another_threshold_would_keep(store: Store) -> None:
    examples = ExampleStore(store, "tax")
    for number, relevance in enumerate((0.1, 0.2, 0.3, 0.41, 0.45, 0.6)):
        url = f"http://m.example/{number}"
        store.upsert(URLS, [{"key": url_key(url), "url": url, "relevance": relevance}]).result()
        examples.mark([url], wanted=number >= 3, by="anna")
    said = lines([item(number, 0.45 + number / 400) for number in range(40)], store)
    assert "of 40 its judge is unsure" in said
    assert (
        "the threshold 0.5 has precision 1.00 and recall 0.33; the threshold 0.41 has precision 1.00 and recall 1.00"
        in said
    )
