"""Fetched pages are fetched again: running reports as fast as they grow, others at growing ages, early ones first."""

import pytest

from crawler.watching.pages import Pages, WatchedPage
from crawler.watching.rechecks import RECHECK_AGES
from crawler.watching.running_reports import is_running_report
from extractors.page import Page

URL, HOST, BEGIN = "http://news.example.cn/a/1.html", "news.example.cn", 1e9
BODY = "".join(f"<p>{'今天上午有关部门召开会议，研究部署下一步的工作安排。' * 4}</p>" for _ in range(4))


def fetched(pages: Pages, url: str, now: float, *, grows: bool = False) -> WatchedPage:
    page = WatchedPage(url, HOST, f"http://{HOST}/", now)
    pages.add(page)
    pages.fetched(page, "first", now, grows=grows)
    return page


def fetches(seconds: float, ends: float, *, grows: bool) -> list[float]:
    """The ages at which a page is fetched that has a new paragraph every ten minutes until it ends."""
    pages, now, found = Pages(), BEGIN, list[float]()
    fetched(pages, URL, now, grows=grows)
    while now < BEGIN + seconds:
        now += 60
        if page := pages.next_recheck(now, lambda site, host: True):
            found.append(now - BEGIN)
            pages.fetched(page, str(int(min(now - BEGIN, ends) // 600)), now)
    return found


def test_a_running_report_is_fetched_as_it_grows_and_then_like_others() -> None:
    growing = fetches(12 * 3_600, ends=4 * 3_600, grows=True)
    during = [age for age in growing if age < 4 * 3_600]
    assert 15 <= len(during) <= 40
    assert max(later - sooner for sooner, later in zip([0.0, *during], during, strict=False)) <= 1_800
    assert len(growing) - len(during) <= 8


def test_a_page_that_was_found_changed_is_fetched_soon_again() -> None:
    ages = fetches(8 * 3_600, ends=7 * 3_600, grows=False)
    assert ages[0] == pytest.approx(RECHECK_AGES[0], abs=60)
    assert len(ages) > 10


def test_the_first_recheck_of_a_page_goes_before_later_ones_of_others() -> None:
    pages, now = Pages(), BEGIN + RECHECK_AGES[1]
    old = fetched(pages, URL, BEGIN)
    pages.fetched(old, "first", BEGIN + RECHECK_AGES[0])
    young = fetched(pages, URL.replace("1", "2"), now - RECHECK_AGES[0] + 5)
    order = [pages.next_recheck(now + 10, lambda site, host: True) for _ in range(2)]
    assert [page.url for page in order if page] == [young.url, old.url]


@pytest.mark.parametrize(
    ("title", "paragraphs", "expected"),
    [
        ("【直播】两会开幕", "", True),
        ("Election night – live updates", "", True),
        ("Sturm über dem Norden: der Liveticker", "", True),
        (
            "台风登陆最新情况",
            "".join(f"<p>1{n}:05 {'市气象台发布消息，风力继续减弱。' * 3}</p>" for n in range(3)),
            True,
        ),
        ("直播带货的新规定下月施行", "", False),
        ("Where people live longest", "", False),
    ],
)
def test_running_reports_are_told_by_their_titles_and_times(title: str, paragraphs: str, expected: bool) -> None:
    text = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{BODY}{paragraphs}</article></body></html>"
    assert is_running_report(Page(text.encode(), URL, content_type="text/html; charset=utf-8")) is expected
