"""A page read without a tree is the page that is read from its tree."""

import gzip
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from extractors.article import main_text
from extractors.article.blocks import find_blocks
from extractors.article.body import body_text
from extractors.article.decay import decay_chunks
from extractors.article.plain_text import to_text
from extractors.html.columns import Columns
from extractors.html.flat_tree import FlatTree
from extractors.html.parsing import MAX_DEPTH, MarkupSource
from extractors.html.tags import NOTED, TAG
from extractors.kernels import state
from extractors.links.find import forbids_following
from extractors.links.list_paging import first_page, next_page
from extractors.page import Page, ParseLimits
from extractors.scripted import missing_text
from testbed.shared_data import SHARED
from tests.extractors.kernels.test_parity import Tried, watch

native = state().module
pytestmark = pytest.mark.skipif(
    native is None or native.read_source(None, b"<p>x", 10) is None,
    reason=f"the compiled extension is not in use, or lxml does not show its parser: {state().reason}",
)

ARRAYS = ("tags", "parents", "depths", "ends", "chunk_starts", "chunk_ends", "owners", "spaced", "links")
PIECES = st.sampled_from(
    [
        *"<html> </html> <head> </head> <body> </body> <title> </title> <frameset> <frame> <noframes> </noframes>".split(),
        *"<div> </div> <p> </p> <ul> <li> </ul> <table> <tr> <td> </table> <a> <a/> </a> <b> </b> <br> </br>".split(),
        *"<script> </script> <style> </style> <textarea> </textarea> <iframe> </iframe> <plaintext> <xmp> </xmp>".split(),
        *"<svg> <x:y> <odd-name> <select><option> <pre> </pre> <!--c--> <!doctype html> <?pi?> <![CDATA[c]]>".split(),
        *(
            "text",
            " ",
            "\n",
            "\t\r\n",
            "&nbsp;",
            "&amp;",
            "&unknown;",
            "&#0;",
            "&#x1f600;",
            "中文",
            "\u3000",
            "\x85",
            "\x1c",
        ),
        *(
            "<",
            ">",
            "</",
            "<3",
            "&",
            "<p",
            "<p class=",
            "<html lang=zh class=h>",
            "<body id=b>",
            "<template>",
            "</template>",
        ),
    ]
)
DATA = st.sampled_from(
    ["<script type=application/ld+json>", '<script type="x; ld+json">{"a":1} &amp;</script>', "<p type=ld+json>"]
)
ATTRIBUTES = st.sampled_from(
    [
        *(
            'class="a"',
            "class='b c' id=b",
            "id",
            'href=""',
            "HREF=x",
            'class="é &amp; 中" class=again',
            "class=&lt;&#0;",
        ),
        *(
            'data-id=12 data-x="1" data-post-id="7&amp;8" dataid=1',
            "checked content='x\ny' property",
            "role=main style=/ /",
        ),
    ]
)


def assert_alike(page: str | bytes, limit: int = 100_000) -> None:
    source, parsed = MarkupSource(page), MarkupSource(page)
    found, wanted = native.read_source(source, source.written, limit), FlatTree(parsed.root, limit)
    if found is None:
        assert limit < 100_000 or len(wanted.tags) == 2  # nothing to read: an empty document
        return
    for name in ARRAYS:
        ours, theirs = getattr(found, name), getattr(wanted, name)
        assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist()), name
    assert found.texts == wanted.texts
    assert found.sparse(NOTED) == wanted.sparse(NOTED)
    assert all(found.data_ids(place) == wanted.data_ids(place) for place in range(len(wanted.tags)))
    assert found.linked_data() == wanted.linked_data()
    for name in ("class", "href", "lang"):
        assert found.attribute(name) == wanted.attribute(name)
        assert found.has_attribute(name).tolist() == wanted.has_attribute(name).tolist()
    asked = wanted.ends % 3 > 0
    for names in (("class", "id"), ("style", "role"), ("href", "class")):
        (pairs, which), (wanted_pairs, wanted_which) = (flat.pairs(*names, asked) for flat in (found, wanted))
        assert (pairs, which.tolist()) == (wanted_pairs, wanted_which.tolist())
    unlisted, scripts = (np.flatnonzero(wanted.tags == code).tolist() for code in (0, TAG["script"]))
    assert [found.unlisted_name(place) for place in unlisted] == [wanted.unlisted_name(place) for place in unlisted]
    assert [found.has_script(place) for place in scripts] == [wanted.has_script(place) for place in scripts]
    assert not source.is_parsed
    assert [element.tag for element in found.elements] == [element.tag for element in wanted.elements]


@given(st.lists(st.tuples(st.one_of(PIECES, DATA), st.one_of(st.just(""), ATTRIBUTES)), max_size=60))
@example([("</html>", ""), ("text", ""), ("</html>", ""), ("<p>", "class=a"), ("text", "")])
def test_any_page(pieces: list[tuple[str, str]]) -> None:
    written = (
        f"{piece[:-1]} {attributes}>" if attributes and piece[-1] == ">" and piece[1:2] not in "/!?" else piece
        for piece, attributes in pieces
    )
    assert_alike("".join(written))


@given(st.lists(st.one_of(PIECES, DATA), max_size=60).map("".join))
def test_columns_of_any_page(page: str) -> None:
    tried = Tried()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, tried.compare)
        columns = Columns(MarkupSource(f"<html>{page}</html>"))
        for mask in (columns.tagged("div"), columns.tagged("p", "td"), columns.depth > 90):
            columns.within(mask)
        _ = columns.text_length, columns.linked, columns.sibling_group, columns.text(0), find_blocks(columns)
        columns.subtree_chunks(columns.linked)
        decay_chunks(columns)
        decay_chunks(columns, 0.8, 0.3)
    assert {"within", "chunk_sums", "sibling_groups", "join"} <= set(tried.calls)
    assert not tried.differences


def test_values_for_other_texts_are_refused() -> None:
    columns = Columns(MarkupSource("<p>a<p>b<p>c"))
    with pytest.raises(IndexError):
        columns.subtree_chunks(np.ones(2, np.int64))
    with pytest.raises(ValueError, match="every element"):
        columns.within(np.ones(3, np.bool_))


@given(st.binary(max_size=300))
def test_any_bytes(body: bytes) -> None:
    assert_alike(body)


@pytest.mark.parametrize("limit", [1, 2, 5, 62, 63])
def test_a_page_with_more_elements_is_left_to_the_tree(limit: int) -> None:
    page = "<p>a<!-- x -->b<b>c</b>d</p>" * 30
    assert (native.read_source(None, page.encode(), limit) is None) == (limit < 62)
    assert_alike(page, limit)
    assert len(Page(page.encode(), limits=ParseLimits(elements=limit)).columns) == min(62, limit)


@pytest.mark.parametrize("depth", [MAX_DEPTH - 10, MAX_DEPTH + 10])
def test_a_deep_page_keeps_all_of_its_text(depth: int) -> None:
    page = Page(("<div>x" * depth).encode())
    assert sum(map(len, page.columns.texts)) >= depth
    assert page.columns.texts == FlatTree(page.root, 100_000).texts


def test_the_tree_is_not_made_for_text_and_is_the_pages_own_when_asked_for() -> None:
    page = Page(b"<html lang=en><meta name=description content=all><p class=a>one<p>two<b id=c>three")
    assert page.columns.value(2, "content") == "all"
    assert page.columns.names[0] == [("", ""), ("a", ""), ("", "c")]
    assert not page._source.is_parsed
    assert page.columns.elements[0] is page.root
    assert page.columns.value(0, "lang") == "en"
    with pytest.raises(IndexError):
        page.columns.value(99, "lang")
    with pytest.raises(ValueError, match="every element"):
        page.columns.pairs("class", "id", np.ones(2, np.bool_))


def test_a_crawl_reads_a_page_without_its_tree() -> None:
    article = "<p>昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。</p>" * 9
    page = Page(
        f"<html lang=zh><title>会议</title><meta name=date content=2024-05-01><link rel=canonical href=/a><odd-name>{article}"
        "</odd-name><a href=/b><img alt=图></a><a rel=author href=/u>张三 <b>记者</b></a><pre>x\n y</pre><script>x</script>".encode(),
        "http://a.example/a?page=2",
    )
    assert (page.article.language, page.article.published, page.article.author) == ("zh", "2024-05-01", "张三 记者")
    assert [link.text for link in page.links] == ["图", "张三 记者"]
    assert page.records.records == ()
    read = missing_text, next_page, first_page, forbids_following
    assert [function(page) for function in read] == ["", "", "http://a.example/a", False]
    assert not page._source.is_parsed


def test_what_is_parsed_already_is_not_read_again() -> None:
    page = Page(b"<p>one")
    page.root[0][0].text = "two"
    assert page.columns.texts == ["two"]


def test_many_different_pairs() -> None:
    page = "".join(f"<i class='{'c' * (place % 40)}{place % 7}' id='{place % 90}é'>x</i>" for place in range(3_000))
    assert_alike(page + "<b id='" + "y" * 5_000 + "'>")


def test_long_texts_and_many_attributes() -> None:
    page = (
        "<p>"
        + "x &amp; y <br>" * 3_000
        + "z" * 100_000
        + "<b "
        + "".join(f"data-{n}-id={n} " for n in range(900))
        + ">"
    )
    assert_alike(page)
    assert_alike(f"<p class='{'c' * 200_000}' id='{'é' * 50_000}'>x")


@pytest.mark.shared
def test_pages_as_they_are() -> None:
    paths = [path for path in (SHARED / "data").rglob("*.html*") if crc32(path.stem.encode()) % 40 == 0]
    assert paths
    for path in paths:
        page: Any = Page(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        assert_alike(page._source.written)


def test_the_text_is_that_of_the_tree() -> None:
    body = b"<title>t</title><p>" + b"A sentence of the article, which goes on. " * 20 + b"</html>  <p>behind <b>it</b>"
    page = Page(body)
    from_tree = Columns(page.root)
    assert from_tree.texts == Page(body).columns.texts
    assert main_text(body) == body_text(Page(body, root=page.root))


CODE = st.sampled_from(
    [
        *"<pre> </pre> <b> </b> <br> <div> </div> <span> </span> <td> <tr> <table> </table> <script> </script>".split(),
        *("<!--c-->", "  ", "\n", "\n\n    ", "x = 1", " y\n", "\t", "&#160;", "中", "\u3000", "<svg>", "<p>", "</p>"),
    ]
)


@given(st.lists(CODE, max_size=40).map("".join))
def test_code_is_written_as_in_the_tree(inside: str) -> None:
    body = f"<p>before<pre>{inside}".encode()
    parsed = Page(body)
    assert parsed.root is not None
    assert whole_text(Page(body)) == whole_text(parsed)


def whole_text(page: Page) -> str:
    blocks = find_blocks(page.columns)
    return to_text(blocks, np.ones(len(blocks), np.bool_))
