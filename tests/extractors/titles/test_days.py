"""A window of days leaves titles unread that it rules out, and changes no decision but which nearest title a new one names."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.kernels import state
from extractors.titles import PUBLISHED, Rules, TitleIndex, TitleMatch, TitleText, dump, load
from extractors.titles.days import DayBlocks
from extractors.titles.repost_rules import objection
from extractors.titles.title_column import TitleColumn
from tests.extractors.kernels.both_forms import needs_extension
from tests.extractors.titles.test_index import numpy_forms

WORDS = "暴雨 今夜 到达 本市 沿海 各区 湖人 客场 战胜 掘金 第12集 第13集".split()
DATED = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(tuple).map(TitleText),
        st.integers(-3, 12),
        st.booleans(),
    ),
    max_size=50,
)
Dated = list[tuple[TitleText, int]]
WIDTHS = st.integers(1, 9)


def in_order(made: list[tuple[TitleText, int, bool]]) -> Dated:
    """Days that rise with positions, some out of order and some unknown."""
    return [
        (title, 0 if noise == 12 else 100 + at // 2 + noise * noisy) for at, (title, noise, noisy) in enumerate(made)
    ]


def small_blocks(patch: pytest.MonkeyPatch, ranges: int = 32) -> None:
    patch.setattr("extractors.titles.days._BLOCK_POSITIONS", 4)
    patch.setattr("extractors.titles.days._MAX_RANGES", ranges)
    if state().module is None:
        patch.setattr("extractors.titles.title_search._MIN_MARKED_TITLES", 2)


def by_every_title(stored: Dated, whole: TitleIndex, rules: Rules, title: TitleText, day: int) -> TitleMatch:
    """The nearest title to which no rule objects; else the nearest one, from the threshold on if it is outside of the window."""
    first = TitleMatch("new")
    for cosine, place in whole.similar(title):
        other, known = stored[place]
        apart = abs(day - known) if day and known else None
        rule = objection(rules, title, other, apart, cosine)
        if not rule:
            return TitleMatch("repost", place, cosine)
        if first.position < 0 and (rule != "window" or cosine >= 0.8):
            first = TitleMatch("suspected" if cosine >= 0.8 else "new", place, cosine, rule)
    return first


@settings(max_examples=150, deadline=None)
@given(made=DATED, width=WIDTHS, reach=st.sampled_from((0.3, 0.6)), ranges=st.integers(2, 9))
def test_a_title_is_found_as_by_looking_at_every_stored_one(
    made: list[tuple[TitleText, int, bool]], width: int, reach: float, ranges: int
) -> None:
    rules, titles = Rules(window_days=width, lower_threshold=reach), in_order(made)
    index, whole = TitleIndex(0.8, rules), TitleIndex(reach, PUBLISHED)
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch, ranges)
        for at, (title, day) in enumerate(titles):
            assert index.search(title, day) == by_every_title(titles[:at], whole, rules, title, day)
            index.add(title, day)
            whole.add(title)


@needs_extension
@settings(max_examples=60, deadline=None)
@given(made=DATED, width=WIDTHS, repeats=st.integers(1, 200))
def test_both_forms_give_the_same_answers_and_a_restored_index_too(
    made: list[tuple[TitleText, int, bool]], width: int, repeats: int
) -> None:
    """Lists are long enough to be divided."""
    rules, titles = Rules(window_days=width, lower_threshold=0.4), in_order(made * (1 + repeats // max(1, len(made))))
    plain, quick = TitleIndex(0.8, rules), TitleIndex(0.8, rules)
    for title, day in titles:
        plain.add(title, day)
        quick.add(title, day)
    restored = load(dump(quick), 0.8, rules)
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch)
        for title, day in titles[-30:]:
            with numpy_forms():
                wanted = plain.search(title, day)
            assert quick.search(title, day) == restored.search(title, day) == wanted


def days_of(days: list[int]) -> TitleColumn:
    column = TitleColumn(np.int32)
    column.extend(days)
    return column


@settings(max_examples=100, deadline=None)
@given(
    days=st.lists(st.one_of(st.just(0), st.integers(80, 140)), max_size=90),
    day=st.integers(85, 135),
    width=st.integers(1, 60),
    ranges=st.integers(2, 9),
)
def test_a_title_inside_of_the_window_is_in_a_range(days: list[int], day: int, width: int, ranges: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch, ranges)
        found = DayBlocks(days_of(days)).window(day, width, 0.8)
    inside = np.searchsorted(found.ranges, np.arange(len(days)), "right") % 2 == 1
    far = found.far(np.arange(len(days), dtype=np.uint32))
    assert far.tolist() == [bool(known) and abs(known - day) > width for known in days]
    assert (inside | far).all()
    assert len(found.ranges) <= 2 * ranges


def test_what_lies_outside_is_no_range(monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(monkeypatch)
    column = days_of([*[100] * 8, 0, *[100] * 3, *[120] * 8, *[140] * 6])
    blocks = DayBlocks(column)
    assert blocks.window(120, 5, 0.8).ranges[:-1].tolist() == [8, 20, 24], (
        "unknown days, the day's own, and the last block"
    )
    column.extend([140] * 6)
    assert blocks.window(120, 5, 0.8).ranges[:-1].tolist() == [8, 20, 32]
    assert blocks.window(0, 5, 0.8).ranges[:-1].tolist() == blocks.window(120, 0, 0.8).ranges[:-1].tolist() == [0]


def test_outside_of_the_window_a_title_is_named_from_the_threshold_on() -> None:
    index = TitleIndex(0.8, Rules(window_days=7, lower_threshold=0.3))
    for number in range(9):
        index.add(TitleText(("茶叶", "节", f"第{number}届")), 100)
    index.add(TitleText(("暴雨", "今夜", "到达", "本市")), 100)
    again, less = TitleText(("暴雨", "今夜", "到达", "本市")), TitleText(("暴雨", "今夜", "湖人"))
    assert index.search(again, 120) == TitleMatch("suspected", 9, 1.0, "window")
    assert index.search(less, 120) == TitleMatch("new")
    assert index.search(less, 105).position == index.search(less).position == 9
