"""Which link leads to the next part of an article, and how parts become one text."""

import pytest

from crawler.links.article_parts import may_have_parts, next_part, other_parts
from extractors.links.find import Link
from extractors.page import Page


def links(*pairs: tuple[str, str]) -> list[Link]:
    """Links of (URL, text)."""
    return [Link(url=f"http://s.example{path}", text=text, nofollow=False, place=0) for path, text in pairs]


@pytest.mark.parametrize(
    ("own", "path", "text"),
    [
        ("/a/123.html", "/a/123_2.html", "下一页"),
        ("/a/123_2.html", "/a/123_3.html", "3"),
        ("/a/story", "/a/story/2", "Next page"),
        ("/read?id=7", "/read?id=7&page=2", "下一頁"),
        ("/read?id=7&page=2", "/read?id=7&page=3", "[3]"),
    ],
)
def test_the_next_part(own: str, path: str, text: str) -> None:
    found = next_part(f"http://s.example{own}", links(("/other", "相关"), (path, text)))
    assert found == f"http://s.example{path}"


@pytest.mark.parametrize(
    ("own", "path", "text"),
    [
        ("/a/123.html", "/a/124.html", "下一页"),
        ("/a/123.html", "/a/123_2.html", "另一篇文章"),
        ("/a/123_2.html", "/a/123_2.html", "2"),
        ("/read?id=7", "/read?id=8", "2"),
    ],
)
def test_what_is_no_next_part(own: str, path: str, text: str) -> None:
    assert next_part(f"http://s.example{own}", links((path, text))) == ""


def test_all_other_parts() -> None:
    paging = links(
        ("/a/1.html", "1"), ("/a/1_2.html", "2"), ("/a/1_3.html", "3"), ("/a/1_2.html", "下一页"), ("/b", "4")
    )
    assert other_parts("http://s.example/a/1.html", paging) == {
        "http://s.example/a/1_2.html",
        "http://s.example/a/1_3.html",
    }


def test_lists_have_no_parts() -> None:
    text = "<p>" + "这是一段足够长的文字。" * 30 + "</p>"
    heads = "".join(f'<h2><a href="/{number}">标题{number}</a></h2>{text}' for number in range(4))
    assert may_have_parts(Page(f"<h1>标题</h1>{text}".encode()), "http://s.example/2024/story.html")
    assert not may_have_parts(Page(f"<h1>标题</h1>{text}".encode()), "http://s.example/")
    assert not may_have_parts(Page(f"<h1>标题</h1>{text}".encode()), "http://s.example/tag/story/")
    assert not may_have_parts(Page(heads.encode()), "http://s.example/2024/05/")
