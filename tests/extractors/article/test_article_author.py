"""Who wrote an article: what is declared, what is shown, and which of several counts."""

import pytest

from extractors.article.kinds import PageKind, find_kind
from extractors.page import Page

TEXT = "<p>The river was cleaned in the spring, and the banks were planted with trees by the town.</p>" * 8


def author(head: str = "", byline: str = "", host: str = "www.town-post.example") -> str:
    source = f"<html><head><title>River</title>{head}</head><body><h1>River</h1>{byline}{TEXT}</body></html>"
    return Page(source.encode(), f"https://{host}/2024/05/06/1.html").article.author


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    "line",
    [
        "Written by:Jane Miller",
        "ByJane Miller",
        "by Jane Miller ● May 6, 2024 ● 6 min read",
        "3 minutes ⋅ By Jane Miller ⋅ Founder",
        "Written by</p><p>Jane Miller",
        "Author:</p><p>Jane Miller",
        "Von</p><p>Jane Miller",
    ],
)
def test_lines_that_name_the_author(line: str) -> None:
    assert author(byline=f"<p>{line}</p>") == "Jane Miller"


@pytest.mark.parametrize("line", ["ByteDance Grows", "By</p><p>the river there are many trees", "Written by"])
def test_lines_that_name_nobody(line: str) -> None:
    assert author(byline=f"<p>{line}</p>") == ""


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (meta("twitter:label1", "Verfasst von") + meta("twitter:data1", "Jane Miller"), "Jane Miller"),
        (meta("twitter:label2", "Written by") + meta("twitter:data2", "Jane Miller"), "Jane Miller"),
        (meta("twitter:label1", "Reading time") + meta("twitter:data1", "2 minutes"), ""),
        (meta("acme:article_author_name", "Jane Miller"), "Jane Miller"),
        (meta("citation_author", "Miller, Jane"), "Jane Miller"),
        (meta("author", "Jane Miller") + meta("article:author_name", "Jane Miller, Tom Roe"), "Jane Miller, Tom Roe"),
        (meta("author", "Jane Miller") + meta("article:author_name", "Jane Millerson"), "Jane Miller"),
        (meta("author", ", ".join(["Jane Miller"] * 12)), ", ".join(["Jane Miller"] * 12)),
        (meta("author", "word " * 60), ""),
        (meta("author", "miller's blog"), "miller"),
        (meta("author", "小河的博客"), "小河"),
    ],
)
def test_declared_authors(head: str, expected: str) -> None:
    assert author(head) == expected


@pytest.mark.parametrize("declared", ["Administrator", "NOC Admin", "jane.miller", "janemiller", "Town Post"])
def test_a_person_who_is_shown_counts_before_an_account_and_a_house(declared: str) -> None:
    assert author(meta("author", declared), "<p>By Jane Miller</p>") == "Jane Miller"
    assert author(meta("author", declared)) == declared


def test_the_account_of_another_person_is_kept() -> None:
    assert author(meta("author", "tomroe"), "<p>By Jane Miller</p>") == "tomroe"


def test_a_person_in_a_line_counts_before_a_house_in_the_markup() -> None:
    assert (
        author(byline="<span class='author'>The Town Post</span><p>By Jane Miller</p>", host="thetownpost.example")
        == "Jane Miller"
    )


POSTS = "".join(
    f"<div class='post'><a class='author' href='/u/{n}'>{name}</a><span class='date'>2026-11-0{n + 1} 10:00</span>"
    f"<div class='content'><p>{'We talked of this at length today. ' * 3}No. {n}.</p></div></div>"
    for n, name in enumerate(("walker2024", "roe", "miller", "hill", "stone", "brook"))
)


@pytest.mark.parametrize(
    ("head", "byline", "expected"),
    [
        ("", "", "walker2024"),
        ("", "<p>Asked by <a rel='author' href='/u/9'>Jane Miller</a></p>", "Jane Miller"),
        (
            '<script type=\'application/ld+json\'>{"@type": "DiscussionForumPosting", "author": {"name": "rivers99"}}</script>',
            "",
            "rivers99",
        ),
    ],
)
def test_who_began_a_thread(head: str, byline: str, expected: str) -> None:
    source = f"<title>Rivers - forum</title>{head}<h1>Rivers</h1>{byline}<div id=posts>{POSTS}</div>"
    page = Page(source.encode(), "http://forum.example/thread-1-1.html").having_read(
        {find_kind: PageKind("thread", 1.0)}
    )
    assert page.article.author == expected
