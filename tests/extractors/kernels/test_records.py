"""Both forms of the kernels of records give equal values on any markup of threads and lists."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.page import Page
from extractors.records import extract, layout_records, leafpath_records
from extractors.records.signals.class_names import _MAX_TOKENS, _STATE
from tests.extractors.kernels.both_forms import needs_extension, of_both
from tests.extractors.kernels.test_parity import Tried, watch

pytestmark = needs_extension

NOW = datetime(2026, 11, 22, tzinfo=UTC)
URL = "http://b.example/t/1.html"
TEXT = "The kettle was changed again and nobody has told us"
PIECES = st.sampled_from(
    [
        *("<div class=post id=p1>", "<div class='post odd' id=p22>", "<div class=content>", "<div>", "</div>", "</div>"),
        *("<li class=comment>", "<li>", "<ul>", "</ul>", "<tr>", "<td class=c>", "<th>", "<table>", "</table>", "<article>"),
        *("<a href=/u/1 class=author>Jane</a>", "<a class=user href=/user/2>bob</a>", "<a href=/t/3.html>Which kettle?</a>"),
        *("<h3><a href='/t/4.html'>Another title here</a></h3>", "<b>Reply</b>", "by", "作者：", "<blockquote>", "</blockquote>"),
        *("2024-05-01 10:00", "<time datetime=2024-05-02>", "3 hours ago", "昨天 12:30", "Joined 2020-01-01", "12/345", "#3"),
        *(TEXT, f"<p>{TEXT}", "昨天下午，市政府召开会议，讨论了今年的计划", "5 replies", "<span class=views>17</span>", "12", "x"),
        *("<div itemtype='http://schema.org/Comment'>", "<form>", "</form>", "<div class=signature>", "<div class=quote>"),
    ]
)  # fmt: skip


@given(st.lists(PIECES, min_size=5, max_size=40), st.integers(1, 4))
def test_any_page(pieces: list[str], times: int) -> None:
    tried, body = Tried(), (" ".join(pieces) * times).encode()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, tried.compare)
        extract(Page(body, URL, fetched_at=NOW))
        for published in (layout_records, leafpath_records):  # their groups have elements of any kind
            published(body, url=URL)
    assert not tried.differences


NAMES = st.lists(
    st.sampled_from("post p12 ３ odd -a_1- Σ É col-8 \u3000 even-row id_7_ Post".split()), max_size=10
).map(" ".join)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=5))
def test_any_names(names: list[tuple[str, str]]) -> None:
    of_both("compared_names", names, _STATE, _MAX_TOKENS)


LETTERS = st.text(
    st.one_of(st.sampled_from("昨天、aAzZ@[`{ÀΣσİıKⅠⒶꙀꙁＡＺａ＠［가힣\u2e80\ufffe𐐀 "), st.characters()), max_size=60
)


@given(st.lists(LETTERS, max_size=6))
def test_any_letters(texts: list[str]) -> None:
    found = of_both("index_texts", texts, 40)
    assert all(ord(max(text, default=" ")) > 127 or text.isascii() for text in found[0])


@given(st.lists(st.tuples(st.integers(0, 7), st.booleans(), st.integers(-1, 5)), min_size=1, max_size=12), st.data())
def test_elements_without_text_or_record_name_nobody(chunks: list[tuple[int, bool, int]], data: st.DataObject) -> None:
    """Chunks of no record (−1) or of none that is known, and elements behind the last chunk, are left out by both forms."""
    places = np.arange(len(chunks), dtype=np.intp)
    starts = [0, *sorted(data.draw(st.sets(st.integers(1, len(chunks) - 1)) if len(chunks) > 1 else st.just(set())))]
    first = np.array([min(chunk, len(chunks)) for chunk, _, _ in chunks], dtype=np.int32)
    usable = np.array([flag for _, flag, _ in chunks])
    owner = np.array([number for _, _, number in chunks], dtype=np.intp)
    found = of_both("first_of_kinds", places, np.array(starts, dtype=np.intp), usable, owner, first, 4, 0.15)
    assert ((found[1] >= 0) & (found[1] < 4)).all()
