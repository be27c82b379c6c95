"""Both forms of the search for a topic's words find the same."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from extractors.kernels import forms
from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Term
from tests.extractors.kernels.both_forms import needs_extension

pytestmark = needs_extension

LETTERS = st.sampled_from(["a", "b", "A", "é", "1", " ", "\n", "税", "务", "局", "。", "\U0001f600", "ＡＢ", "稅"])
TEXT = st.lists(LETTERS, max_size=30).map("".join)
WORD = st.lists(LETTERS, min_size=1, max_size=4).map("".join)


def found(terms: list[Term], texts: list[str]) -> list[list[int]]:
    """The texts and concepts that both forms find."""
    places = [numbers.tolist() for numbers in ConceptFinder(terms).find(texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.topic.concepts.WordSearch", forms["WordSearch"].numpy)
        assert places == [numbers.tolist() for numbers in ConceptFinder(terms).find(texts)]
    return places


@given(st.lists(WORD, max_size=12), st.lists(TEXT, max_size=5))
@example(["ab", "b a", "税务", "税务局", "税", "务局税"], ["ab a税务局税务局税 ab", "", "xab", "b", "a税务"])
@example(["税"], [""])
@example([], ["税"])
def test_any_words_in_any_texts(words: list[str], texts: list[str]) -> None:
    found([Term(word, dynamic=number % 2 == 1) for number, word in enumerate(words)], texts)


def test_thousands_of_words_with_the_same_beginning() -> None:
    words = [f"增值税{number}号" for number in range(3_000)] + ["增", "增值", "增值税"]
    text = "".join(f"增值税{number}号文件，增值电信，增加。" for number in range(0, 6_000, 7))
    places = found([Term(word) for word in words], [text, text[5:]])
    assert len(places[0]) > 2 * 3 * 857
