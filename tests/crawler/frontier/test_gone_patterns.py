"""Kinds of addresses of which many in a row were not found."""

import pytest

from crawler.frontier.gone_patterns import GonePatterns, is_missing, kinds_of


def test_the_rest_of_a_kind_of_which_none_was_found_waits_after_eight_misses() -> None:
    paths = GonePatterns()
    for number in range(8):
        assert not paths.holds("http://a.example/x/y")
        paths.answered(f"http://a.example/x/{number}", missing=True)
    assert paths.holds("http://a.example/x/y")


def test_the_rest_of_a_kind_waits_after_twenty_misses() -> None:
    paths = GonePatterns()
    paths.answered("http://a.example/2017/01/alive/", missing=False)
    for number in range(20):
        assert not paths.holds("http://a.example/2018/03/other/")
        paths.answered(f"http://a.example/2018/{number}/old-{number}/", missing=True)
    assert paths.holds("http://a.example/2019/04/another/")
    assert not paths.holds("http://a.example/2019/04/another.html")
    assert not paths.holds("http://b.example/2019/04/another/")
    paths.answered("http://a.example/2020/01/alive/", missing=False)
    assert not paths.holds("http://a.example/2019/04/another/")


def test_addresses_with_the_same_last_part_are_one_kind() -> None:
    paths = GonePatterns()
    for number in range(20):
        paths.answered(f"http://a.example/{'x' * number}y/{{path}}", missing=True)
    assert paths.holds("http://a.example/2019/z/{path}")
    assert not paths.holds("http://a.example/2019/z/path")
    paths.answered("http://a.example/alive/{path}", missing=False)
    assert not paths.holds("http://a.example/2019/z/{path}")


def test_what_has_waited_is_dropped_after_twenty_more_misses() -> None:
    paths = GonePatterns()
    for number in range(40):
        assert not paths.drops("http://a.example/x/y")
        paths.answered(f"http://a.example/x/{number}", missing=True)
    assert paths.drops("http://a.example/x/y")
    paths.answered("http://a.example/x/alive", missing=False)
    assert not paths.drops("http://a.example/x/y")


def test_kinds_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.frontier.gone_patterns._MAX_KINDS", 42)
    paths = GonePatterns()
    for host in ("a", "b", "c"):
        for number in range(20):
            paths.answered(f"http://{host}.example/x/{number}", missing=True)
    assert [paths.holds(f"http://{host}.example/x/z") for host in ("a", "b", "c")] == [False, True, True]


def test_kinds() -> None:
    assert kinds_of("http://a.example/p/12/")[0] == kinds_of("http://a.example/p/abc/")[0] == "a.example/p/*/"
    assert kinds_of("http://a.example/p/12")[0] == "a.example/p/*"
    assert kinds_of("http://a.example/")[0] == kinds_of("http://a.example/x/")[0] == "a.example/*/"
    assert kinds_of("http://a.example/p/x?q=1") == ("a.example/p/*?", "a.example/**/x?")


@pytest.mark.parametrize(
    ("status", "body", "missing"),
    [
        (404, b"", True),
        (410, b"", True),
        (500, b"<title>404</title>", False),
        (200, b"<title>404 Not Found</title>", True),
        (200, "<title>页面不存在 - 某站</title>".encode(), True),
        (200, "<title>页面不存在 - 某站</title>".encode("gbk"), True),
        (200, "<title>关于 1404 号文件</title>".encode(), False),
        (200, b"no title", False),
    ],
)
def test_missing_pages(status: int, body: bytes, missing: bool) -> None:
    assert is_missing(status, body) == missing
