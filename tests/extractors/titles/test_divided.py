"""Titles in parts are decided as in one index, whatever the parts and the batches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles import Match, Rules, TitleIndex, TitleText
from extractors.titles.additions import added
from extractors.titles.answers import pack_answer, unpack_answer
from extractors.titles.batch import Batch
from extractors.titles.divided import PARTS, DividedIndex
from extractors.titles.vocabulary import Vocabulary, step_at, unsettled

WORDS = "暴雨 今夜 到达 本市 沿海 各区 湖人 客场 战胜 掘金 地铁 三号线 开通 第12集 第13集 剧情 the storm reaches town tonight".split()
TITLES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=9).map(tuple),
        st.integers(0, 3),
        st.sampled_from((0, 0, 100, 103, 120)),
    ).map(lambda made: (TitleText(made[0], made[1]), made[2])),
    max_size=60,
)
Told = tuple[Match, bool]


def whole(titles: list[tuple[TitleText, int]], rules: Rules) -> tuple[list[Told], TitleIndex]:
    """What one index decides, as a replica does: a repost with the same terms is not stored."""
    index, told = TitleIndex(0.7, rules), []
    for title, day in titles:
        found = index.search(title, day) if title.terms else Match("new")
        kept = found.verdict != "repost" or index.words(found.position) != title
        if kept:
            index.add(title, day)
        else:
            index.note(title, found.position)
        told.append((found, kept))
    return told, index


def divided(
    titles: list[tuple[TitleText, int]], rules: Rules, holders: list[list[int]], sizes: list[int]
) -> tuple[list[Told], list[DividedIndex]]:
    nodes = [DividedIndex(0.7, rules, parts) for parts in holders]
    told, start, turn = list[Told](), 0, 0
    while start < len(titles):
        size = min(sizes[turn % len(sizes)], nodes[0].vocabulary.left)
        batch = titles[start : start + size]
        answers = [unpack_answer(pack_answer(node.answer(*map(list, zip(*batch, strict=True))))) for node in nodes]
        decided = [decide(node, Batch(answers, 0.7, rules, node.vocabulary.numbers), batch) for node in nodes]
        assert all(each == decided[0] for each in decided)
        told += decided[0]
        start, turn = start + size, turn + 1
    return told, nodes


def decide(node: DividedIndex, batch: Batch, titles: list[tuple[TitleText, int]]) -> list[Told]:
    told = []
    for at, (title, day) in enumerate(titles):
        found, _ = batch.find(at, title, day)
        kept = found.verdict != "repost" or not batch.is_same(found.position, title)
        if kept:
            place = len(node)
            batch.stored(at, title, day, place, node.add(title, day))
        else:
            batch.noted(title, found.position)
            node.note(title, found.position)
        told.append((found, kept))
    return told


@settings(max_examples=150, deadline=None)
@given(
    titles=TITLES,
    copies=st.lists(st.integers(0, 10_000), max_size=60),
    nodes=st.integers(1, 4),
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4),
    reach=st.sampled_from((0.3, 0.5)),
    window=st.sampled_from((0, 7)),
)
def test_parts_decide_as_a_whole_in_batches_of_any_size(
    titles: list[tuple[TitleText, int]], copies: list[int], nodes: int, sizes: list[int], reach: float, window: int
) -> None:
    for place in copies if titles else ():
        titles = [*titles, titles[place % len(titles)]]
    rules = Rules(reach=reach, window_days=window)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.vocabulary._SHARE_BITS", 1)  # so that few titles make long steps
        wanted, _ = whole(titles, rules)
        holders = [[part for part in range(PARTS) if part % nodes == node] for node in range(nodes)]
        told, indexes = divided(titles, rules, holders, sizes)
    assert told == wanted
    assert sum(index.here for index in indexes) == len(indexes[0])


@settings(max_examples=40, deadline=None)
@given(titles=TITLES, later=TITLES, own=st.sets(st.integers(0, PARTS - 1)))
def test_a_part_that_is_loaded_answers_as_one_that_grew(
    titles: list[tuple[TitleText, int]], later: list[tuple[TitleText, int]], own: set[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.vocabulary._SHARE_BITS", 1)
        _, index = whole(titles, Rules())
        _, (grown, _) = divided(titles, Rules(), [sorted(own), sorted({*range(PARTS)} - own)], [8])
        loaded = DividedIndex(0.7, Rules(), own)
        loaded.fill(added(index))
        asked = later[: min(grown.vocabulary.left, loaded.vocabulary.left)]
        columns = [title for title, _ in asked], [day for _, day in asked]
        assert pack_answer(loaded.answer(*columns)) == pack_answer(grown.answer(*columns))
    assert (len(loaded), loaded.here) == (len(grown), grown.here)


def test_weights_change_after_a_step_and_are_the_same_after_a_load() -> None:
    index = TitleIndex()
    for number in range(3_000):
        index.add(TitleText(("甲", f"词{number % 50}", f"词{number}")))
    words, loaded = index.vocabulary, Vocabulary()
    assert unsettled(3_000) == words.total - words.titles == 3_000 % step_at(3_000) > 0
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
