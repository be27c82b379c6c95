"""Jars have the limits of browsers."""

import time

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.identities.base import PlainCookie
from crawler.identities.cookies import (
    MAX_COOKIE_BYTES,
    MAX_COOKIES,
    MAX_DOMAIN_COOKIES,
    BoundedCookieJar,
    cookie_of,
    jar_of,
)
from crawler.middlewares.scrapy_overrides import JarsMiddleware


def _cookie(name: str, domain: str = "some.example", value: str = "x", expires: int | None = None) -> PlainCookie:
    return {"name": name, "value": value, "domain": domain, "path": "/", "secure": False, "expires": expires}


def _answered(*lines: str, url: str = "http://some.example/") -> BoundedCookieJar:
    middleware = JarsMiddleware.from_crawler(get_crawler())
    middleware.process_response(Request(url), Response(url, headers={"Set-Cookie": list(lines)}))
    jar = middleware.jars[None]
    assert isinstance(jar, BoundedCookieJar)
    return jar


def test_a_site_has_so_many_cookies_and_no_more_and_the_newest_stay() -> None:
    jar = _answered(*(f"c{number}=x" for number in range(MAX_DOMAIN_COOKIES + 20)))
    assert [cookie.name for cookie in jar] == [f"c{number}" for number in range(20, MAX_DOMAIN_COOKIES + 20)]


def test_subdomains_do_not_add_room() -> None:
    jar = jar_of(_cookie("c", f"host{number}.some.com") for number in range(1_000))
    assert len(jar) == MAX_DOMAIN_COOKIES


def test_a_site_does_not_push_out_the_cookies_of_another() -> None:
    jar = jar_of([_cookie("session", "library.example"), *(_cookie(f"c{number}") for number in range(10_000))])
    assert {cookie.domain for cookie in jar} == {"library.example", "some.example"}


def test_a_jar_has_so_many_cookies_in_all() -> None:
    jar = jar_of(_cookie("c", f"site{number}.example") for number in range(MAX_COOKIES + 100))
    assert len(jar) == MAX_COOKIES
    assert "site100.example" in jar._cookies
    assert "site99.example" not in jar._cookies


@pytest.mark.parametrize(("size", "kept"), [(MAX_COOKIE_BYTES, 1), (MAX_COOKIE_BYTES + 1, 0), (100_000, 0)])
def test_a_cookie_is_so_large_and_no_larger(size: int, kept: int) -> None:
    assert len(_answered("n=" + "x" * (size - 1))) == kept


def test_bytes_count_and_not_characters() -> None:
    assert len(jar_of([_cookie("n", value="字" * 1_400)])) == 0


def test_what_is_replaced_deleted_or_expired_takes_no_room() -> None:
    jar = _answered(*(f"c{number}=x" for number in range(MAX_DOMAIN_COOKIES)))
    jar.set_cookie(cookie_of(_cookie("c0", value="new")))
    assert len(jar) == MAX_DOMAIN_COOKIES
    jar.clear("some.example", "/", "c5")
    jar.set_cookie(cookie_of(_cookie("more")))
    assert len(jar) == MAX_DOMAIN_COOKIES
    assert "c1" in {cookie.name for cookie in jar}
    for number in range(10, 20):
        jar.set_cookie(cookie_of(_cookie(f"c{number}", expires=int(time.time()) - 5)))
    jar.jar.clear_expired_cookies()
    assert len(jar) == MAX_DOMAIN_COOKIES - 10
    assert len(jar.jar._order) == MAX_DOMAIN_COOKIES - 10
    jar.clear()
    assert (len(jar), jar.jar._order, jar.jar._of_domain) == (0, {}, {})


def test_a_flood_is_fast() -> None:
    jar, begun = BoundedCookieJar(), time.perf_counter()
    for number in range(20_000):
        jar.set_cookie(cookie_of(_cookie(f"c{number}", f"site{number % 5_000}.example")))
    assert time.perf_counter() - begun < 5
    assert len(jar) == MAX_COOKIES
