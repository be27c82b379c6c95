"""The wording of titles: names that change places, things replaced and added, numbers written differently, labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.kernels import forms, state
from extractors.titles import Rules, SuffixLearner, TitleIndex, TitleMatch, title_text
from extractors.titles.labels import without_labels
from extractors.titles.numbers import numbers_conflict, numbers_of
from extractors.titles.rules import objection
from extractors.titles.wording import agreement, between_exchanged, same_wording

TITLES = st.text(alphabet="甲乙丙丁赢了和对三千万第12 ab,.:", max_size=30)
TERMS = st.lists(
    st.sampled_from(["河口", "河", "镇", "回应", "12", "opens", "a", "é", "𠀀", "x" * 150]), max_size=8
).map(tuple)
CHANGES = st.tuples(TERMS, TERMS, TERMS, TERMS).map(
    lambda parts: (parts[0] + parts[1] + parts[3], parts[0] + parts[2] + parts[3])
)


@pytest.mark.skipif(state().module is None, reason=f"the compiled extension is not in use: {state().reason}")
@given(CHANGES)
def test_both_forms_read_the_same_signs(pair: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    asked, form = ("".join(pair[0]), "".join(pair[1]), *pair), forms["wording_signs"]
    assert form.compiled is not None
    assert form.compiled(*asked) == form.numpy(*asked)


def _found(stored: str, asked: str) -> TitleMatch:
    index, learner = TitleIndex(), SuffixLearner()
    index.add(title_text(learner.without_suffix(stored)))
    return index.search(title_text(learner.without_suffix(asked)))


@pytest.mark.parametrize(
    ("one", "other", "swapped"),
    [
        ("河口队战胜石桥队", "石桥队战胜河口队", True),
        ("Otters defeat Herons in final", "Herons defeat Otters in final", True),
        ("河口镇和石桥镇签约", "石桥镇和河口镇签约", False),
        ("Otters vs Herons live score", "Herons vs Otters live score", False),
        ("河口队战胜石桥队", "河口队战胜石桥队", False),
    ],
)
def test_names_that_change_places_are_other_news(one: str, other: str, swapped: bool) -> None:
    titles = title_text(one), title_text(other)
    assert objection(Rules(), *titles, None, 1.0) == ("wording" if swapped else "")


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
    assert _found(labelled, bare).verdict == "repost"


def test_a_name_in_another_s_place_is_other_news_and_a_rewritten_headline_is_not() -> None:
    assert _found("丰台全区由居家办公调整为正常上班", "女子上班第一天因已婚被辞").verdict == "new"
    assert (
        _found("女子上班第一天因已婚被辞该公司违反了哪些法律", "女子上班第一天因已婚被辞公司违反哪些法律").verdict
        == "repost"
    )
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
