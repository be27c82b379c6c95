"""Concepts in texts: longest word first, whole words in Latin letters, every synonym for its term."""

from hypothesis import given
from hypothesis import strategies as st

from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Term
from extractors.topic.words import fold

TERMS = (Term("机器学习", synonyms=("machine learning", "ML")), Term("学习"), Term("java"))


def counts(text: str) -> list[float]:
    return ConceptFinder(TERMS).count([text])[0].tolist()


def test_the_longest_word_is_taken() -> None:
    assert counts("机器学习不只是学习") == [1, 1, 0]


def test_synonyms_and_traditional_characters_stand_for_their_term() -> None:
    assert counts("機器學習 (Machine Learning, ＭＬ)") == [3, 0, 0]


def test_latin_words_stand_alone() -> None:
    assert counts("javascript, HTML, Java8, (Java) 用java写") == [0, 0, 2]


def test_texts_are_kept_apart() -> None:
    assert ConceptFinder(TERMS).count(["机器", "学习机器学习", ""]).tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 0]]


def test_no_terms_find_nothing() -> None:
    assert ConceptFinder(()).count(["机器学习"]).shape == (1, 0)


def test_a_learned_term_does_not_hide_the_experts_terms_within_it() -> None:
    given, learned = Term("神经网络", synonyms=("nn",)), Term("卷积神经网络", dynamic=True)
    found = ConceptFinder((given, learned)).count(["神经网络与卷积神经网络", "卷积神经网络"])
    assert found.tolist() == [[2, 1], [1, 1]]


def test_an_experts_term_hides_what_is_within_it_and_so_does_a_learned_one_with_other_words() -> None:
    longer, other = Term("机器学习算法", synonyms=("mla",), dynamic=True), Term("算法", dynamic=True)
    found = ConceptFinder((*TERMS, longer, other)).count(["机器学习算法"])
    assert found.tolist() == [[0, 0, 0, 1, 0]]  # "mla" holds no term, so that the concept does not say one


@given(st.lists(st.text(alphabet="学习机器a b", max_size=30), max_size=5))
def test_counts_are_those_of_each_text_alone(texts: list[str]) -> None:
    finder = ConceptFinder((Term("学习"), Term("机")))
    together = finder.count(texts).tolist()
    assert together == [finder.count([text])[0].tolist() for text in texts]
    assert [row[1] for row in together] == [fold(text).count("机") for text in texts]
