"""Both forms of the kernels of kinds give the same for any texts and any tree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.features import cards
from extractors.html import structure
from tests.extractors.kernels.both_forms import needs_extension, of_both

pytestmark = needs_extension
TEXTS = st.one_of(
    st.sampled_from(
        ["Read more", " NEXT\n", "\xa0Reply\xa0", "\x1fshare", "$9", " US $ 3", "USD 1", "£4", "￥10", "更多", "K", "İ"]
    ),
    st.text("Next \n\x1c\xa0$U1更Kİ", max_size=26),
)


@given(st.lists(TEXTS, max_size=12))
def test_phrases(texts: list[str]) -> None:
    of_both("phrases_and_prices", texts, structure._NUMBERS, structure._SIEVE, structure._CURRENCIES, 24)


@given(st.integers(0, 2**32), st.integers(0, 40))
def test_repeated_siblings(seed: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    place = np.arange(number)
    of_both(
        "repeated_siblings",
        rng.integers(0, 16, number).astype(np.uint8),
        np.minimum(number, place + rng.integers(1, 9, number)).astype(np.int32),
        np.minimum(place, rng.integers(0, 5, number)).astype(np.int64),
        rng.integers(0, 30, number),
        rng.integers(0, 30, number),
        10,
        3,
    )


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_card_groups(seed: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    place = np.arange(number)
    length = rng.integers(0, 30, number)
    of_both(
        cards.card_groups.__name__,
        rng.integers(0, 8, number).astype(np.uint8),
        np.minimum(number, place + rng.integers(1, 9, number)).astype(np.int32),
        np.minimum(place, rng.integers(0, 5, number)).astype(np.int64),
        length,
        np.minimum(length, rng.integers(0, 30, number)),
        rng.integers(0, number, (8, 12)).astype(np.int32),
        10,
        3,
    )
