"""URLs in one form."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from extractors.links.urls import canonical_url

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
