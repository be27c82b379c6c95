"""Cookies of a crawl."""

import pytest
import requests
from scrapy import Request
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.middlewares.scrapy_overrides import JarsMiddleware


def test_cookies_for_public_suffixes_are_refused_and_nothing_is_fetched_to_know_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fetched(*_: object, **__: object) -> None:
        pytest.fail("the list of public suffixes was asked for")

    monkeypatch.setattr(requests.Session, "get", fetched)
    middleware = JarsMiddleware.from_crawler(get_crawler())
    request = Request("http://www.shop.example.co.uk/")
    given = [b"all=1; Domain=co.uk", b"own=2; Domain=example.co.uk"]
    middleware.process_response(request, Response(request.url, headers={"Set-Cookie": given}))
    assert cookies._split_domain._extractor is None  # it may have been asked for before, and kept
    assert [cookie.name for cookie in middleware.jars[None]] == ["own"]


_ANSWERED = (b"session=1; Path=/", b"other=2")


@pytest.mark.parametrize("before", [(), _ANSWERED])
@pytest.mark.parametrize("own", [{}, {"mine": "3"}])
@pytest.mark.parametrize("meta", [{}, {"cookiejar": "a"}, {"dont_merge_cookies": True}])
def test_requests_carry_the_cookies_that_scrapys_own_would_give_them(
    before: tuple[bytes, ...], own: dict[str, str], meta: dict[str, object]
) -> None:
    carried = []
    for kind in (CookiesMiddleware, JarsMiddleware):
        middleware = kind.from_crawler(get_crawler())
        first = Request("http://some.example/", meta=dict(meta))
        middleware.process_request(first)
        middleware.process_response(first, Response(first.url, headers={"Set-Cookie": list(before)}))
        second = Request("http://some.example/next", cookies=own, headers={"Cookie": "copied=4"}, meta=dict(meta))
        middleware.process_request(second)
        carried.append(second.headers.getlist("Cookie"))
    assert carried[0] == carried[1]
