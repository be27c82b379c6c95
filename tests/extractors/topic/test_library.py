"""The library of terms: what is proposed, decided, and counts."""

from datetime import UTC, datetime

import pytest

from extractors.topic.expansion import TermCandidate
from extractors.topic.library import TermState, TopicLibrary, UnknownTermError
from extractors.topic.model import Term, TermClass, Topic

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def library() -> TopicLibrary:
    made = TopicLibrary(Topic("tax", (Term("印花税", synonyms=("印税",)),)))
    made.propose(
        [TermCandidate("关税", 2.0, 0.4, 5, "关税下调。"), TermCandidate("天气", 1.0, 0.1, 3, "")], "pages", NOW
    )
    return made


def test_candidates_wait_for_people(library: TopicLibrary) -> None:
    assert [entry.term.word for entry in library.entries(TermState.CANDIDATE)] == ["关税", "天气"]
    assert [term.word for term in library.topic().terms] == ["印花税"]


def test_accepted_terms_count_and_rejected_ones_stay_away(library: TopicLibrary) -> None:
    library.decide("关税", TermState.ACCEPTED, by="ann", now=NOW, term_class=TermClass.SUBJECT, weight=0.9)
    library.decide("天气", TermState.REJECTED, by="ann", now=NOW)
    assert library.topic().terms[1] == Term("关税", TermClass.SUBJECT, 0.9, dynamic=True)
    assert library.propose([TermCandidate("天气", 9.0, 1.0, 9, "")], "crawl", NOW) == []
    assert [change.state for change in library.entries(TermState.REJECTED)[0].history] == [
        TermState.CANDIDATE,
        TermState.REJECTED,
    ]


def test_a_given_word_or_its_synonym_is_not_proposed(library: TopicLibrary) -> None:
    assert library.propose([TermCandidate("印税", 1.0, 1.0, 3, "")], "pages", NOW) == []


def test_a_word_that_waits_keeps_where_it_came_from(library: TopicLibrary) -> None:
    (entry,) = library.propose([TermCandidate("关税", 3.0, 0.5, 8, "新例。")], "crawl", NOW)
    assert (entry.origin, entry.score, entry.example) == ("pages", 3.0, "新例。")


def test_only_what_was_proposed_is_decided(library: TopicLibrary) -> None:
    with pytest.raises(UnknownTermError):
        library.decide("海关", TermState.ACCEPTED, by="ann", now=NOW)
