"""URLs in one form."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from extractors.links.urls import canonical_url, url_key, web_address

HOSTS = st.sampled_from(
    ["http://h.example/", "https://a.b-c.d/", "http://H.x/", "http://-a.b/", "http://b.example/t.php?"]
)
PARTS = st.sampled_from("/ // a b.php . .. ? x=1 & = &y=2 &x=0 # #p2 ; :8 - ~ 中 %20 Z _ ?a= &a".split())


@given(HOSTS, st.lists(PARTS, max_size=8).map("".join))
def test_what_is_plain_needs_no_library(host: str, path: str) -> None:
    wanted = canonicalize_url(host + path)
    assert canonical_url(host + path) == (wanted if urlsplit(wanted).hostname else "")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://h.example", "http://h.example/"),
        ("http://h.example/t/1?b=2&a=1#p3", "http://h.example/t/1?a=1&b=2"),
        ("http://h.example/t?utm_source=x&b=2", "http://h.example/t?b=2"),
        ("http://h.example:80/t", "http://h.example/t"),
        ("HTTP://h.example:80", "http://h.example/"),
        ("https://h.example:443/t?b=2", "https://h.example/t?b=2"),
        ("http://h.example:/", "http://h.example/"),
        ("http://h.example:443/", "http://h.example:443/"),
        ("http://h.example:8080/", "http://h.example:8080/"),
        ("http://[2001:db8::80]:80/", "http://[2001:db8::80]/"),
        ("ftp://h.example/", ""),
    ],
)
def test_one_form(url: str, found: str) -> None:
    assert canonical_url(url) == found


@pytest.mark.parametrize(
    "url",
    [
        "JaVaScRiPt:alert(1)", "\x01javascript:x", " \t\ndata:text/html,x", "java\tscript:x", "vbscript:x", "\x1bhttp://a.example/",
        "file:///etc/passwd", "blob:http://a.example/", "view-source:http://a.example/", "//a.example/", "http:x",
    ],
)  # fmt: skip
def test_only_http_is_an_address(url: str) -> None:
    assert web_address(url) == ""


@given(st.text())
def test_an_address_gives_no_orders_to_a_terminal(rest: str) -> None:
    stored = web_address(f"HTTP://a.example/{rest}")
    assert stored.startswith("HTTP://a.example/")
    assert not [letter for letter in stored if letter <= " " or "\x7f" <= letter <= "\x9f"]


@given(st.text(st.characters(codec=None)))
def test_every_text_has_a_key(rest: str) -> None:
    assert len(url_key(f"http://a.example/{rest}")) == 20
