"""Chosen text reads like the page: tables, code, quotes, lists and captions keep what makes them readable."""

import numpy as np
import pytest
from lxml import etree

from extractors.article import extract
from extractors.article.blocks import Blocks, find_blocks
from extractors.article.body import confidence_of
from extractors.article.plain_text import to_text
from extractors.article.rows_captions import complete_rows, with_captions
from extractors.page import Page

PICTURE = "<img src=a.jpg alt=lake>"


def blocks_of(html: str) -> Blocks:
    return find_blocks(Page(f"<body>{html}".encode()).columns)


def all_text(blocks: Blocks) -> str:
    return to_text(blocks, np.ones(len(blocks), np.bool_))


def holding(blocks: Blocks, *words: str) -> np.ndarray:
    return np.array([any(word in blocks.text(number) for word in words) for number in range(len(blocks))])


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("a = 1<br>b = 2<br><br>c = 3", "a = 1\nb = 2\n\nc = 3"),
        ("<div class=line>a = 1</div><div class=line>b = 2</div>", "a = 1\nb = 2"),
        ("<code><span>if a:</span>\n    <span>b()</span>\n</code>", "if a:\n    b()"),
        ("<ol><li>a = 1</li>\n<li>b = 2</li></ol>", "a = 1\nb = 2"),
        ("<div>{</div>  <span>a: 1</span><div>}</div>", "{\n  a: 1\n}"),
        ("a = 1; b = 2<script>run()</script>; c = 3", "a = 1; b = 2; c = 3"),
    ],
)
def test_code_has_its_lines_and_indentation(code: str, text: str) -> None:
    assert all_text(blocks_of(f"<p>before<pre>{code}</pre><p>after")) == f"before\n{text}\nafter"


def test_code_of_a_tree_with_comments_is_read_behind_them() -> None:
    columns = Page(b"", root=etree.HTML("<p>before<pre>a = 1<!-- no --> + 2</pre>")).columns
    assert all_text(find_blocks(columns)) == "before\na = 1 + 2"


def test_quotes_lists_and_cells_stand_in_order_and_apart() -> None:
    html = (
        "<blockquote>a quote</blockquote>text<ul><li>one<li>two<ol><li>three</ol></ul><dl><dt>term<dd>meaning</dl>"
        "<table><tr><th>name<th>size<tr><td><b>A</b> B<td>3</table>last"
    )
    lines = ["a quote", "text", "one", "two", "three", "term", "meaning", "name\tsize", "A B\t3", "last"]
    assert all_text(blocks_of(html)).splitlines() == lines


def test_words_are_glued_or_parted_as_on_the_page() -> None:
    html = "<p>One<b>two</b> <i>three</i>,<span>four</span>.<br>H<sub>2</sub>O and a<wbr>b,&nbsp;c<div>d</div>e</p>"
    assert all_text(blocks_of(html)) == "Onetwo three,four.\nH2O and ab, c\nd\ne"


TABLE = "<table><tr><th>Village<th>Height<tr><td>Upper<td>12 m<tr><td>Lower<td>3 m</table>"


def test_rows_of_data_are_read_whole_or_not_at_all() -> None:
    blocks = blocks_of(f"<p>text</p>{TABLE}")
    taken = complete_rows(blocks, holding(blocks, "text", "Upper"))
    assert to_text(blocks, taken) == "text\nVillage\tHeight\nUpper\t12 m"
    assert not complete_rows(blocks, np.zeros(len(blocks), np.bool_)).any()


@pytest.mark.parametrize(
    "html",
    [
        f"<table><tr><td>{'main text, long. ' * 30}<td>side bar</table>",
        f"<table><tr><td>main<td>side bar{TABLE}</table>",
        "<table><tr><td>main text<br>side bar</table>",
    ],
)
def test_columns_of_a_layout_are_no_row_of_data(html: str) -> None:
    blocks = blocks_of(html)
    taken = holding(blocks, "main")
    assert (complete_rows(blocks, taken) == taken).all()


CAPTIONED = (
    "<figure>{0}<figcaption>A lake</figcaption></figure>",
    "<div>{0}<p class=wp-caption-text>A lake</p></div>",
    "<table><tr><td>{0}<tr><td class=imageCaption>A lake</table>",
)


@pytest.mark.parametrize("html", CAPTIONED)
def test_captions_of_pictures_as_wanted(html: str) -> None:
    blocks = blocks_of(f"<p>begin</p>{html.format(PICTURE)}<p>end</p>")
    text = holding(blocks, "begin", "end")
    assert to_text(blocks, with_captions(blocks, text, wanted=True)) == "begin\nA lake\nend"
    assert to_text(blocks, with_captions(blocks, ~text | text, wanted=False)) == "begin\nend"


def test_a_caption_outside_of_the_text_is_none_of_it() -> None:
    blocks = blocks_of(f"<p>begin<p>end</p>{CAPTIONED[0].format(PICTURE)}")
    text = holding(blocks, "begin", "end")
    assert (with_captions(blocks, text, wanted=True) == text).all()


def test_an_article_is_asked_for_its_captions() -> None:
    prose = (
        "<p>This paragraph explains at some length, for whoever reads it, what the picture on the page will show.</p>"
    )
    html = f"<article><h1>A title</h1>{prose}{CAPTIONED[0].format(PICTURE)}{prose}</article>".encode()
    assert "A lake" in extract(Page(html), captions=True).text.splitlines()
    assert "A lake" not in extract(Page(html), captions=False).text


def test_a_text_of_nothing_but_spaces_is_no_sure_article() -> None:
    page = Page(b"<html><body><p>\x1f</p></body></html>")
    assert confidence_of(page, " \n ") == 0.0
