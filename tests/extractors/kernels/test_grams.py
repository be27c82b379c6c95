"""Grams of any texts: both forms give the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.kernels import forms
from extractors.topic.grams import SLOTS, grams
from extractors.topic.words import folded_codes
from tests.extractors.kernels.both_forms import needs_extension, of_both

pytestmark = needs_extension
TEXTS = st.lists(
    st.one_of(st.text(max_size=20), st.text("aéz中文　Ａ -1", max_size=30), st.sampled_from(["ab" * 150, "字" * 300])),
    max_size=4,
)


@given(TEXTS, st.integers(0, 9))
def test_both_forms_give_the_same(texts: list[str], salt: int) -> None:
    codes = folded_codes("".join(f"{text[:400]}\n" for text in (text.replace("\n", " ") for text in texts)))
    salts = np.full(len(texts), salt, np.uint64)
    of_both("gram_cells", codes, salts)


@given(TEXTS)
def test_grams_are_of_their_text(texts: list[str]) -> None:
    number, gram = grams(texts)
    assert sorted(zip(number.tolist(), gram.tolist(), strict=True)) == [
        (place, each) for place, text in enumerate(texts) for each in sorted(grams([text])[1].tolist())
    ]
    assert all(0 <= each < SLOTS for each in gram.tolist())


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=20),
    st.lists(st.tuples(st.floats(0, 1, width=32), st.integers(0, 9)), min_size=7, max_size=7),
    st.floats(0, 1),
)
def test_both_forms_give_the_same_surplus(
    pairs: list[tuple[int, int]], shares: list[tuple[float, int]], mean: float
) -> None:
    sums, counts = np.array([(share * count, count) for share, count in shares], np.float32).T.copy()
    link, gram = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    found, wanted = (form(sums, counts, mean, 5.0, link, gram, 5) for form in surplus_forms())
    assert np.array_equal(found, wanted)


def test_a_gram_that_is_none_is_refused() -> None:
    sums, one = np.zeros(3, np.float32), np.zeros(1, np.int64)
    for form in surplus_forms():
        with pytest.raises(IndexError):
            form(sums, sums, 0.5, 5.0, one, one + 3, 1)


def surplus_forms() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Compiled and numpy."""
    both = forms["gram_surplus"]
    assert both.compiled
    return both.compiled, both.numpy


@given(st.text(max_size=60))
def test_both_forms_fold_the_same(text: str) -> None:
    of_both("codes_folded", text, np.arange(0x3000, dtype=np.uint32) ^ 1)
