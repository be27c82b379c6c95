"""Both forms of the kernels of kinds give the same for any texts and any tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.features import cards
from extractors.html import structure
from extractors.kernels import forms, state

pytestmark = pytest.mark.skipif(
    state().module is None, reason=f"the compiled extension is not in use: {state().reason}"
)
TEXTS = st.one_of(
    st.sampled_from(
        ["Read more", " NEXT\n", "\xa0Reply\xa0", "\x1fshare", "$9", " US $ 3", "USD 1", "£4", "￥10", "更多", "K", "İ"]
    ),
    st.text("Next \n\x1c\xa0$U1更Kİ", max_size=26),
)


@given(st.lists(TEXTS, max_size=12))
def test_phrases(texts: list[str]) -> None:
    given = texts, structure._NUMBERS, structure._SIEVE, structure._CURRENCIES, 24
    wanted, found = (getattr(forms["phrases_and_prices"], form)(*given) for form in ("numpy", "compiled"))
    assert np.array_equal(found[0], wanted[0])
    assert found[1] == wanted[1]


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_repeated_siblings(seed: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    place = np.arange(number)
    given = (
        rng.integers(0, 16, number).astype(np.uint8),
        np.minimum(number, place + rng.integers(1, 9, number)).astype(np.int32),
        np.minimum(place, rng.integers(0, 5, number)).astype(np.int64),
        rng.integers(0, 30, number),
        rng.integers(0, 30, number),
        10,
        3,
    )
    wanted, found = (getattr(forms["repeated_siblings"], form)(*given) for form in ("numpy", "compiled"))
    assert found.tolist() == wanted.tolist()


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_card_groups(seed: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    place = np.arange(number)
    length = rng.integers(0, 30, number)
    given = (
        rng.integers(0, 8, number).astype(np.uint8),
        np.minimum(number, place + rng.integers(1, 9, number)).astype(np.int32),
        np.minimum(place, rng.integers(0, 5, number)).astype(np.int64),
        length,
        np.minimum(length, rng.integers(0, 30, number)),
        rng.integers(0, number, (8, 12)).astype(np.int32),
        10,
        3,
    )
    wanted, found = (getattr(forms[cards.card_groups.__name__], form)(*given) for form in ("numpy", "compiled"))
    assert np.array_equal(found, wanted)
