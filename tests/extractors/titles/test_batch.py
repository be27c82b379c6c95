"""Titles that several nodes search for in batches are decided as by one search after the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import Match, Rules, TitleIndex, TitleText, dump
from extractors.titles.answers import SHARES, answer_to, pack_answer, unpack_answer
from extractors.titles.batch import Batch
from extractors.titles.vocabulary import Vocabulary, step_at, unsettled

WORDS = "暴雨 今夜 到达 本市 沿海 各区 湖人 客场 战胜 掘金 地铁 三号线 开通 第12集 第13集 剧情 the storm reaches town".split()
TITLES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=9).map(tuple),
        st.integers(0, 3),
        st.sampled_from((0, 0, 100, 103, 120)),
    ).map(lambda made: (TitleText(made[0], made[1]), made[2])),
    max_size=60,
)
Titles = list[tuple[TitleText, int]]


def stored(index: TitleIndex, title: TitleText, day: int, found: Match) -> int:
    """As a replica does: a repost with the same terms is not stored."""
    if found.verdict != "repost" or index.words(found.position) != title:
        return index.add(title, day)
    index.note(title, found.position)
    return -1


def one_by_one(titles: Titles, rules: Rules) -> tuple[list[Match], TitleIndex]:
    index, told = TitleIndex(0.7, rules), list[Match]()
    for title, day in titles:
        told.append(index.search(title, day) if title.terms else Match("new"))
        stored(index, title, day, told[-1])
    return told, index


def in_batches(titles: Titles, rules: Rules, nodes: int, sizes: list[int]) -> tuple[list[Match], TitleIndex]:
    index, told, start, turn = TitleIndex(0.7, rules), list[Match](), 0, 0
    while start < len(titles):
        some = titles[start : start + min(sizes[turn % len(sizes)], index.vocabulary.left)]
        columns = [title for title, _ in some], [day for _, day in some]
        shares = [range(node, SHARES, nodes) for node in range(nodes)]
        batch = Batch([unpack_answer(pack_answer(answer_to(index, *columns, each))) for each in shares], index)
        for at, (title, day) in enumerate(some):
            told.append(batch.find(at, title, day) if title.terms else Match("new"))
            position = stored(index, title, day, told[-1])
            if position >= 0:
                batch.stored(at, position)
        start, turn = start + len(some), turn + 1
    return told, index


@settings(max_examples=150, deadline=None)
@given(
    titles=TITLES,
    copies=st.lists(st.integers(0, 10_000), max_size=60),
    nodes=st.integers(1, 4),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    reach=st.sampled_from((0.3, 0.5)),
    window=st.sampled_from((0, 7)),
)
def test_batches_of_any_size_by_any_number_of_nodes_decide_as_one_search_after_the_other(
    titles: Titles, copies: list[int], nodes: int, sizes: list[int], reach: float, window: int
) -> None:
    for place in copies if titles else ():
        titles = [*titles, titles[place % len(titles)]]
    rules = Rules(reach=reach, window_days=window)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.vocabulary._SHARE_BITS", 1)  # so that few titles make long steps
        patch.setattr("extractors.titles.days._BLOCK", 4)
        wanted, whole = one_by_one(titles, rules)
        told, index = in_batches(titles, rules, nodes, sizes)
    assert told == wanted
    assert dump(index) == dump(whole)


def test_weights_change_after_a_step_and_are_the_same_after_a_load() -> None:
    index = TitleIndex()
    for number in range(3_000):
        index.add(TitleText(("甲", f"词{number % 50}", f"词{number}")))
    words, loaded = index.vocabulary, Vocabulary()
    assert unsettled(3_000) == len(index) - words.titles == 3_000 % step_at(3_000) > 0
    last = [list(index.store.own_terms(place)) for place in range(words.titles, 3_000)]
    loaded.fill(words.names, index.store.frequencies.filled().astype(np.int64), 3_000, last)
    assert (loaded.unknown, loaded.left) == (words.unknown, words.left)
    assert np.array_equal(loaded.logs.filled(), words.logs.filled())
    assert np.array_equal(loaded.frequencies.filled(), words.frequencies.filled())


@pytest.mark.parametrize("titles", [1, 255, 256, 511, 512, 70_000, 131_072, 10**7])
def test_no_more_than_one_title_in_a_hundred_is_not_weighed_yet(titles: int) -> None:
    assert unsettled(titles) * 100 <= titles
    assert (titles - unsettled(titles)) % step_at(titles) == 0


@pytest.mark.parametrize("data", [b"", b"\x93\x01\x02\x03", b"something else"])
def test_bytes_that_are_no_answer_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no answer"):
        unpack_answer(data)
