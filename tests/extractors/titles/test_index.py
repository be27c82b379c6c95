"""The index decides as a comparison with every stored title does."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.kernels import forms
from extractors.titles import (
    PUBLISHED,
    Rules,
    SnapshotError,
    SuffixLearner,
    TitleIndex,
    TitleText,
    cosine,
    dump,
    load,
    title_text,
)
from extractors.titles.title_search import similar_titles
from tests.extractors.kernels.both_forms import needs_extension

TITLES = st.lists(st.lists(st.sampled_from("甲乙丙丁戊己庚辛壬癸"), max_size=9).map(tuple).map(TitleText), max_size=40)
MANY = st.lists(
    st.lists(st.integers(0, 99).map(lambda number: f"词{number % 10 if number < 60 else number}"), max_size=12)
    .map(tuple)
    .map(TitleText),
    max_size=120,
)
PAIR = (
    "新华侨涌入:为韩国华社带来新希望-移民-滴答网",
    "新华侨涌入:为韩国华社带来新希望 - 无忧雅思网 无忧雅思网",
)


def stored_weights(index: TitleIndex, position: int) -> dict[int, float]:
    """A stored title's weights by term number, with the present idf."""
    unknown, logs = index.vocabulary.unknown, index.vocabulary.logs.view
    weights: dict[int, float] = {}
    for number in index.store.own_terms(position):
        weights[number] = weights.get(number, 0.0) + (unknown - logs[number])
    return weights


def brute_force(index: TitleIndex, title: TitleText) -> dict[int, float]:
    query = index.named(title)
    numbers = {term: place for place, term in enumerate(query)}
    weighed = {numbers[term]: weight for term, weight in query.items()}
    for number in index.vocabulary.names:
        numbers.setdefault(number, len(numbers))
    stored = (
        {numbers[index.vocabulary.names[number]]: weight for number, weight in stored_weights(index, place).items()}
        for place in range(len(index))
    )
    return {place: cosine(weighed, other) for place, other in enumerate(stored)}


@contextmanager
def numpy_forms() -> Iterator[None]:
    """The index searches and stores by numpy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extractors.titles.title_search.near_titles", forms["near_titles"].numpy)
        patch.setattr("extractors.titles.title_search._MIN_MARKED_TITLES", 9)
        patch.setattr("extractors.titles.cosines._MAX_SINGLE_TITLES", 2)
        patch.setattr("extractors.titles.title_store.store_titles", forms["store_titles"].numpy)
        yield


@settings(max_examples=120, deadline=None)
@given(titles=TITLES, threshold=st.sampled_from((0.5, 0.8, 0.95)))
def test_search_agrees_with_brute_force_as_titles_come_in(titles: list[TitleText], threshold: float) -> None:
    index = TitleIndex(threshold, PUBLISHED)
    for title in titles:
        every = brute_force(index, title)
        sure = {place for place, value in every.items() if value >= threshold + 1e-9}
        found = {place: value for value, place in index.similar(title)}
        assert sure <= found.keys()
        assert all(value == pytest.approx(every[place]) and value >= threshold for place, value in found.items())
        assert (index.search(title).verdict == "repost") == bool(found)
        index.add(title)


def lists_of(index: TitleIndex) -> list[tuple[list[int], list[int]]]:
    return [
        (index.store.listed(number).tolist(), index.store.marked(number).tolist())
        for number in range(len(index.vocabulary))
    ]


@needs_extension
@settings(max_examples=100, deadline=None)
@given(titles=MANY, reach=st.sampled_from((0.3, 0.6, 0.9)))
def test_both_forms_give_the_same_answers_bit_for_bit(titles: list[TitleText], reach: float) -> None:
    rules = Rules(lower_threshold=reach, numbers=False)
    plain, quick = TitleIndex(0.8, rules), TitleIndex(0.8, rules)
    for title in titles:
        with numpy_forms():
            wanted = plain.search(title), plain.similar(title), plain.add(title)
        assert (quick.search(title), quick.similar(title), quick.add(title)) == wanted
    assert dump(plain) == dump(quick)
    assert lists_of(plain) == lists_of(quick)


@needs_extension
def test_lists_longer_than_the_known_logarithms_are_the_same_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractors.titles.vocabulary._LOGARITHMS", np.log(np.arange(1, 21)))
    plain, quick = TitleIndex(), TitleIndex()
    for number in range(150):
        title = TitleText(("甲", f"词{number % 7}", f"词{number}", "甲"))
        with numpy_forms():
            wanted = plain.search(title), plain.add(title)
        assert (quick.search(title), quick.add(title)) == wanted
    assert lists_of(plain) == lists_of(quick)


@needs_extension
def test_terms_that_are_not_stored_are_refused() -> None:
    index = TitleIndex()
    store, logs = index.store, index.vocabulary.logs
    with pytest.raises(IndexError):
        store.add([[300]])
    for number in (-1, 300, 2**40):
        with pytest.raises((IndexError, OverflowError)):
            similar_titles(store, logs, [number], 1.0, [], 0.8)


@settings(max_examples=40, deadline=None)
@given(titles=MANY)
def test_titles_added_in_a_row_are_stored_as_those_that_are_searched_for_between(titles: list[TitleText]) -> None:
    row, single = TitleIndex(), TitleIndex()
    for title in titles:
        assert row.add(title, 3) == single.add(title, 3)
        assert row.words(len(row) - 1) == title == row.words(titles.index(title))
        single.similar(title)
    assert lists_of(row) == lists_of(single)
    assert dump(row) == dump(single)


def test_a_title_that_is_asked_again_is_compared_with_what_came_between() -> None:
    index, asked = TitleIndex(), title_text("本市地铁三号线今天正式开通")
    index.add(title_text("明天有雨"))
    assert index.search(asked).verdict == "new"
    index.add(title_text("本市地铁三号线今天正式开通"))
    assert index.search(asked).position == 1
    assert index.add(asked) == 2
    assert [place for _, place in index.similar(asked)] == [1, 2]


@settings(max_examples=60, deadline=None)
@given(titles=TITLES, later=TITLES)
def test_a_restored_index_goes_on_as_the_first(titles: list[TitleText], later: list[TitleText]) -> None:
    first = TitleIndex(rules=PUBLISHED)
    for day, title in enumerate(titles):
        first.add(title, day)
    second = load(dump(first), rules=PUBLISHED)
    for title in later:
        assert first.search(title) == second.search(title)
        assert first.add(title) == second.add(title)
    assert dump(first) == dump(second)


def test_bytes_that_are_no_snapshot_are_refused() -> None:
    index = TitleIndex()
    index.add(title_text("新华社记者报道"))
    for data in (b"", b"something", dump(index)[:-5], dump(index)[:7] + b"\0" * 20):
        with pytest.raises(SnapshotError):
            load(data)


def test_the_published_pairs_are_told_apart_at_any_size() -> None:
    learner, index = SuffixLearner(), TitleIndex()
    index.add(title_text(learner.without_suffix(PAIR[0])))
    index.add(title_text(learner.without_suffix("缅甸华侨华人为孔子课堂捐款组图-教育频道-新华网")))
    other = index.search(title_text(learner.without_suffix("缅甸华侨华人为台湾灾区同胞捐款-华人-新华网")))
    assert index.search(title_text(learner.without_suffix(PAIR[1]))).verdict == "repost"
    assert other.verdict == "new"


def test_a_title_that_returns_after_the_window_is_a_suspect() -> None:
    index, title = TitleIndex(0.6, Rules(window_days=7)), title_text("天气预报今天夜间到明天白天有雨")
    index.add(title, day=100)
    found = index.search(title, day=120)
    assert (found.verdict, found.position, found.rule) == ("suspected", 0, "window")


def test_below_the_threshold_letters_that_agree_make_a_repost_and_others_nothing() -> None:
    index = TitleIndex(0.99)
    index.add(title_text("女子上班第一天因已婚被辞退，公司的做法违反了哪些法律"))
    assert index.search(title_text("女子上班第一天因已婚被公司辞退，公司的做法违反哪些法律")).verdict == "repost"
    short = TitleIndex(0.99, Rules(lower_threshold=0.5))
    short.add(title_text("王者荣耀新皮肤"))
    assert short.search(title_text("王者荣耀新地图")).verdict == "new"


def test_numbers_in_chinese_and_with_zeros_are_the_same_and_one_cut_off_is_none() -> None:
    index = TitleIndex(rules=Rules(lower_threshold=0.5))
    index.add(title_text("综艺节目《甲乙丙》第十二期嘉宾名单正式公布了 08月成交额达到3200亿"))
    for asked in ("第12期嘉宾名单正式公布了 8月成交额达到3200亿", "第十二期嘉宾名单正式公布了 8月成交额达到32..."):
        assert index.search(title_text(f"综艺节目《甲乙丙》{asked}")).verdict == "repost"


def test_a_host_s_name_is_learned_and_a_title_s_own_words_stay() -> None:
    learner = SuffixLearner()
    for number in range(30):
        learner.learn(f"消息第{number}条全文在此 - 小站之家", "a.example")
    assert learner.without_suffix("市民公园今天开放 - 小站之家", "a.example") == "市民公园今天开放"
    assert learner.without_suffix("两队比分 3-2 收场", "a.example") == "两队比分 3-2 收场"
    assert learner.without_suffix("厂房电动伸缩门哪家好-深圳开门红", "b.example") == "厂房电动伸缩门哪家好-深圳开门红"
    assert (
        SuffixLearner.from_state(learner.state()).without_suffix("公园开放了 - 小站之家", "a.example") == "公园开放了"
    )


def test_a_long_number_before_a_cut_takes_no_time() -> None:
    begun = time.process_time()
    assert title_text("1" * 900 + "x..").terms
    assert time.process_time() - begun < 1
