"""What stands among results and is none."""

import pytest

from crawler.engines.protocol.engine import Reply
from crawler.engines.protocol.rules import HtmlRules
from crawler.engines.protocol.strays import leads_to_result

BASE = "https://www.engine.example/search?q=x"
RULES = HtmlRules(block=".g", link="h3 a", snippet=".s", date=".d")


def read(body: str) -> list[str]:
    return [result.url for result in RULES.read(Reply(BASE, 200, f"<body>{body}</body>".encode()))]


@pytest.mark.parametrize(
    ("url", "leads"),
    [
        ("https://a.example/", True),
        ("https://www.engine.example/link?url=abc", True),
        ("https://www.engine.example/baike/x", True),
        ("https://news.engine.example/search?q=x", True),
        ("https://www.engine.example/search?q=y", False),
        ("https://www.engine.example/images/?q=x", False),
        ("https://www.engine.example/", False),
        ("javascript:void(0);", False),
        ("mailto:a@b.example", False),
        ("https://", False),
        ("https://[x/", False),
    ],
)
def test_addresses(url: str, leads: bool) -> None:
    assert leads_to_result(url, BASE) is leads


def test_the_first_link_that_leads_anywhere_is_the_result() -> None:
    body = (
        "<div class=g><h3><a href='javascript:void(0);'>Open</a> <a href='https://a.example/1'>A title</a></h3></div>"
    )
    assert read(body) == ["https://a.example/1"]
    assert read("<div class=g><h3><a href='javascript:void(0);'>A title</a></h3></div>") == []


def test_sitelinks_and_carousels_are_no_results() -> None:
    nested = "<div class=g><h3><a href='https://a.example/about'>About</a></h3></div>"
    inner = f"<div class=g><h3><a href='https://a.example/'>A title</a></h3><p class=s>Words</p>{nested}</div>"
    named = "<div class='g sitelinks'><h3><a href='https://a.example/contact'>Contact</a></h3></div>"
    videos = "<div class=g><g-scrolling-carousel><h3><a href='https://v.example/1'>A video</a></h3></g-scrolling-carousel></div>"
    other = "<div class=g><h3><a href='https://b.example/'>Another</a></h3></div>"
    assert read(inner + named + videos + other) == ["https://a.example/", "https://b.example/"]


def test_a_block_around_results_is_only_a_wrapper() -> None:
    blocks = "".join(f"<div class=g><h3><a href='https://h{n}.example/'>Title {n}</a></h3></div>" for n in range(3))
    assert read(f"<div class=g>{blocks}</div>") == [f"https://h{n}.example/" for n in range(3)]
