"""The wording of titles: names that change places, things replaced and added, numbers written differently, labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.titles import title_text
from extractors.titles.labels import without_labels
from extractors.titles.numbers import numbers_conflict, numbers_of
from extractors.titles.retelling import same_wording
from extractors.titles.wording import agreement, between_exchanged
from tests.extractors.kernels.both_forms import needs_extension, of_both

TITLES = st.text(alphabet="甲乙丙丁赢了和对三千万第12 ab,.:", max_size=30)
TERMS = st.lists(
    st.sampled_from(["河口", "河", "镇", "回应", "12", "opens", "a", "é", "𠀀", "x" * 150]), max_size=8
).map(tuple)
CHANGES = st.tuples(TERMS, TERMS, TERMS, TERMS).map(
    lambda parts: (parts[0] + parts[1] + parts[3], parts[0] + parts[2] + parts[3])
)


@needs_extension
@given(CHANGES)
def test_both_forms_read_the_same_signs(pair: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    of_both("wording_signs", "".join(pair[0]), "".join(pair[1]), *pair)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("河口镇投入15000万元修桥", "河口镇投入1.5亿元修桥"),
        ("河口镇发放三千万元补贴", "河口镇发放3000万元补贴"),
        ("石桥村第二十届茶叶节开幕", "石桥村第20届茶叶节开幕"),
        ("Harbour town spends $1.5 billion on bridge", "Harbour town spends $1,500 million on bridge"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    numbers = [numbers_of(" ".join(title_text(title).terms)) for title in (one, other)]
    assert numbers[0] == numbers[1]
    assert numbers[0]


def test_the_same_number_twice_is_not_the_number_once() -> None:
    titles = ("石桥茶话会第六季第九期", "石桥茶话会第六季第六期")
    assert numbers_conflict(*(numbers_of(" ".join(title_text(title).terms)) for title in titles))


@pytest.mark.parametrize(
    ("labelled", "bare"),
    [
        ("快讯：河口镇大桥今天通车", "河口镇大桥今天通车"),
        ("[视频]河口镇大桥今天通车", "河口镇大桥今天通车"),
        ("【独家】河口镇大桥今天通车（组图）", "河口镇大桥今天通车"),
        ("WATCH: Harbour bridge opens today", "Harbour bridge opens today"),
        ("视频：开放", "视频：开放"),
        ("图书馆：开放时间延长", "图书馆：开放时间延长"),
    ],
)
def test_labels_of_sites_are_no_words_of_a_title(labelled: str, bare: str) -> None:
    assert without_labels(labelled) == bare


def test_texts_without_a_common_pair_of_letters_agree_in_nothing() -> None:
    assert agreement("", "") == agreement("甲乙", "乙甲") == 0.0
    assert agreement("甲乙丙", "甲乙丙") == 1.0


@given(TITLES, TITLES)
def test_the_wording_of_two_titles_is_judged_alike_in_both_directions(one: str, other: str) -> None:
    titles = title_text(one), title_text(other)
    assert same_wording(*titles, 0.7) == same_wording(*titles[::-1], 0.7)
    assert same_wording(titles[0], titles[0], 1.0)
    assert between_exchanged(titles[0].terms, titles[1].terms) == between_exchanged(titles[1].terms, titles[0].terms)
    assert all(number.replace(".", "").replace(":", "").isdigit() for number in numbers_of(one))
    assert without_labels(without_labels(one)) == without_labels(one)
