"""What holds for the expressions of any text."""

from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.times import find_times, resolve_time
from analysis.times.festivals import festival
from analysis.times.numerals import number

BASE = datetime(2026, 11, 22, 10, 30)  # a Sunday


@example("前0年")
@example("未来0天")
@given(st.text(alphabet="0123456789年月日上下前后个半周一二三十多点时分至到~-: 内来 aglstyermohnufdikwb", max_size=80))
def test_any_text_gives_ordered_mentions_that_do_not_overlap(text: str) -> None:
    at = 0
    for mention in find_times(text, BASE):
        assert at <= mention.start < mention.end <= len(text)
        assert mention.interval.start <= mention.interval.end
        assert text[mention.start : mention.end] == mention.text
        at = mention.end


@given(st.text(max_size=200))
def test_no_text_fails(text: str) -> None:
    find_times(text, BASE)
    resolve_time(text, BASE)


@given(st.integers(min_value=1, max_value=199))
def test_chinese_numerals_are_read(value: int) -> None:
    digits = "零一二三四五六七八九"
    tens = digits[value // 10 % 10] + "十" if value // 10 % 10 else "零" if value > 100 and value % 10 else ""
    written = ("一百" if value >= 100 else "") + tens + (digits[value % 10] if value % 10 else "")
    assert number(written) == value


def test_a_feast_that_is_unknown_has_no_day() -> None:
    assert festival("没有的节", 2026) is None


def test_days_of_a_list_are_of_the_month_of_the_first() -> None:
    found = find_times("他在6月3日、5日、9日到过那里。", datetime(2026, 11, 22))
    assert [mention.interval.start for mention in found] == [datetime(2026, 6, day) for day in (3, 5, 9)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("案件于2011年2月23日、8月21日开庭。", datetime(2011, 8, 21)),
        ("2011年1月28日入院，而在1月29日的检查中未见异常。", datetime(2011, 1, 29)),
        ("去年1月27日入院，于30日死亡。", datetime(2025, 1, 30)),
        ("2020年12月31日离开，1月9日返回。", datetime(2021, 1, 9)),
        ("2011年1月28日入院。1月29日通报。", datetime(2026, 1, 29)),
        ("2011年1月28日入院，3日通报。", datetime(2026, 11, 3)),
        ("她于12日启程，翌日返回。", datetime(2026, 11, 13)),
        ("事故发生在19日上午。据介绍，当天有人离开。", datetime(2026, 11, 19)),
        ("会议今天开幕，代表当天离开。", datetime(2026, 11, 22)),
    ],
)
def test_a_date_is_of_the_year_of_the_one_before_in_its_sentence(text: str, day: datetime) -> None:
    assert find_times(text, datetime(2026, 11, 22))[-1].interval.start == day
