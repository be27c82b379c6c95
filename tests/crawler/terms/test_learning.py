"""Examples of a topic in the store, and the judge that crawls use."""

import pytest
import zstandard

from crawler.terms.example_store import ExampleStore, stored_page
from crawler.terms.learning import ExamplesError, learn_topic
from crawler.terms.term_store import LiveRelevance, TermStore
from extractors.links.urls import url_key
from extractors.topic.model import Term, Topic
from pipelines.stores.base import Store
from pipelines.stores.tables import SOURCES, URLS
from tests.extractors.topic.test_example_model import LIFE, TAX, page

TOPIC = Topic("tax", (Term("增值税"),))


@pytest.fixture
def store(store: Store) -> Store:
    for number, subject in enumerate([*TAX, *LIFE]):
        body = zstandard.compress(page(subject).body)
        row = {"key": url_key(url(number)), "body": body, "compression": "zstd", "charset": "utf-8"}
        store.upsert(SOURCES, [row]).result()
    return store


def url(number: int) -> str:
    return f"http://site{number}.example/p/{number}.html"


def test_learned_judge_reaches_crawls_that_run(store: Store) -> None:
    book = ExampleStore(store, "tax")
    live = LiveRelevance(TermStore(store, TOPIC), 0.0)
    before = live.current().judge(page("消费税的申报")).score
    book.mark(map(url, range(6)), wanted=True, by="me")
    book.mark(map(url, range(6, 12)), wanted=False, by="me")
    book.mark(["http://gone.example/"], wanted=False, by="me")
    report = "\n".join(learn_topic(store, TOPIC))
    assert "1 examples were not fetched" in report
    assert "6 pages that are wanted, 6 that are not" in report
    assert {"terms", "examples", "both"} <= set(report.split())
    assert live.current().judge(page("消费税的申报")).score > before == 0
    store.close()


@pytest.mark.parametrize(("term", "alone"), [("增值税", False), ("猫", True)])
def test_terms_that_rank_the_examples_worse_do_not_count(store: Store, term: str, alone: bool) -> None:
    book, topic = ExampleStore(store, "tax"), Topic("tax", (Term(term), Term("这里第")))
    book.mark(map(url, range(6)), wanted=True, by="me")
    book.mark(map(url, range(6, 12)), wanted=False, by="me")
    report = "\n".join(learn_topic(store, topic))
    model = book.model()
    assert model is not None
    assert model.alone == alone == ("by the examples alone" in report)
    store.close()


def test_too_few_examples(store: Store) -> None:
    ExampleStore(store, "tax").mark([url(0)], wanted=True, by="me")
    with pytest.raises(ExamplesError, match="1 pages are wanted and 0 are not"):
        list(learn_topic(store, TOPIC))
    store.close()


def test_a_later_mark_replaces_an_earlier_one(store: Store) -> None:
    book = ExampleStore(store, "tax")
    book.mark([url(0)], wanted=True, by="me")
    book.mark([url(0)], wanted=False, by="you")
    assert [(example.url, example.wanted) for example in book.all()] == [(url(0), False)]
    assert ExampleStore(store, "other").all() == []
    store.close()


def test_doubtful_pages_come_first(store: Store) -> None:
    rows = [
        {"key": url_key(url(n)), "url": url(n), "relevance": relevance, "state": "fetched"}
        for n, relevance in enumerate((0.99, 0.52, 0.3, 0.02, 0.49))
    ]
    store.upsert(URLS, rows).result()
    book = ExampleStore(store, "tax")
    book.mark([url(4)], wanted=True, by="me")
    assert [row["url"] for row in book.doubtful(9)] == [url(1), url(2)]
    assert book.address(url_key(url(2))) == url(2)
    assert book.address("0" * 20) == ""
    assert stored_page(store, url(3)) is not None
    store.close()
