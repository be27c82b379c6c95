"""Cookies of a crawl, and proxies that the environment names."""

import pytest
import requests
from scrapy import Request
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.middlewares.scrapy_own import EnvironmentProxyMiddleware, JarsMiddleware


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


@pytest.mark.parametrize("url", ["http://some.example/", "https://some.example/", "http://here.example/", "ftp://x/"])
@pytest.mark.parametrize("meta", [{}, {"proxy": None}, {"proxy": "http://other.example:1"}])
@pytest.mark.parametrize("proxy", ["", "http://proxy.example:8080", "http://me:secret@proxy.example:8080"])
def test_requests_take_the_proxy_that_scrapys_own_would_choose(
    url: str, meta: dict[str, str | None], proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    if proxy:
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "here.example")
    chosen = []
    for kind in (HttpProxyMiddleware, EnvironmentProxyMiddleware):
        middleware = kind.from_crawler(get_crawler())
        for _ in range(2):
            request = Request(url, meta=dict(meta))
            middleware.process_request(request)
            middleware.process_request(request)
            chosen.append((request.meta, request.headers))
    assert all(each == chosen[0] for each in chosen)
