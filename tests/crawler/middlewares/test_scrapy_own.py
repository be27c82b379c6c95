"""Cookies of a crawl."""

import pytest
import requests
from scrapy import Request
from scrapy.downloadermiddlewares import cookies
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.middlewares.scrapy_own import JarsMiddleware


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
    assert not cookies._split_domain.suffix_list_urls  # it may have been asked for before, and kept
    assert [cookie.name for cookie in middleware.jars[None]] == ["own"]
