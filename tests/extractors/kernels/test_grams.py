"""Grams of any texts: both forms give the same."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.text(max_size=60))
def test_both_forms_fold_the_same(text: str) -> None:
    of_both("codes_folded", text, np.arange(0x3000, dtype=np.uint32) ^ 1)
