"""Lists of titles by term grow in one pool of memory and stay apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.kernels import forms, state
from extractors.titles.storage import _SLABS, NEXT_LENGTH, TitleStore

TITLES = 700


def expected(number: int) -> list[int]:
    return list(range(0, TITLES, number + 1))


def terms_of(position: int) -> list[int]:
    return [number for number in range(40) if position % (number + 1) == 0]


def lists(store: TitleStore) -> list[list[int]]:
    return [store.listed(number).tolist() for number in range(40)]


def test_lists_keep_their_titles_while_they_move_through_the_pool() -> None:
    store = TitleStore()
    for _ in range(40):
        store.add_term()
    for position in range(TITLES):
        store.add(terms_of(position))
    assert lists(store) == [expected(number) for number in range(40)]


def test_lists_filled_at_once_go_on_growing() -> None:
    store = TitleStore()
    titles = [terms_of(position) for position in range(TITLES)]
    store.fill(np.concatenate(titles).astype(np.uint32), np.array(list(map(len, titles)), np.uint16), 40)
    for _ in range(300):
        store.add(list(range(40)))
    assert lists(store) == [[*expected(number), *range(TITLES, TITLES + 300)] for number in range(40)]


def test_a_slab_is_never_much_longer_than_the_one_before() -> None:
    assert NEXT_LENGTH[0] == 1
    assert all(one < other <= max(1, 2 * one) for one, other in NEXT_LENGTH.items())
    assert all(4 * other <= 5 * one for one, other in NEXT_LENGTH.items() if one >= 64)


@pytest.mark.skipif(state().module is None, reason=f"the compiled extension is not in use: {state().reason}")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 150), max_size=12), max_size=90))
def test_both_forms_fill_the_same_lists(titles: list[list[int]]) -> None:
    terms = np.array([term for title in titles for term in title], np.uint32)
    both = forms["post_titles"]
    assert both.compiled is not None
    asked = (terms, np.array(list(map(len, titles)), np.uint16), 151, _SLABS)
    for one, other in zip(both.numpy(*asked), both.compiled(*asked), strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
