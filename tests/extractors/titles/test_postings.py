"""Lists of titles by term grow in one pool of memory and stay apart."""

import numpy as np

from extractors.titles.postings import NEXT, Postings

TITLES = 700


def expected(number: int) -> list[int]:
    return list(range(0, TITLES, number + 1))


def test_lists_keep_what_was_posted_while_they_move_through_the_pool() -> None:
    postings = Postings()
    for _ in range(40):
        postings.new_term()
    for position in range(TITLES):
        postings.post([number for number in range(40) if position % (number + 1) == 0], position)
    assert [postings[number].tolist() for number in range(40)] == [expected(number) for number in range(40)]


def test_lists_filled_at_once_go_on_growing() -> None:
    postings = Postings()
    pairs = [(number, position) for number in range(40) for position in range(TITLES) if position % (number + 1) == 0]
    terms, positions = np.array(pairs, np.uint32).T
    postings.fill(terms, positions, 40)
    for more in range(TITLES, TITLES + 300):
        postings.post(range(40), more)
    for number in range(40):
        assert postings[number].tolist() == [*expected(number), *range(TITLES, TITLES + 300)]


def test_a_slab_is_never_much_longer_than_the_one_before() -> None:
    assert NEXT[0] == 1
    assert all(one < other <= max(1, 2 * one) for one, other in NEXT.items())
    assert all(4 * other <= 5 * one for one, other in NEXT.items() if one >= 64)
