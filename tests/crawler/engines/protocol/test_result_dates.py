"""Dates of results, as engines write them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.engines.baidu_json import ENGINE as BAIDU_JSON
from crawler.engines.protocol.engine import About, Reply, Result
from crawler.engines.protocol.reading import read_answer
from crawler.engines.protocol.result_dates import published, written_date

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
CHINESE = About("a", "a.example", languages=("zh",))
OTHER = About("b", "b.example")


@pytest.mark.parametrize(
    ("date", "snippet", "found"),
    [
        ("3小时前", "", "2026-11-21T17:00+08:00"),
        ("- 1天前", "", "2026-11-20"),
        ("昨天 10:20", "", "2026-11-20T10:20+08:00"),
        ("11月3日", "", "2026-11-03"),
        ("刚刚", "", "2026-11-21T20:00+08:00"),
        ("汉典 - www.zdic.net - 2021-10-23", "", "2021-10-23"),
        ("1763700000", "", "2025-11-21T12:40+08:00"),
        ("", "2021年9月16日-在线新华字典", "2021-09-16"),
        ("", "发布时间：2026年3月1日 ... 通知", "2026-03-01"),
        ("www.example.cn", "3天前 — 国务院", "2026-11-18"),
        ("", "2021年9月16日，国务院召开会议", ""),
        ("", "会议于2021年9月16日 - 召开", ""),
        ("2027-01-01", "", ""),
        ("number", "", ""),
    ],
)
def test_chinese(date: str, snippet: str, found: str) -> None:
    assert published(Result("u", "t", snippet, date), CHINESE, NOW) == found


@pytest.mark.parametrize(
    ("date", "snippet", "found"),
    [
        ("2 days ago", "", "2026-11-19"),
        ("3h", "", "2026-11-21T09:00+00:00"),
        ("Tue, 03 Nov 2026 10:00:00 GMT", "", "2026-11-03T10:00:00+00:00"),
        ("20261101T120000Z", "", "2026-11-01T12:00:00+00:00"),
        ("20261101120000", "", "2026-11-01T12:00:00+00:00"),
        ("2026-11-01T08:30:00", "", "2026-11-01T08:30:00"),
        ("", "Mar 13, 2026 · JavaScript provides", "2026-03-13"),
        ("", "2 days ago · Learn", "2026-11-19"),
        ("", "18.07.2014 - Über", "2014-07-18"),
        ("", "On Mar 13, 2026 they met", ""),
    ],
)
def test_others(date: str, snippet: str, found: str) -> None:
    assert published(Result("u", "t", snippet, date), OTHER, NOW) == found


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_a_date_or_nothing(date: str, snippet: str) -> None:
    if found := published(Result("u", "t", snippet, date), CHINESE, NOW):
        assert 1990 <= datetime.fromisoformat(found).year <= 2026


def test_an_engine_that_gives_seconds() -> None:
    body = b'{"feed": {"entry": [{"title": "A", "url": "https://a.example/", "abs": "x", "time": 1763700000}]}}'
    result = read_answer(BAIDU_JSON, Reply("https://www.baidu.com/s", 200, body)).results[0]
    assert published(result, BAIDU_JSON.about, NOW) == "2025-11-21T12:40+08:00"


@pytest.mark.parametrize(
    ("shown", "date"),
    [
        ("www.extremnews.com/2015/12/03/x Im Cache", ""),
        ("https://goo.gl/ Diese Seite übersetzen", ""),
        ("news.example.cn › 2021-10-23", ""),
        ("int./n.", ""),
        ("人民网", ""),
        ("汉典 - www.zdic.net - 2021-10-23", "2021-10-23"),
        ("- 1天前", "1天前"),
        ("3h", "3h"),
        ("2 小时", "2 小时"),
        ("12 comments", ""),
        ("刚刚", "刚刚"),
        ("18.07.2014", "18.07.2014"),
        ("Nov. 5, 2026", "Nov. 5, 2026"),
        ("1763700000", "1763700000"),
        ("20261101T120000Z", "20261101T120000Z"),
        ("Tue, 03 Nov 2026 10:00:00 GMT", "03 Nov 2026 10:00:00 GMT"),
    ],
)
def test_only_dates_are_dates(shown: str, date: str) -> None:
    assert written_date(shown) == date


@given(st.text(max_size=300))
def test_a_written_date_is_a_part_of_what_is_shown(text: str) -> None:
    assert written_date(text) in " ".join(text.split())
