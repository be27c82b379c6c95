"""What is taken from the insides of Scrapy and Twisted is there and does what it is taken for.

A failure here names what a new release has changed; `crawler/scrapy_internals.py` says why each is needed.
"""

import logging

import pytest
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.utils.test import get_crawler
from twisted.internet import reactor
from twisted.internet.testing import StringTransport
from twisted.web._newclient import HTTP11ClientProtocol

from crawler import scrapy_internals


@pytest.fixture
def protocol(monkeypatch: pytest.MonkeyPatch) -> HTTP11ClientProtocol:
    """A connection of Scrapy's pool whose headers may have 1,000 bytes, with a request sent."""
    from twisted.web._newclient import Request
    from twisted.web.http_headers import Headers

    handler = HTTP11DownloadHandler(get_crawler())
    scrapy_internals.limit_header_bytes(handler, 1_000)
    made: HTTP11ClientProtocol = handler._pool._factory(lambda _: None, "here").buildProtocol(None)
    made.makeConnection(StringTransport())
    made.request(Request(b"GET", b"/", Headers({b"Host": [b"here"]}), None)).addErrback(lambda _: None)
    return made


@pytest.mark.parametrize(("headers", "is_dropped"), [(b"a: b\r\n" * 50, False), (b"a: b\r\n" * 500, True)])
def test_a_connection_with_too_many_bytes_of_headers_is_dropped(
    protocol: HTTP11ClientProtocol, headers: bytes, is_dropped: bool
) -> None:
    received = b"HTTP/1.1 200 OK\r\n" + headers
    for start in range(0, len(received), 100):
        protocol.dataReceived(received[start : start + 100])
    assert protocol.transport.disconnecting is is_dropped


def test_a_long_body_is_no_header(protocol: HTTP11ClientProtocol) -> None:
    protocol.dataReceived(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
    for _ in range(80):
        protocol.dataReceived(b"x" * 100)
    assert protocol.transport.disconnecting is False


def test_cookies_ask_the_given_function_for_public_suffixes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cookies, "_is_public_domain", cookies._is_public_domain)
    asked: list[str] = []
    scrapy_internals.use_public_suffixes(lambda name: bool(asked.append(name)))
    middleware = cookies.CookiesMiddleware.from_crawler(get_crawler())
    from scrapy import Request
    from scrapy.http import Response

    given = {"Set-Cookie": "a=1; Domain=some.example"}
    middleware.process_response(Request("http://some.example/"), Response("http://some.example/", headers=given))
    assert asked == ["some.example"]


def test_the_reactor_goes_by_the_given_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reactor, "seconds", reactor.seconds)
    scrapy_internals.use_reactor_clock(lambda: 5.0)
    call = reactor.callLater(2.0, lambda: None)
    assert call.getTime() == 7.0
    call.cancel()


def test_only_scrapys_own_redirects_warn_of_a_missing_referer(caplog: pytest.LogCaptureFixture) -> None:
    for kind, warnings in ((scrapy_internals.QuietRedirectMiddleware, 0), (RedirectMiddleware, 1)):
        caplog.clear()
        crawler = get_crawler()
        crawler.get_spider_middleware = lambda _: None
        middleware = kind.from_crawler(crawler)
        with caplog.at_level(logging.WARNING):
            middleware._engine_started()
        assert len(caplog.records) == warnings


def test_the_client_for_socks_is_there() -> None:
    pytest.importorskip("httpx2")
    assert scrapy_internals.HttpxDownloadHandler.download_request
    assert scrapy_internals.HttpxDownloadHandler._DEFAULT_CONNECT_TIMEOUT
