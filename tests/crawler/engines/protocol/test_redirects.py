"""Targets within redirects of engines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.engines.protocol.redirects import needs_resolving, unwrap


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9leGFtcGxlLmNvbS8_YT0x&ntb=1", "https://example.com/?a=1"),
        ("/url?q=https://example.com/%3Fv%3D1&sa=U", "https://example.com/?v=1"),
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2F&rut=1", "https://example.com/"),
        ("https://r.search.yahoo.com/_ylt=A/RV=2/RU=https%3a%2f%2fexample.com%2f/RK=2", "https://example.com/"),
        ("https://search.aol.com/click/_ylt=A/RV=2/RU=https%3a%2f%2fexample.com%2f/RK=0/RS=x-", "https://example.com/"),
        ("https://example.com/page?u=1", "https://example.com/page?u=1"),
    ],
)
def test_unwrapping(href: str, target: str) -> None:
    assert unwrap(href, "https://www.google.com/search") == target


def test_an_engines_own_jumps_are_unwrapped_and_other_sites_are_not() -> None:
    base, target = "https://so.example.com/search?keyword=x", "https%3A%2F%2Fa.example.org%2Fp"
    assert unwrap(f"/search/jump?aid=1&to={target}", base) == "https://a.example.org/p"
    assert unwrap(f"https://b.example.net/search/jump?to={target}", base).startswith("https://b.example.net/")
    assert unwrap("/account/go?back=https%3A%2F%2Fwww.example.com%2F", base).endswith("www.example.com%2F")


def test_opaque_redirects_need_a_request() -> None:
    assert needs_resolving("http://www.baidu.com/link?url=abc")
    assert not needs_resolving("https://example.com/link?url=abc")


@given(st.text(), st.text())
def test_unwrapping_never_raises(href: str, base: str) -> None:
    assert isinstance(unwrap(href, base), str)
