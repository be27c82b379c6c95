"""What a memory knows does not depend on the order of pages, on repetitions, or on which node saw which page."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extractors.site_boilerplate.keys import distinct
from extractors.site_boilerplate.memory import MAX_LINES, NOTHING_KNOWN, SiteMemory, memory_of

PAGES = st.lists(st.tuples(st.integers(0, 30), st.sets(st.integers(0, 40), max_size=8)), max_size=12)


def _memory(pages: list[tuple[int, set[int]]]) -> SiteMemory:
    memory = NOTHING_KNOWN
    for number, lines in pages:
        memory = memory.with_page(np.array(sorted(lines), np.uint64), f"http://a.example/{number}")
    return memory


def _said(memory: SiteMemory) -> tuple[object, ...]:
    return memory.keys.tolist(), memory.bits.tolist(), memory.pages


@given(PAGES, PAGES)
def test_nodes_that_join_their_memories_know_what_one_node_would(
    first: list[tuple[int, set[int]]], second: list[tuple[int, set[int]]]
) -> None:
    joined = _memory(first).joined(_memory(second))
    assert _said(joined) == _said(_memory(first + second)) == _said(_memory(second + first + second))
    assert _said(joined.joined(joined)) == _said(joined)


@given(PAGES)
def test_it_comes_back_from_bytes(pages: list[tuple[int, set[int]]]) -> None:
    memory = _memory(pages)
    again = memory_of(memory.to_bytes())
    assert (*_said(again), again.seen.tolist(), again.turn) == (*_said(memory), memory.seen.tolist(), memory.turn)


@given(st.binary(max_size=200), st.integers(0, 60))
def test_damaged_bytes_are_no_memory(noise: bytes, cut: int) -> None:
    whole = _memory([(1, {1, 2, 3}), (2, {2})]).to_bytes()
    for stored in (noise, b"SM1\n" + noise, whole[:cut]):
        assert len(memory_of(stored).keys) <= MAX_LINES
    assert memory_of(whole[:-1]) is NOTHING_KNOWN


def test_a_page_counts_once() -> None:
    memory = _memory([(1, {7}), (1, {7}), (2, {7, 8})])
    assert memory.counts(np.array([7, 8, 9], np.uint64)).tolist() == [2, 1, 0]
    assert memory.page_count == 2


def test_lines_of_single_pages_go_before_those_of_many() -> None:
    memory = NOTHING_KNOWN
    for number in range(100):
        own = np.arange(100, dtype=np.uint64) + np.uint64(1_000 * (number + 1))
        memory = memory.with_page(np.concatenate((np.array([1, 2], np.uint64), own)), f"http://a.example/{number}")
    assert len(memory.keys) <= MAX_LINES
    assert memory.counts(np.array([1, 2], np.uint64)).min() > 40


@given(st.lists(st.lists(st.integers(0, 20) | st.integers(0, 2**64 - 1), max_size=30), min_size=1, max_size=4))
def test_different_keys_are_those_that_numpy_finds(parts: list[list[int]]) -> None:
    keys = [np.array(part, np.uint64) for part in parts]
    assert distinct(*keys).tolist() == np.unique(np.concatenate(keys)).tolist()
