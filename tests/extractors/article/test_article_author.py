"""Who wrote an article: what is declared, what is shown, and which of several counts."""

import time

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


@pytest.mark.parametrize("line", ["By Jane Miller", "Von Jane Miller", "<span>5 May 2024</span></p><p>By Jane Miller"])
def test_the_byline_beside_the_title_counts_before_who_published_the_text(line: str) -> None:
    assert author(meta("author", "Tom Roe"), f"<p>{line}</p>") == "Jane Miller"


@pytest.mark.parametrize("line", ["By The Town Post", "By Tom Roe", "By Tom W. Roe", "A talk with Jane Miller"])
def test_other_lines_beside_the_title_leave_the_declared_author(line: str) -> None:
    declared = meta("author", "Tom Roe") + meta("og:site_name", "The Town Post")
    assert author(declared, f"<p>{line}</p>") == "Tom Roe"


def test_a_byline_under_the_title_counts_before_the_author_of_another_story() -> None:
    other = "<div><h3>Hills</h3><span class='author'>Tom Roe</span></div>"
    source = f"<title>River</title>{other}<h1>River</h1><p>By Jane Miller @jmiller</p>{TEXT}"
    assert Page(source.encode(), "https://www.town-post.example/1.html").article.author == "Jane Miller"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<h3>Written by Jane Miller</h3><p>Jane Miller lives beside the river.</p>", "Jane Miller"),
        ("<p>This post was written by Jane Miller, head of the office.</p>", "Jane Miller"),
        ("<h3>Article by</h3><div>Jane Miller</div>", "Jane Miller"),
        ("<p>Geschrieben von <a href='/u/7'>Cooper</a></p>", "Cooper"),
        ("<p>Rédigé par Jane Miller</p>", "Jane Miller"),
        ("<div>作者：宋怡 杨志华</div>", "宋怡 杨志华"),
        ("<h3>Author:</h3><p>Jane Miller</p>", "Jane Miller"),
        ("<p><b>Text:</b> Jane Miller</p>", ""),
        ("<p><b>Text &amp; Fotos:</b> Jane Miller</p>", "Jane Miller"),
        ("<p><a href='/author/jane/'>All articles by Jane Miller</a></p>", "Jane Miller"),
        ("<a href='/author/jane'>Jane Miller</a> <a href='/author/jane/'>Jane Miller</a>", "Jane Miller"),
        ("<a href='/author/jane'>Jane Miller</a> <a href='/author/tom'>Tom Roe</a>", ""),
        ("<p>written by the people of the town</p>", ""),
        ("<aside><p>Written by Jane Miller</p></aside>", ""),
        ("<p>作者：未知</p>", ""),
    ],
)
def test_words_that_name_the_author_far_from_the_title(line: str, expected: str) -> None:
    source = f"<title>River</title><h1>River</h1>{TEXT * 8}{line}"
    assert Page(source.encode(), "https://www.town-post.example/1.html").article.author == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("（张巨峰）", "张巨峰"),
        ("（张巨 王小峰）", "张巨 王小峰"),
        ("（常书香 马丹阳 ）", "常书香 马丹阳"),
        ("（姚峰 上海报道）", "姚峰"),
        ("（全文完）", ""),
        ("（高清图）", ""),
        ("（张小峰摄）", ""),
        ("（方法）", ""),
    ],
)
def test_a_name_in_brackets_ends_chinese_news(end: str, expected: str) -> None:
    text = f"<p>{'河水在夜里上涨了两米，天亮时下城已经全部没入水中。' * 6}{end}</p>"
    source = f"<title>洪水夜袭下城</title><h1>洪水夜袭下城</h1>{text}"
    assert Page(source.encode(), "https://www.town-post.example/1.html").article.author == expected


LD = '<script type="application/ld+json">{}</script>'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('{"@type": "Recipe", "name": "Soup", "author": {"@type": "Person", "name": "Jane Miller"}}', "Jane Miller"),
        ('[{"@type": "WebPage"}, {"@type": "HowTo", "author": "Jane Miller"}]', "Jane Miller"),
        ('//<![CDATA[\n{"@type": "Article", "author": "Jane Miller"}\n//]]>', "Jane Miller"),
        ('<![CDATA[ {"@type": "Article", "author": "Jane Miller"} ]]>', "Jane Miller"),
        ('<!-- {"@type": "Article", "author": "Jane Miller"} -->', "Jane Miller"),
    ],
)
def test_json_ld_of_other_works_and_between_marks_of_xhtml(data: str, expected: str) -> None:
    assert author(LD.replace("{}", data)) == expected


@pytest.mark.parametrize("letter", [" ", "/"])
def test_a_long_script_that_only_begins_with_a_mark_takes_no_time(letter: str) -> None:
    begun = time.process_time()
    assert (
        author(LD.replace("{}", f"<![CDATA[{letter * 400_000}x"), "<p class='author'>Jane Miller</p>") == "Jane Miller"
    )
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("kind", ['"Person"', '["Person", "Organization"]'])
def test_a_person_who_is_the_publisher_is_the_author(kind: str) -> None:
    owner = f'{{"@type": {kind}, "name": "Jane Miller"}}'
    data = f'{{"@type": "Article", "author": {owner}, "publisher": {owner}}}'
    assert author(LD.replace("{}", data), "<p class='author'>Tom Roe</p>") == "Jane Miller"


def test_an_address_for_mail_is_the_last_choice() -> None:
    assert author(meta("author", "j.miller@town-post.example"), "<p class='author'>Jane Miller</p>") == "Jane Miller"
    assert author(meta("author", "j.miller@town-post.example")) == "j.miller@town-post.example"


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
