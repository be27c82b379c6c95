"""Any bytes make a page; columns say what the tree says; bounds hold; time is linear."""

import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from extractors.html.columns import Columns
from extractors.html.parsing import MAX_ATTRIBUTES
from extractors.page import Page, ParseLimits

PIECES = st.sampled_from(
    "<div> </div> <p> </p> <li> <ul> </ul> <table> <td> <tr> <b> </b> <a href=/x> </a> <br> <!-- --> <?pi ?> <script> "
    "</script> <noscript> </noscript> <form> <body> <html> </body> <![CDATA[ ]]> < > & &amp; &#0; 中文 text <svg> "
    "<pre> "
    "<textarea> <select><option> <frameset> \x00 \xff <x-y> <title> <h1>".split(" ")
)
MARKUP = st.lists(PIECES, max_size=60).map(" ".join)


def page(html: str, **kwargs: str) -> Page:
    return Page(html.encode(), "http://example.org/a/b.html", **kwargs)


@given(st.binary(max_size=2000))
def test_any_bytes_make_a_page(body: bytes) -> None:
    columns = Page(body).columns
    assert len(columns) >= 1
    columns.text(0)


@given(MARKUP)
def test_columns_agree_with_the_tree(html: str) -> None:
    columns = page(html).columns
    number = {element: place for place, element in enumerate(columns.elements)}
    for place, element in enumerate(columns.elements):
        parent = element.getparent()
        assert columns.parent[place] == (-1 if parent is None else number[parent])
        below = [child for child in element.iter() if isinstance(child.tag, str)]
        assert columns.end[place] - place == len(below)
        assert columns.depth[place] == len(list(element.iterancestors()))
        text = "".join(columns.texts[chunk] for chunk in range(columns.chunk_start[place], columns.chunk_end[place]))
        assert text.split() == _text_of(element).split() or "".join(text.split()) == "".join(_text_of(element).split())
        assert columns.text_length[place] == sum(map(len, _text_of(element).replace("\x1c", " ").split()))


def _text_of(element: etree._Element) -> str:
    if element.tag in ("script", "style", "template", "noembed"):
        return ""
    return (element.text or "") + "".join(_text_of(child) + (child.tail or "") for child in element)


@given(MARKUP)
def test_sums_over_subtrees_are_sums_over_their_parts(html: str) -> None:
    columns = page(html).columns
    values = np.arange(len(columns))
    mask = values % 3 == 1
    for place in range(len(columns)):
        assert columns.subtree(values)[place] == values[place : columns.end[place]].sum()
        above = {place}
        while columns.parent[min(above)] >= 0:
            above.add(int(columns.parent[min(above)]))
        assert columns.within(mask)[place] == any(mask[list(above)])
        assert columns.has_below(mask)[place] == mask[place : columns.end[place]].any()


def test_counts_by_kind() -> None:
    columns = page("<p>中文，Ab 12。").columns
    counts = {
        kind: int(columns.counts(kind)[0]) for kind in ("visible", "cjk", "letter", "digit", "stop", "comma", "upper")
    }
    assert counts == {"visible": 8, "cjk": 2, "letter": 4, "digit": 2, "stop": 1, "comma": 1, "upper": 1}


def test_text_has_lines_cells_and_no_glued_words() -> None:
    html = (
        "<h1>T</h1><p>one <b>two</b> <i>three</i>,four<br>five<div>six</div>seven<table><tr><td>a<td>b<tr><td>c</table>"
    )
    assert page(html).columns.text(0) == "T\none two three,four\nfive\nsix\nseven\na\tb\nc"


def test_scripts_and_comments_are_no_text_but_what_follows_them_is() -> None:
    columns = page("<p>a<script>x()</script>b<!-- c -->d<style>e{}</style>f</p>").columns
    assert "".join(columns.texts) == "abdf"


def test_a_tree_parsed_elsewhere_is_taken_with_its_comments() -> None:
    root = etree.HTML("<div>a<!-- no -->b<?pi?>c</div>")
    columns = Page(b"", root=root).columns
    assert [element.tag for element in columns.elements] == ["html", "body", "div"]
    assert "".join(columns.texts) == "abc"


def test_link_text_counts_only_links_with_a_target() -> None:
    columns = page("<div>ab<a href=/x>cd<b>e</b></a><a name=y>fg</a></div>").columns
    assert columns.link_length[columns.tagged("div")] == [3]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>one<li>two<li>three</ul><p>after", "one\ntwo\nthree\nafter"),
        ("<head><noscript><div>post</div></noscript></head><p>after", "post\nafter"),
        ("<p>before</body></html><p>after", "before\nafter"),
        ("<table><tr><td>a<table><tr><td>b</table></table>c", "a\nb\nc"),
        ("<a href=x>one<div>two</div>three</a>", "one\ntwo\nthree"),
        ("<p>a\x00b</p><form><p>c</form></p>d", "ab\nc\nd"),
    ],
)
def test_broken_markup_loses_no_content(html: str, text: str) -> None:
    assert page(html).columns.text(0) == text


def test_a_page_nested_deeper_than_the_parser_goes_keeps_its_text() -> None:
    columns = page("<font>" * 5000 + "<p>deep</p>" + "<div>" * 5000 + "deeper" + "<p>last").columns
    assert columns.depth.max() < 300
    assert columns.text(0).split() == ["deep", "deeper", "last"]


def test_limits_bound_what_is_read() -> None:
    assert len(Page(b"<p>x" * 1000, limits=ParseLimits(elements=100)).columns) == 100
    assert len(Page(b"<p>xyz " * 1000, limits=ParseLimits(size=70)).columns.texts) == 10


def test_base_url() -> None:
    assert page("<base href='/c/'>").base_url == "http://example.org/c/"
    assert page("<base href='http://[bad'><p>").base_url == "http://example.org/a/b.html"


def test_nothing_is_computed_twice() -> None:
    one = page("<p>x")
    assert one.columns is one.columns
    assert isinstance(one.columns, Columns)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div>" * n,
        lambda n: b"<p>text <b>bold</b>" * (n // 3),
        lambda n: b"<a href=x><table><li>" * (n // 4),
        lambda n: b"<meta charset=" * (n // 2),
        lambda n: b"<" * 5 * n,
        lambda n: b"\xc4\xe3\xff" * n,
        lambda n: b"&#x4e2d;" * n,
        lambda n: b"<div " + b"".join(b"a%d=b " % number for number in range(n)) + b">x",
    ],
)
def test_time_is_linear_in_size(make: Callable[[int], bytes]) -> None:
    def cost(n: int) -> float:
        body, start = make(n), time.process_time()
        Page(body).columns.text(0)
        return time.process_time() - start

    cost(1000)
    assert cost(80_000) < 40 * max(cost(10_000), 0.01)


def test_a_page_of_very_many_tags_is_read_up_to_a_bound() -> None:
    page = Page(b"<html><body><p>first</p>" + b'<a href="/x">x</a>' * 200_000 + b"<p>last</p>", "http://a.example/")
    assert page.columns.texts[0] == "first"
    assert sum(1 for _ in page.root.iter()) < 130_000


def test_an_element_of_very_many_attributes_keeps_the_first_and_its_text() -> None:
    attributes = " ".join(f'a{number}="{number} > 1"' for number in range(20_000))
    columns = page(f"<div class=first {attributes} id=last>text</div><p class=next>after").columns
    (element,) = (element for element in columns.elements if element.tag == "div")
    assert element.get("class") == "first"
    assert element.get("id") is None
    assert len(element.attrib) <= MAX_ATTRIBUTES
    assert columns.text(0) == "text\nafter"


def test_a_long_attribute_is_kept() -> None:
    columns = page(f'<img src="data:{"x" * 100_000}" alt=a><p>text').columns
    (image,) = (element for element in columns.elements if element.tag == "img")
    assert len(image.get("src")) > 100_000
    assert image.get("alt") == "a"
