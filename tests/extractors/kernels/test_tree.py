"""A tree read by the compiled extension is the tree that numpy reads."""

import gc
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from extractors.article.blocks import find_blocks
from extractors.article.decay import decay_chunks
from extractors.html.columns import Columns
from extractors.html.flat_tree import FlatTree
from extractors.kernels import state
from extractors.page import Page
from tests.extractors.kernels.test_parity import Tried, watch

native = state().module
pytestmark = pytest.mark.skipif(native is None, reason=f"the compiled extension is not in use: {state().reason}")

ARRAYS = ("tags", "parents", "depths", "ends", "chunk_starts", "chunk_ends", "owners", "spaced", "links")
PIECES = st.sampled_from(
    "<div> </div> <p> <li> <a> <b> </b> <br> <!--c--> <?pi?> <script>x</script> <style> <template> </template> </noembed>"
    " text &nbsp; 中文 \u3000 <table><td> </table> <svg> &unknown; <odd-name> &#x1f600; <x:y> \x85 \x1c".split(" ")
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        ' data-id=12 data-x="1" data-post-id="7&amp;8" dataid=1',
        ' class="a"',
        ' class="b" id=b',
        " id",
        ' href=""',
        " HREF=x",
        ' class="é &amp; 中"',
        ' xml:lang="zh"',
        ' type="application/ld+json"',
    ]
)
SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def assert_alike(root: etree._Element, limit: int) -> None:
    found, wanted = native.NativeFlatTree(root, limit), FlatTree(root, limit)
    for name in ARRAYS:
        ours, theirs = getattr(found, name), getattr(wanted, name)
        assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist()), name
    assert found.texts == wanted.texts
    for name in ("class", "href", "lang"):
        assert found.attribute(name) == wanted.attribute(name)
        assert found.has_attribute(name).tolist() == wanted.has_attribute(name).tolist()
    assert found.sparse(("class", "href", "lang")) == wanted.sparse(("class", "href", "lang"))
    assert found.sparse(("class", "href", "id")) == wanted.sparse(("class", "href", "id"))
    assert found.linked_data() == wanted.linked_data()
    assert all(found.data_ids(place) == wanted.data_ids(place) for place in range(len(wanted.elements)))
    asked = wanted.ends % 3 > 0
    for names in (("class", "id"), ("style", "role"), ("href", "class")):
        (pairs, which), (wanted_pairs, wanted_which) = (flat.pairs(*names, asked) for flat in (found, wanted))
        assert (pairs, which.tolist()) == (wanted_pairs, wanted_which.tolist())
    assert len(found.elements) == len(wanted.elements)
    assert all(ours is theirs for ours, theirs in zip(found.elements, wanted.elements, strict=True))


@given(st.lists(PIECES, max_size=60), st.lists(ATTRIBUTES, min_size=1, max_size=5), st.sampled_from([1, 3, 9, 1_000]))
def test_any_page(pieces: list[str], attributes: list[str], limit: int) -> None:
    given = [attributes[place % len(attributes)].join((piece[:-1], ">")) if piece[0] == "<" and piece[1] not in "/!?" else piece
             for place, piece in enumerate(pieces)]  # fmt: skip
    assert_alike(etree.HTML(f"<html>{''.join(given)}</html>"), limit)


@given(st.recursive(st.sampled_from(["t", " ", "<![CDATA[ c ]]>", "<!-- x -->", "<?p i?>", "&e;"]), lambda inner: st.one_of(
    st.lists(inner, max_size=6).map("".join),
    inner.map(lambda text: f"<n:p n:class='x' class='y' role='&e;'>{text}</n:p>"),
    inner.map(lambda text: f"<p class='&e;z'>{text}</p>")), max_leaves=40), st.booleans())  # fmt: skip
def test_any_tree_parsed_elsewhere(inside: str, resolved: bool) -> None:
    source = f"<!DOCTYPE r [<!ENTITY e 'said'>]><r xmlns:n='urn:n'>{inside}</r>"
    assert_alike(etree.fromstring(source, etree.XMLParser(strip_cdata=False, resolve_entities=resolved)), 1_000)


def test_a_part_of_a_tree_and_elements_of_other_classes() -> None:
    root = html.fromstring("<div><ul><li class=x>a</li> b<li>c</ul> tail <p>d</div>")
    assert_alike(root, 100)
    assert_alike(root[0], 100)
    assert type(native.NativeFlatTree(root, 100).elements[1]) is html.HtmlElement


@pytest.mark.skipif(not SHARED.exists(), reason="the shared pages are not beside this clone")
def test_pages_as_they_are() -> None:
    paths = sorted(SHARED.glob("*/**/*.html*"))[::80]
    assert paths
    for path in paths:
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for limit in (100_000, 500):
            assert_alike(Page(body).root, limit)


@pytest.fixture
def flat() -> Any:
    return native.NativeFlatTree(etree.HTML("<ul>" + "<li><b>x</b> y" * 500 + "</ul>"), 10_000)


def test_elements_are_a_sequence(flat: Any) -> None:
    elements = flat.elements
    tags = [element.tag for element in elements]
    assert tags == ["html", "body", "ul"] + ["li", "b"] * 500
    assert elements[-1].tag == "b"
    assert [element.tag for element in elements[2:5]] == tags[2:5]
    assert elements[np.intp(7)].tag == tags[7]
    for outside in (1_003, -1_004):
        with pytest.raises(IndexError):
            elements[outside]


def test_an_element_is_the_same_one_every_time(flat: Any) -> None:
    first = id(flat.elements[501])
    gc.collect()
    assert id(flat.elements[501]) == first
    assert id(list(flat.elements)[501]) == first


def test_all_may_be_asked_one_by_one() -> None:
    flat = native.NativeFlatTree(etree.HTML("<p>" + "<b>x</b>" * 60_000), 100_000)
    assert {flat.elements[place].tag for place in range(len(flat.elements) - 1, 2, -1)} == {"b"}


def test_a_tree_that_was_changed_does_no_harm(flat: Any) -> None:
    flat.elements[0][0].clear()
    with pytest.raises(LookupError, match="was changed"):
        flat.elements[900]
    with pytest.raises(LookupError, match="was changed"):
        list(flat.elements)
    assert len(flat.attribute("class")) == len(flat.elements)
    assert not flat.has_attribute("class").any()
    assert flat.pairs("class", "id", flat.ends > 0)[0] == [("", "")]


def test_many_different_pairs(flat: Any) -> None:
    page = "".join(f"<i class='{'c' * (place % 40)}{place % 7}' id='{place % 90}é'>x</i>" for place in range(3_000))
    root = etree.HTML(page + "<b id='" + "y" * 5_000 + "'>")
    found, wanted = native.NativeFlatTree(root, 10_000), FlatTree(root, 10_000)
    asked = wanted.depths > 0
    assert found.pairs("class", "id", asked)[0] == wanted.pairs("class", "id", asked)[0]
    assert np.array_equal(found.pairs("class", "id", asked)[1], wanted.pairs("class", "id", asked)[1])
    with pytest.raises(ValueError, match="every element"):
        found.pairs("class", "id", asked[1:])


def test_a_deep_tree() -> None:
    assert_alike(etree.HTML("<div>x" * 2_000, etree.HTMLParser(huge_tree=True)), 100_000)


def test_a_comment_is_no_tree() -> None:
    assert native.NativeFlatTree(etree.Comment("x"), 10).texts == []
    with pytest.raises(TypeError):
        native.NativeFlatTree(None, 10)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_columns_of_any_page(page: str) -> None:
    tried = Tried()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, tried.compare)
        columns = Columns(etree.HTML(f"<html>{page}</html>"))
        for mask in (columns.tagged("div"), columns.tagged("p", "td"), columns.depth > 90):
            columns.within(mask)
        _ = columns.text_length, columns.linked, columns.sibling_group, columns.text(0), find_blocks(columns)
        columns.subtree_chunks(columns.linked)
        decay_chunks(columns)
        decay_chunks(columns, 0.8, 0.3)
    assert {"within", "chunk_sums", "sibling_groups", "join", "between", "edges"} <= set(tried.calls)
    assert not tried.differences


def test_values_for_other_texts_are_refused() -> None:
    columns = Columns(etree.HTML("<p>a<p>b<p>c"))
    with pytest.raises(IndexError):
        columns.subtree_chunks(np.ones(2, np.int64))
    with pytest.raises(ValueError, match="every element"):
        columns.within(np.ones(3, np.bool_))
