"""Relative dates of a page are read against the moment when its server made it."""

import urllib.request
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from crawler.download.answer_times import kept_for, made_at
from crawler.page_answers import page_of
from testbed.hostile import Connection, HostileWeb

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
_TEXT = "昨夜河水上涨两米，下城居民被送往高处的学校，救援人员连夜加固堤坝。" * 6
_POSTS = "".join(
    f'<div class="post"><a class="author" href="/u/{n}">读者{n}</a><span class="time">{n}分钟前</span><p>{text}</p></div>'
    for n, text in enumerate(("水退了吗？", "学校里人很多，还缺被子。", "下午去送过水，路还通。", "堤坝守住了。"), 2)
)


def response_of(headers: dict[str, str]) -> HtmlResponse:
    return HtmlResponse("http://some.example/", headers=headers)


def http_date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


@pytest.mark.parametrize(
    ("behind", "age", "expected"),
    [
        (0, "", 0),
        (300, "", 300),  # a clock that is a little behind
        (86_400, "", 0),  # one that is wrong
        (86_400, "86100", 86_400),  # a copy of a cache
        (86_400, "7", 0),  # a cache that has only just got an answer with a wrong date
        (86_400, "1" * 5_000, 0),
        (-60, "", 0),  # never in the future
        (-7_200, "", 0),
    ],
)
def test_a_date_counts_where_it_is_sane(behind: int, age: str, expected: int) -> None:
    response = response_of({"Date": http_date(NOW - timedelta(seconds=behind)), "Age": age})
    assert NOW - made_at(response, NOW) == timedelta(seconds=expected)


@pytest.mark.parametrize(
    ("control", "age", "seconds"),
    [
        ("public, max-age=300", "60", 240.0),
        ("max-age=9, s-maxage=120", "0", 120.0),
        ("max-age=300", "", 0.0),  # for browsers: the server itself answers
        ("max-age=300", "400", 0.0),
        ("max-age=86400", "10", 0.0),
        ("max-age=" + "9" * 9_000, "10", 0.0),
        ("no-store", "10", 0.0),
    ],
)
def test_a_cache_goes_on_giving_the_same_answer_until_it_is_too_old(control: str, age: str, seconds: float) -> None:
    headers = {"Cache-Control": control} | ({"Age": age} if age else {})
    assert kept_for(response_of(headers)) == seconds


@given(st.text(st.characters(max_codepoint=255)), st.text(st.characters(max_codepoint=255)))
def test_any_headers_give_a_moment_that_is_not_later_than_the_receipt(date: str, age: str) -> None:
    assert made_at(HtmlResponse("http://some.example/", headers={"Date": date, "Age": age}), NOW) <= NOW


@pytest.mark.parametrize("date", ["Mon, 23 Nov 99999999999999999999 10:00:00 GMT", "Mon, 23 Nov 2026 11:55:00 -0000"])
def test_odd_dates(date: str) -> None:
    assert made_at(response_of({"Date": date}), NOW) in (NOW, NOW - timedelta(minutes=5))


def test_times_of_articles_and_posts_on_a_page_from_a_cache() -> None:
    made = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(hours=5)

    def site(asked: Connection) -> None:
        posts = asked.path == "/thread-7-1-1.html"
        main = _POSTS if posts else f'<div class="info"><span class="date">3分钟前</span></div><p>{_TEXT}</p>'
        body = f"<html><meta charset=utf-8><title>河水上涨两米</title><body><h1>河水上涨两米</h1>{main}</body></html>"
        asked.answer(body, Date=http_date(made), Age="18030")

    with HostileWeb({"cached.example": site}) as web:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": web.address}))
        pages = []
        for path in ("/a/1.html", "/thread-7-1-1.html"):
            with opener.open(f"http://cached.example{path}") as answer:
                headers = dict(answer.headers)
                pages.append(page_of(HtmlResponse(answer.url, body=answer.read(), headers=headers)))
    article, thread = pages
    assert datetime.fromisoformat(article.article.published) == made - timedelta(minutes=3)
    times = [datetime.fromisoformat(record.time) for record in thread.records.records]
    assert times == [made - timedelta(minutes=minutes) for minutes in (2, 3, 4, 5)]
    assert datetime.now(UTC) - article.fetched_at < timedelta(minutes=1)
