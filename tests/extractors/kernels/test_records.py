"""Groups are measured and records are read the same by machine code and by numpy."""

import gzip
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.kernels import state, turned_off
from extractors.page import Page
from extractors.records import Record, extract, layout_records, leafpath_records
from extractors.records.candidates import find_groups
from extractors.records.hints import compared_names
from extractors.records.signals import Signals
from extractors.records.sums import Sums

pytestmark = pytest.mark.skipif(state().module is None, reason=f"machine code is not in use: {state().reason}")

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "records"
NOW = datetime(2026, 11, 22, tzinfo=UTC)
SAID = "The kettle was changed again and nobody has told us"
PIECES = st.sampled_from(
    [
        *("<div class=post id=p1>", "<div class='post odd' id=p22>", "<div class=content>", "<div>", "</div>", "</div>"),
        *("<li class=comment>", "<li>", "<ul>", "</ul>", "<tr>", "<td class=c>", "<th>", "<table>", "</table>", "<article>"),
        *("<a href=/u/1 class=author>Jane</a>", "<a class=user href=/user/2>bob</a>", "<a href=/t/3.html>Which kettle?</a>"),
        *("<h3><a href='/t/4.html'>Another title here</a></h3>", "<b>Reply</b>", "by", "作者：", "<blockquote>", "</blockquote>"),
        *("2024-05-01 10:00", "<time datetime=2024-05-02>", "3 hours ago", "昨天 12:30", "Joined 2020-01-01", "12/345", "#3"),
        *(SAID, f"<p>{SAID}", "昨天下午，市政府召开会议，讨论了今年的计划", "5 replies", "<span class=views>17</span>", "12", "x"),
        *("<div itemtype='http://schema.org/Comment'>", "<form>", "</form>", "<div class=signature>", "<div class=quote>"),
    ]
)  # fmt: skip


def assert_alike(body: bytes) -> None:
    found = numbers(body), extract(Page(body, "http://b.example/t/1.html", fetched_at=NOW)), published(body)
    with turned_off():
        wanted = numbers(body), extract(Page(body, "http://b.example/t/1.html", fetched_at=NOW)), published(body)
    assert len(found[0]) == len(wanted[0])
    for ours, theirs in zip(found[0], wanted[0], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert found[1:] == wanted[1:]


def published(body: bytes) -> list[Record]:
    """What two other methods find, whose groups have elements of any kind; without times, which they tell by the clock."""
    found = (
        *layout_records(body, url="http://b.example/t/1.html"),
        *leafpath_records(body, url="http://b.example/t/1.html"),
    )
    return [replace(record, time="", last_time="", last_time_text="") for record in found]


def numbers(body: bytes) -> list[np.ndarray]:
    """What a page's groups add up to."""
    columns = Page(body).columns
    groups = find_groups(signals := Signals(columns)) if columns.texts else []
    if not groups:
        return []
    sums = Sums([group.members for group in groups], signals)
    return [*sums.looks.values(), *sums.insides.values(), sums.own, sums.around, sums.tops]


@given(st.lists(PIECES, min_size=5, max_size=40), st.integers(1, 4))
def test_any_page(pieces: list[str], times: int) -> None:
    assert_alike((" ".join(pieces) * times).encode())


NAMES = st.lists(
    st.sampled_from("post p12 ３ odd -a_1- Σ É col-8 \u3000 even-row id_7_ Post".split()), max_size=10
).map(" ".join)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=5))
def test_any_names(names: list[tuple[str, str]]) -> None:
    found = compared_names(names)
    with turned_off():
        assert found == compared_names(names)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared pages are not beside this clone")
def test_pages_as_they_are() -> None:
    paths = sorted(SHARED.rglob("*.html.gz"))[::9]
    assert paths
    for path in paths:
        assert_alike(gzip.decompress(path.read_bytes()))
