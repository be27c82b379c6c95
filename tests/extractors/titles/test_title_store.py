"""Lists of titles by term grow in one pool of memory and stay apart."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from extractors.kernels import forms
from extractors.titles.list_marks import BITS, BOUNDS
from extractors.titles.posting_lists import NEXT_LENGTH, SLABS
from extractors.titles.title_store import TitleStore
from extractors.titles.vocabulary import Vocabulary
from tests.extractors.kernels.both_forms import needs_extension

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
        store.add_term(1.0)
    for position in range(TITLES):
        store.add([terms_of(position)])
    assert lists(store) == [expected(number) for number in range(40)]


def test_lists_filled_at_once_go_on_growing() -> None:
    store = TitleStore()
    titles = [terms_of(position) for position in range(TITLES)]
    store.take(np.concatenate(titles).astype(np.uint32), np.array(list(map(len, titles)), np.uint16), 40)
    store.post(np.ones(40))
    for _ in range(300):
        store.add([list(range(40))])
    assert lists(store) == [[*expected(number), *range(TITLES, TITLES + 300)] for number in range(40)]


def test_lists_that_are_full_take_all_titles_of_a_group_in_order() -> None:
    store = TitleStore()
    for _ in range(40):
        store.add_term(1.0)
    titles = [terms_of(position) for position in range(TITLES)]
    for size in (1, 99, 600):
        store.add(titles[len(store) : len(store) + size])
    assert lists(store) == [expected(number) for number in range(40)]
    assert [list(store.own_terms(position)) for position in range(TITLES)] == titles


def test_a_slab_is_never_much_longer_than_the_one_before() -> None:
    assert NEXT_LENGTH[0] == 1
    assert all(one < other <= max(1, 2 * one) for one, other in NEXT_LENGTH.items())
    assert all(4 * other <= 5 * one for one, other in NEXT_LENGTH.items() if one >= 64)


@needs_extension
@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 150), max_size=12), max_size=90))
def test_both_forms_fill_the_same_lists(titles: list[list[int]]) -> None:
    terms = np.array([term for title in titles for term in title], np.uint32)
    starts = np.cumsum([0, *map(len, titles)], dtype=np.uint32)
    counted, written = both_forms("count_titles", (terms, starts, 151), (np.uint64, len(titles)))
    assert written[0].tolist() == [signature_of(title) for title in titles]
    sizes = SLABS[np.searchsorted(SLABS, counted)]
    columns = counted, np.cumsum(sizes) - sizes, np.linspace(0.3, 16, 151), BOUNDS
    room = np.uint32, int(sizes.sum())
    both_forms("post_titles", (terms, starts, *columns), room, room)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=9), min_size=40, max_size=90), st.booleans())
def test_no_title_is_shorter_than_its_marks_say_when_terms_become_frequent(
    titles: list[list[int]], plain: bool
) -> None:
    store, words = TitleStore(), Vocabulary()
    stored = titles + [[0, *title[1:]] for title in titles] + [[0, 1, *title[2:]] for title in titles]
    for number in range(61):
        store.add_term(words.unknown)
        words.add(str(number))
    with pytest.MonkeyPatch.context() as patch:
        if plain:
            patch.setattr("extractors.titles.title_store.store_titles", forms["store_titles"].numpy)
        for title in stored:
            store.add([title])
            changed = words.count(title)
            if changed is not None:
                store.lower(changed, words.unknown - words.logs.data[changed])
    check_marks(store, words, stored)


def check_marks(store: TitleStore, words: Vocabulary, stored: list[list[int]]) -> None:
    """Every list has its titles, with marks for all their terms and bounds that their lengths as vectors reach."""
    for term in range(61):
        assert store.listed(term).tolist() == [at for at, title in enumerate(stored) if term in title]
        for at, mark in zip(store.listed(term).tolist(), store.marked(term).tolist(), strict=True):
            times = Counter(stored[at])
            squared = sum(
                ((words.unknown - words.logs.view[number]) * several) ** 2 for number, several in times.items()
            )
            assert BOUNDS[mark >> BITS] <= squared / max(times.values()) ** 2
            assert {bit for bit in range(BITS) if mark >> bit & 1} == {number % BITS for number in times}


def signature_of(title: list[int]) -> int:
    return sum({1 << (number & 63) for number in title})


def both_forms(name: str, asked: tuple[Any, ...], *rooms: tuple[Any, int]) -> tuple[Any, list[NDArray[Any]]]:
    """What both forms return, and write into as many columns of these kinds and lengths."""
    both, (mine, other) = forms[name], [[np.zeros(size, kind) for kind, size in rooms] for _ in range(2)]
    assert both.compiled is not None
    found = both.compiled(*asked, *mine)
    assert np.array_equal(both.numpy(*asked, *other), found)
    assert [column.tolist() for column in mine] == [column.tolist() for column in other]
    return found, mine
