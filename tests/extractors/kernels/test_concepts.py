"""Words of a topic: machine code finds where they stand as the automaton does."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from extractors.kernels import state, turned_off
from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Term

pytestmark = pytest.mark.skipif(state().module is None, reason=f"machine code is not in use: {state().reason}")

LETTERS = st.sampled_from(["a", "b", "A", "é", "1", " ", "\n", "税", "务", "局", "。", "\U0001f600", "ＡＢ", "稅"])
TEXT = st.lists(LETTERS, max_size=30).map("".join)
WORD = st.lists(LETTERS, min_size=1, max_size=4).map("".join)


@given(st.lists(WORD, max_size=12), st.lists(TEXT, max_size=5))
@example(["ab", "b a", "税务", "税务局", "税", "务局税"], ["ab a税务局税务局税 ab", "", "xab", "b", "a税务"])
@example(["税"], [""])
@example([], ["税"])
def test_any_words_in_any_texts(words: list[str], texts: list[str]) -> None:
    finder = ConceptFinder([Term(word, dynamic=number % 2 == 1) for number, word in enumerate(words)])
    found = [numbers.tolist() for numbers in finder.find(texts)]
    with turned_off():
        assert found == [numbers.tolist() for numbers in finder.find(texts)]


def test_thousands_of_words_with_the_same_beginning() -> None:
    words = [f"增值税{number}号" for number in range(3_000)] + ["增", "增值", "增值税"]
    text = "".join(f"增值税{number}号文件，增值电信，增加。" for number in range(0, 6_000, 7))
    finder = ConceptFinder([Term(word) for word in words])
    found = [numbers.tolist() for numbers in finder.find([text, text[5:]])]
    with turned_off():
        assert found == [numbers.tolist() for numbers in finder.find([text, text[5:]])]
    assert len(found[0]) > 2 * 3 * 857
