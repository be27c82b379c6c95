"""Parts of lines that were taken for records."""

import numpy as np

from extractors.html.document import Document
from extractors.records.choose.two_rows import lines_of_parts
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import RecordReading, read_group


def _read(body: str) -> RecordReading:
    """All elements of the class `part` as one group."""
    page = Document(f"<html><body>{body}</body></html>".encode(), "http://forum.example/")
    places = [place for place, name in enumerate(page.columns.attribute("class")) if "part" in name]
    return read_group(layout_of(page, RecordGroup(np.array(places, dtype=np.intp), "")))


def _line(number: int, beside: str) -> str:
    title = f"<h4><a href=/topic/{number}>Which varnish is best for mast number {number}?</a></h4> <span>{number} Nov 2026</span>"
    return f"<li><div class='part subject'>{title}</div> <div class='part newest'>{beside}</div></li>"


def test_a_title_and_the_last_answer_beside_it_are_one_line() -> None:
    answers = [
        f"<span>{number + 1} Nov 2026</span><p>Two thin coats last {number} years.</p>" for number in range(1, 7)
    ]
    whole = lines_of_parts(_read("".join(_line(number, answer) for number, answer in enumerate(answers, 1))))
    assert len(whole.drafts) == len(answers)
    assert [draft.title[-9:] for draft in whole.drafts] == [f"number {number}?" for number in range(1, 7)]
    assert [draft.time for draft in whole.drafts] == [f"2026-11-0{number}" for number in range(1, 7)]


def test_two_titles_in_a_row_stay_two_records() -> None:
    others = [f"<h4><a href=/topic/9{number}>Moorings {number} free from April on</a></h4>" for number in range(1, 7)]
    parts = _read("".join(_line(number, other) for number, other in enumerate(others, 1)))
    assert lines_of_parts(parts) is parts


def test_posts_in_one_element_stay_records() -> None:
    posts = [
        f"<div class='part {kind}'><b>Nele</b><p>Two coats last {kind} years.</p></div>" for kind in ("odd", "even") * 4
    ]
    parts = _read("".join(posts))
    assert lines_of_parts(parts) is parts
