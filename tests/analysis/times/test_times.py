"""What holds for the expressions of any text."""

from datetime import datetime

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
