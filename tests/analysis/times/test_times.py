"""Time expressions become intervals; the base is the date of a page."""

from datetime import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.times import find_times, resolve_time
from analysis.times.festivals import festival
from analysis.times.numerals import number

BASE = datetime(2026, 11, 22, 10, 30)  # a Sunday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024年5月6日", "2024-05-06", "2024-05-06"),
        ("二〇二四年五月六日", "2024-05-06", "2024-05-06"),
        ("24年5月6日", "2024-05-06", "2024-05-06"),
        ("去年年底", "2025-11-01", "2025-12-31"),
        ("3月初", "2026-03-01", "2026-03-05"),
        ("十月下旬", "2026-10-21", "2026-10-31"),
        ("上周三", "2026-11-11", "2026-11-11"),
        ("本周", "2026-11-16", "2026-11-22"),
        ("上周末", "2026-11-14", "2026-11-15"),
        ("今年第三季度", "2026-07-01", "2026-09-30"),
        ("2023年前两个季度", "2023-01-01", "2023-06-30"),
        ("三四月份", "2026-03-01", "2026-04-30"),
        ("5月的第二个周日", "2026-05-10", "2026-05-10"),
        ("九十年代初", "1990-01-01", "1992-12-31"),
        ("本世纪初", "2000-01-01", "2019-12-31"),
        ("昨晚9点", "2026-11-21", "2026-11-21"),
        ("大前天", "2026-11-19", "2026-11-19"),
        ("三天前", "2026-11-19", "2026-11-19"),
        ("15个工作日内", "2026-11-22", "2026-12-11"),
        ("近三个月", "2026-08-22", "2026-11-22"),
        ("两年前", "2024-01-01", "2024-12-31"),
        ("未来48小时", "2026-11-22", "2026-11-24"),
        ("2017年8月至11月", "2017-08-01", "2017-11-30"),
        ("10月1日至7日", "2026-10-01", "2026-10-07"),
        ("从2001年起至今", "2001-01-01", "2026-11-22"),
        ("13:20~次日05:40", "2026-11-22", "2026-11-23"),
        ("中秋节", "2026-09-25", "2026-09-25"),
        ("2021年农历八月十五", "2021-09-21", "2021-09-21"),
        ("2024年冬至", "2024-12-21", "2024-12-21"),
        ("１１月２０號", "2026-11-20", "2026-11-20"),
        ("last Wednesday", "2026-11-18", "2026-11-18"),
        ("early March", "2026-03-01", "2026-03-11"),
        ("3 days ago", "2026-11-19", "2026-11-19"),
        ("the 1980s", "1980-01-01", "1989-12-31"),
        ("Dec. 5, 2025", "2025-12-05", "2025-12-05"),
        ("5 May 2016 at 17:30", "2016-05-05", "2016-05-05"),
        ("New Year's Eve", "2026-12-31", "2026-12-31"),
    ],
)
def test_an_expression_names_an_interval(text: str, first: str, last: str) -> None:
    found = resolve_time(text, BASE)
    assert found
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("下午3点", "15:00:00", "15:59:59"),
        ("晚上十一点半", "23:30:00", "23:30:59"),
        ("凌晨1时10分", "01:10:00", "01:10:59"),
        ("下午七八点", "19:00:00", "20:59:59"),
        ("9日0时至18时三刻", "00:00:00", "18:45:59"),
        ("上午", "07:00:00", "11:59:59"),
    ],
)
def test_clock_times_are_read(text: str, start: str, end: str) -> None:
    found = resolve_time(text, BASE)
    assert found
    assert (found.start.time().isoformat(), found.end.time().isoformat()) == (start, end)


def test_december_in_a_page_of_january_is_last_year() -> None:
    found = resolve_time("12月30日", datetime(2026, 1, 4))
    assert found
    assert found.start == datetime(2025, 12, 30)


@pytest.mark.parametrize("text", ["", "没有", "三年级", "中国", "上海", "13月40日", "may be here", "1.5万", "百日咳"])
def test_what_is_no_time_gives_none(text: str) -> None:
    assert resolve_time(text, BASE) is None


def test_mentions_in_a_text_have_their_places() -> None:
    text = "据报道，11日下午发生事故，昨晚8时许恢复通车。Police said on Tuesday that"
    found = find_times(text, BASE)
    assert [mention.text for mention in found] == ["11日下午", "昨晚8时许", "on Tuesday"]
    assert all(text[mention.start : mention.end] == mention.text for mention in found)


@example("前0年")
@example("未来0天")
@given(st.text(alphabet="0123456789年月日上下前后个半周一二三十多点时分至到~-: 内来 aglstyermohnufdikwb", max_size=80))
def test_any_text_gives_ordered_mentions_that_do_not_overlap(text: str) -> None:
    at = 0
    for mention in find_times(text, BASE):
        assert at <= mention.start < mention.end <= len(text)
        assert mention.interval.start <= mention.interval.end
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
