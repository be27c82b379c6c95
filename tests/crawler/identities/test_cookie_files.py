"""Cookies come in from browsers' exports, go out to their own site only, and two who change them agree."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from crawler.identities.base import IdentityError
from crawler.identities.cookies import cookies_for, cookies_in, jar_of, merge_cookies, read_cookies

_NETSCAPE = (
    ".some.example\tTRUE\t/\tTRUE\t2000000000\tsid\tabc\n"
    "#HttpOnly_www.some.example\tFALSE\t/a\tFALSE\t0\ttoken\tx=y\n"
    ".other.example\tTRUE\t/\tFALSE\t2000000000\tad\t1\n"
)
_EXTENSION = [
    {
        "domain": ".some.example",
        "name": "sid",
        "value": "abc",
        "path": "/",
        "secure": True,
        "expirationDate": 2e9,
        "hostOnly": False,
    },
    {"domain": "www.some.example", "name": "token", "value": "x=y", "path": "/a", "session": True, "hostOnly": True},
    {"domain": ".other.example", "name": "ad", "value": "1", "expirationDate": 2e9},
]
_DRIVER = {
    "origins": [],
    "cookies": [
        {"name": "sid", "value": "abc", "domain": ".some.example", "path": "/", "expires": 2e9, "secure": True},
        {"name": "token", "value": "x=y", "domain": "www.some.example", "path": "/a", "expires": -1, "secure": False},
        {"name": "ad", "value": "1", "domain": ".other.example", "path": "/", "expires": 2e9},
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        f"# Netscape HTTP Cookie File\n# cookie_of by a tool\n\n{_NETSCAPE}",
        f"# HTTP Cookie File\n{_NETSCAPE}",
        _NETSCAPE,
        json.dumps(_EXTENSION),
        "\ufeff" + json.dumps(_DRIVER),
    ],
)
def test_every_browsers_export_gives_the_same_cookies(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cookies"
    path.write_text(text, encoding="utf-8")
    found = cookies_for(read_cookies(path), ["some.example"])
    assert {(cookie["name"], cookie["value"], cookie["expires"]) for cookie in found} == {
        ("sid", "abc", 2_000_000_000),
        ("token", "x=y", None),
    }
    jar = jar_of(found)
    for url, sent in (
        ("https://www.some.example/a", b"token=x=y; sid=abc"),
        ("https://bbs.some.example/a", b"sid=abc"),
        ("http://www.some.example/a", b"token=x=y"),
        ("https://other.example/a", None),
    ):
        request = Request(url)
        jar.add_cookie_header(request)
        assert request.headers.get("Cookie") == sent
    assert cookies_in(jar_of(cookies_in(jar))) == cookies_in(jar)


def test_what_has_expired_or_belongs_to_others_is_left_out() -> None:
    cookies = [
        {"name": str(n), "domain": d, "expires": e} for n, (d, e) in enumerate([("a.example", 5), ("xa.example", None)])
    ]
    assert cookies_for(cookies, ["a.example"], now=4) == cookies[:1]
    assert cookies_for(cookies, ["a.example"], now=6) == []


@pytest.mark.parametrize(
    "text", ["GEHEIM", "a\tb\tGEHEIM\n", "[GEHEIM", '[{"name": "GEHEIM"}]', "{}", "", "[1]", '{"cookies": "GEHEIM"}']
)
def test_another_file_is_refused_without_quoting_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cookies"
    path.write_text(text)
    with pytest.raises(IdentityError) as raised:
        read_cookies(path)
    assert "GEHEIM" not in str(raised.value)


_cookie = st.builds(
    lambda name, value: {"domain": "d", "path": "/", "name": name, "value": value},
    st.sampled_from("abc"),
    st.sampled_from("123"),
)
_cookies = st.lists(_cookie, max_size=3, unique_by=lambda cookie: cookie["name"])


@given(_cookies, _cookies, _cookies)
def test_who_changed_nothing_takes_the_others_and_ours_win_a_quarrel(agreed: list, ours: list, theirs: list) -> None:  # type: ignore[type-arg]
    by_name = [{cookie["name"]: cookie["value"] for cookie in side} for side in (agreed, ours, theirs)]
    before, mine, other = by_name
    after = {cookie["name"]: cookie["value"] for cookie in merge_cookies(agreed, ours, theirs)}
    for name in "abc":
        expected = other.get(name) if mine.get(name) == before.get(name) else mine.get(name)
        assert after.get(name) == expected
