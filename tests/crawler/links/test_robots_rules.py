"""robots.txt: what it allows, and that no file makes it dear."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from crawler.links.robots_rules import MAX_BYTES, RobotsRules, named_sitemaps
from testbed.hostile.large_robots import large_robots
from tests.case_files import Case, cases

AGENT = "Mozilla/5.0 (compatible) topicrawl/1.0"
PIECES = st.lists(
    st.sampled_from(
        ["a", "*", "/", "$", "?", "%41", "%2f", "%2A", "%3c", "<", "%3D", "é", "index.html", "p=", ".", ":"]
    ),
    max_size=5,
)
NAMES = st.sampled_from(["*", "", "topicrawl", "other", "topicrawl/1", "Topic*"])
FIELDS = st.sampled_from(["Disallow: ", "Allow: ", "allow:", "disalow : ", "Disallow "])
LINES = st.one_of(
    st.tuples(FIELDS, PIECES).map(lambda both: f"{both[0]}/{''.join(both[1])}"),
    st.sampled_from(
        [
            "# note",
            "Sitemap: http://a.example/s.xml",
            "Disallow:",
            "Host: x",
            "nonsense",
            "Foo: /a",
            "two words: b",
            "Request-rate 1/5",
            "Disallow http://a",
            "Disallow /a: b",
            "Allow",
            "User-agent",
            "User agent: topicrawl",
            "",
        ]
    ),
)
GROUPS = st.tuples(st.lists(NAMES, min_size=1, max_size=2), st.lists(LINES, max_size=5)).map(
    lambda group: "\n".join([*(f"User-agent: {name}" for name in group[0]), *group[1]])
)


def allowed(text: str, path: str) -> bool:
    return RobotsRules(text.encode()).allowed(f"http://a.example{path}", AGENT)


@given(st.lists(GROUPS, max_size=3).map("\n".join), PIECES.map(lambda parts: "/" + "".join(parts)))
def test_as_scrapys_own_parser_answers(text: str, path: str) -> None:
    # that one lets a query's "?" lose against a "*" of the same length in some orders: RFC 9309 lets "allow" win
    if "?" not in text and not path.startswith("//"):
        assert allowed(text, path) == Protego.parse(text).can_fetch(f"http://a.example{path}", AGENT)


@pytest.mark.parametrize(
    ("rules", "path", "wanted"),
    [
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /*.pdf$", "/x.pdf", False),
        ("Disallow: /*.pdf$", "/x.pdf?y", True),
        ("Disallow: /%E6%96%B0", "/新/1", False),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow: /a%2fb", "/a/b", True),
        ("Disallow: /$", "/", False),
        ("Disallow: /$", "/a", True),
    ],
)
def test_what_rules_allow(rules: str, path: str, wanted: bool) -> None:
    assert allowed(f"User-agent: *\n{rules}", path) is wanted


@pytest.mark.parametrize("case", cases("robots", "robots"))
def test_cases(case: Case) -> None:
    assert ("allowed" if allowed(case["robots"], case["path"]) else "forbidden") == case["expected"]


def test_the_group_of_the_longest_name_counts_alone() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: topicrawl\nDisallow: /x\nCrawl-delay: 2.5"
    assert allowed(text, "/a")
    assert not allowed(text, "/x")
    assert RobotsRules(text.encode()).crawl_delay(AGENT) == 2.5
    assert RobotsRules(text.encode()).crawl_delay("mytopicrawl") is None


@given(st.binary(max_size=200), st.text(max_size=30))
def test_any_bytes_and_any_address(body: bytes, url: str) -> None:
    rules = RobotsRules(b"User-agent: *\n" + body)
    assert rules.allowed(url, AGENT) in (True, False)
    assert all(named_sitemaps(body))


@pytest.mark.parametrize("name", large_robots())
def test_no_file_is_dear(name: str) -> None:
    """10 MB each; Scrapy's own parser takes seconds, and tens of milliseconds for every page."""
    body, begun = large_robots()[name].encode(), time.process_time()
    rules = RobotsRules(body)
    assert rules.allowed("http://a.example/", AGENT)
    assert time.process_time() - begun < 5
    begun = time.process_time()
    for number in range(50):
        rules.allowed(f"http://a.example/{'aaa/' * 20}{number}", AGENT)
    assert time.process_time() - begun < 50 * 0.01


def test_what_lies_behind_half_a_megabyte_is_not_read() -> None:
    body = b"User-agent: *\n" + b"#" * MAX_BYTES + b"\nDisallow: /\nSitemap: http://a.example/s.xml"
    assert RobotsRules(body).allowed("http://a.example/a", AGENT)
    assert named_sitemaps(body) == []


def test_sitemaps() -> None:
    body = b"\xef\xbb\xbfSitemap: http://a.example/1.xml # first\r\nUser-agent: *\r\nsite-map:http://a.example/2.xml\nDisallow: /"
    assert named_sitemaps(body) == ["http://a.example/1.xml", "http://a.example/2.xml"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_another_encoding_is_obeyed(encoding: str) -> None:
    body = "User-agent: *\nDisallow: /private\nSitemap: http://x.example/s.xml\n# 规则".encode(encoding)
    rules = RobotsRules(body)
    assert not rules.allowed("http://x.example/private/1", "topicrawl")
    assert rules.allowed("http://x.example/1", "topicrawl")
    assert named_sitemaps(body) == ["http://x.example/s.xml"]


def test_a_page_in_its_place_forbids_nothing() -> None:
    rules = RobotsRules(b"<!DOCTYPE html><html><body>User-agent: *\nDisallow: /\n</body></html>")
    assert rules.allowed("http://x.example/1", "topicrawl")
