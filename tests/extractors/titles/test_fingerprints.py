"""A title that was seen is a repost whatever was cut off it then or is cut off it now."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import SuffixLearner, TitleIndex, dump, load, title_text
from extractors.titles.fingerprints import FingerprintTable, fingerprint


def test_titles_that_differ_in_punctuation_case_and_width_share_a_fingerprint_and_others_do_not() -> None:
    one = fingerprint("地铁三号线，今天开通！ - 小站 NEWS")
    assert one == fingerprint("地铁三号线 今天开通 | 小站 ｎｅｗｓ") != 0
    assert len({fingerprint(title) for title in ("a b", "ab", "c", "c++", "增长3.2%", "增长32%", "c#")}) == 7
    assert fingerprint("？！…") == fingerprint("") == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 9)), max_size=400), st.integers(0, 3))
def test_every_position_of_a_fingerprint_is_found(added: list[tuple[int, int]], shift: int) -> None:
    table, known = FingerprintTable(), dict[int, set[int]]()
    for number, position in added:
        marked = number << 16 * shift  # many fall into one slot
        table.add(marked, position)
        known.setdefault(marked, set()).add(position)
    restored = FingerprintTable()
    restored.fill(table.fingerprints.filled().copy(), table.positions.filled().copy())
    for marked in {*known, 77 << 16 * shift}:
        assert table.find(marked) == restored.find(marked) == sorted(known.get(marked, ()))


def test_many_fingerprints_are_found() -> None:
    table, marks = FingerprintTable(), np.random.default_rng(1).integers(1, 2**63, 20_000).tolist()
    for position, each in enumerate(marks):
        table.add(each, position)
    assert all(table.find(each) == [position] for position, each in enumerate(marks))


ENDING = " - 小站之家"


def learned(learner: SuffixLearner, ending: str, count: int) -> None:
    for number in range(count):
        learner.learn(f"消息第{number}条全文在此{ending}")


def read(learner: SuffixLearner, title: str, host: str = "", source: str = "") -> Iterator[object]:
    learner.learn(title, host)
    yield title_text(learner.without_suffix(title, host, source), fingerprint=learner.fingerprint(title))


@pytest.mark.parametrize("again", ["暴雨今到" + ENDING, "暴雨，今到！—小站之家"])
def test_a_title_whose_ending_is_learned_in_between_is_the_same_title(again: str) -> None:
    learner, index = SuffixLearner(), TitleIndex()
    (first,) = read(learner, "暴雨今到" + ENDING)
    index.add(first)
    learned(learner, ENDING, 8)
    (second,) = read(learner, again)
    assert second.terms != first.terms, "the ending is cut off now"
    found = index.search(second)
    assert (found.verdict, found.position, found.cosine) == ("repost", 0, 1.0)
    restored = load(dump(index))
    assert restored.search(second) == found
