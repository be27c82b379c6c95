"""A topic's library in the store, and how it reaches a crawl that runs."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from crawler.terms.term_store import LiveRelevance, TermStore
from extractors.topic.expansion import TermCandidate
from extractors.topic.library import TermState
from extractors.topic.model import Term, TermClass, Topic
from pipelines.stores.base import Store

NOW = datetime(2026, 11, 1, tzinfo=UTC)
TOPIC = Topic("tax", (Term("印花税"),))


pytestmark = pytest.mark.every_store


@pytest.fixture
def accept(store: Store) -> Callable[[str], None]:
    def decide(word: str) -> None:
        book = TermStore(store, TOPIC)
        library = book.library()
        book.save_candidates(library.propose([TermCandidate(word, 2.0, 0.4, 5, f"{word}下调。")], "pages", NOW))
        book.save([library.decide(word, TermState.ACCEPTED, by="ann", now=NOW, term_class=TermClass.SUBJECT)])

    return decide


def test_a_library_comes_back_as_it_was(store: Store, accept: Callable[[str], None]) -> None:
    accept("關稅")
    (entry,) = TermStore(store, TOPIC).library().entries()
    assert entry.term == Term("關稅", TermClass.SUBJECT, 0.4, dynamic=True)
    assert (entry.state, entry.origin, entry.pages, entry.example) == (TermState.ACCEPTED, "pages", 5, "關稅下调。")
    assert [(change.state, change.by) for change in entry.history] == [("candidate", "pages"), ("accepted", "ann")]
    assert TermStore(store, Topic("other", (Term("x"),))).library().entries() == []


def test_candidates_do_not_undo_what_people_decided_meanwhile(store: Store, accept: Callable[[str], None]) -> None:
    book = TermStore(store, TOPIC)
    late = book.library().propose([TermCandidate("关税", 1.0, 0.1, 1, "")], "crawl", NOW)
    accept("关税")
    assert book.save_candidates(late) == []
    assert book.library().entries()[0].state is TermState.ACCEPTED


def test_accepted_terms_reach_a_crawl_that_runs(store: Store, accept: Callable[[str], None]) -> None:
    time = [0.0]
    live = LiveRelevance(TermStore(store, TOPIC), 30.0, clock=lambda: time[0])
    before = live.current()
    assert before.judge_text("关税下调", "关税的新税率").score == 0
    accept("关税")
    assert live.current() is before
    time[0] = 31.0
    after = live.current()
    assert after is not before
    assert [term.word for term in after.topic.terms] == ["印花税", "关税"]
    time[0] = 62.0
    assert live.current() is after
