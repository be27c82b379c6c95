"""Grams of any texts: both forms give the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.kernels import forms, state
from extractors.topic.grams import SLOTS, grams
from extractors.topic.words import folded_codes

pytestmark = pytest.mark.skipif(
    state().module is None, reason=f"the compiled extension is not in use: {state().reason}"
)
TEXTS = st.lists(
    st.one_of(st.text(max_size=20), st.text("aéz中文　Ａ -1", max_size=30), st.sampled_from(["ab" * 150, "字" * 300])),
    max_size=4,
)


@given(TEXTS, st.integers(0, 9))
def test_both_forms_give_the_same(texts: list[str], salt: int) -> None:
    codes = folded_codes("".join(f"{text[:400]}\n" for text in (text.replace("\n", " ") for text in texts)))
    salts = np.full(len(texts), salt, np.uint64)
    compiled = forms["gram_cells"].compiled
    assert compiled
    assert np.array_equal(compiled(codes, salts), forms["gram_cells"].numpy(codes, salts))


@given(TEXTS)
def test_grams_are_of_their_text(texts: list[str]) -> None:
    number, gram = grams(texts)
    assert sorted(zip(number.tolist(), gram.tolist(), strict=True)) == [
        (place, each) for place, text in enumerate(texts) for each in sorted(grams([text])[1].tolist())
    ]
    assert all(0 <= each < SLOTS for each in gram.tolist())
