"""Times as people write them."""

import re
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text import dates
from extractors.text.dates import CHINA, find_time, parse_time

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=CHINA)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026年11月20日 12:30", "2026-11-20T12:30"),
        ("发表于 2026-1-5 08:09:10", "2026-01-05T08:09:10"),
        ("2026/11/20", "2026-11-20"),
        ("2026.03.04 下午3:05", "2026-03-04T15:05"),
        ("2026年3月4日 星期三 晚上9点20分", "2026-03-04T21:20"),
        ("2026-11-20T12:30:00+08:00", "2026-11-20T12:30:00+08:00"),
        ("2026-11-20T04:30:00Z", "2026-11-20T04:30:00+00:00"),
        ("20261120", "2026-11-20"),
        ("昨天 12:30", "2026-11-19T12:30"),
        ("前天 08:00", "2026-11-18T08:00"),
        ("今天 9:01 来自 iPhone", "2026-11-20T09:01"),
        ("3 分钟前", "2026-11-20T15:27+08:00"),
        ("半小时前", "2026-11-20T15:00+08:00"),
        ("2小时前", "2026-11-20T13:30+08:00"),
        ("3天前", "2026-11-17"),
        ("刚刚", "2026-11-20T15:30+08:00"),
        ("9月5日 14:20", "2026-09-05T14:20"),
        ("12月5日", "2025-12-05"),
        ("11-19 12:30", "2026-11-19T12:30"),
        ("Nov 20, 2026 at 3:04 PM", "2026-11-20T15:04"),
        ("20 November 2026", "2026-11-20"),
        ("5 września 2026", "2026-09-05"),
        ("3 Mayıs 2026", "2026-05-03"),
        ("12 Μαΐου 2026, 10:30", "2026-05-12T10:30"),
        ("الأربعاء، 07 أكتوبر 2026", "2026-10-07"),
        ("Fri, 20 Nov 2026 12:30:05 GMT", "2026-11-20T12:30:05+00:00"),
        ("Posted: December 1st, 2025, 12:05 am", "2025-12-01T00:05"),
        ("2 hours ago", "2026-11-20T13:30+08:00"),
        ("an hour ago", "2026-11-20T14:30+08:00"),
        ("yesterday", "2026-11-19"),
        ("vor 3 Tagen", "2026-11-17"),
        ("il y a 2 heures", "2026-11-20T13:30+08:00"),
        ("20. März 2026", "2026-03-20"),
        ("5 de mayo de 2026", "2026-05-05"),
        ("3 марта 2026 г.", "2026-03-03"),
        ("25/12/2025", "2025-12-25"),
        ("01.02.2022, 09:15 Uhr", "2022-02-01T09:15"),
        ("12/25/2025 10:11", "2025-12-25T10:11"),
        ("2026-13-45", ""),
        ("2026年2月30日", ""),
        ("价格 2999 元", ""),
        ("版本 3.11.2", ""),
        ("", ""),
        ("12:30", ""),
    ],
)
def test_times(text: str, iso: str) -> None:
    assert parse_time(text, now=NOW) == iso


def test_a_zone_is_added_where_none_is_written() -> None:
    assert parse_time("2026-11-20 12:30", now=NOW, zone=CHINA) == "2026-11-20T12:30+08:00"
    assert parse_time("2026-11-20 12:30Z", now=NOW, zone=CHINA) == "2026-11-20T12:30+00:00"
    assert parse_time("5 minutes ago", now=NOW.astimezone(UTC), zone=CHINA) == "2026-11-20T15:25+08:00"


def test_the_expression_inside_a_text() -> None:
    assert find_time("来源:新华网 2026年11月20日 12:30 作者:张三") == "2026年11月20日 12:30"
    assert find_time("楼主 发表于 3 小时前 | 只看该作者") == "3 小时前"
    assert find_time("no time here") == ""


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("3 dayſ ago", "2026-11-17"),
        ("5 mİn ago", "2026-11-20T15:25+08:00"),
        ("2 weeKs ago", "2026-11-06"),
        ("yeſterday", "2026-11-19"),
        ("geſtern 10:30", "2026-11-19T10:30"),
        ("12 maı 2026", "2026-05-12"),
        ("٣ hours ago", "2026-11-20T12:30+08:00"),
        ("11月2０日", "2026-11-20"),
        ("\u202e3 days ago\u202c", "2026-11-17"),
        ("1" * 4_400, ""),
        ("1" * 4_400 + " days ago", ""),
    ],
)
def test_odd_letters_and_digits(text: str, iso: str) -> None:
    assert parse_time(text, now=NOW) == iso


def test_what_ignores_case_is_found_in_every_table() -> None:
    """Each character that a pattern without regard to case takes for a letter of a word folds to that letter."""
    every = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    words = {*dates._MONTHS, *dates._SECONDS, *dates._DAYS_BACK}
    for letter in {letter for word in words for letter in word if letter.isalpha()}:
        assert {dates._folded(twin) for twin in re.findall(letter, every, re.I)} == {letter}


PIECES = st.sampled_from(
    [
        *"3 ٣ ３ ² 2026 ２０２６ 年 月 日 dayſ days ago mİn ſec hourſ weeK yeſterday vor Tagen maı ſept : - / , .".split(),
        *("\u0301", "\u0307", "\u200f", "\u202e"),
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=2)), max_size=12), st.sampled_from(["", " "]))
def test_any_odd_text_is_read(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    parse_time(text, now=NOW)
    assert find_time(text) in text


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    parse_time(text, now=NOW)
    assert find_time(text) in text


@pytest.mark.parametrize("piece", ["1", "20", "2026-", "11月", "a ", "12:30 ", "2026年1月", "Nov 2 ", "-", " "])
def test_no_text_takes_long(piece: str) -> None:
    start = time.process_time()
    find_time(piece * 100_000)
    assert time.process_time() - start < 0.2


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("03/12/15 03:28 PM", "2015-03-12T15:28"),
        ("12/31/99", "1999-12-31"),
        ("05.01.12 11:27", "2012-01-05T11:27"),
        ("10-04-2017, 11:00 AM", "2017-10-04T11:00"),
        ("version 2.19.0", ""),
        ("3.5.12", ""),
        ("192.168.1.20", ""),
    ],
)
def test_years_of_two_digits(text: str, time: str) -> None:
    assert parse_time(text, now=datetime(2026, 11, 1, tzinfo=UTC)) == time


def test_an_age_in_two_units_is_their_sum() -> None:
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert find_time("posted 2 weeks 6 days ago by Ann") == "2 weeks 6 days ago"
    assert parse_time("2 weeks 6 days ago", now=now) == "2026-11-01"
    assert parse_time("1 day, 2 hours ago", now=now).startswith("2026-11-20T10:00")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1 小时 43 分钟前", "2026-11-21T10:17"),
        ("1天3小时前", "2026-11-20T09:00"),
        ("发表于2小时5分钟前", "2026-11-21T09:55"),
        ("2h 27m ago", "2026-11-21T09:33"),
        ("1d 2h 3m ago", "2026-11-20T09:57"),
        ("1 hour and 5 minutes ago", "2026-11-21T10:55"),
        ("1年3个月前", "2025-08-23"),
        ("vor 2 Stunden und 5 Minuten", "2026-11-21T09:55"),
        ("il y a 1 heure et 30 minutes", "2026-11-21T10:30"),
        ("3月2日前", ""),
    ],
)
def test_ages_in_several_units_are_summed(text: str, time: str) -> None:
    found = parse_time(text, now=datetime(2026, 11, 21, 12, tzinfo=UTC))
    assert found.startswith(time) if time else found == "2026-03-02", found
    assert not time or find_time(text) == text.removeprefix("发表于")


def test_the_order_of_day_and_month_is_followed_where_it_can_be() -> None:
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert parse_time("03/04/2020 10:15", now=now, day_first=True) == "2020-04-03T10:15"
    assert parse_time("03/04/2020 10:15", now=now, day_first=False) == "2020-03-04T10:15"
    assert parse_time("03/28/2020", now=now, day_first=True) == "2020-03-28"
    assert parse_time("2020-03-04", now=now, day_first=True) == "2020-03-04"
