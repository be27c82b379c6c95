"""A group that is but a part of the records gives way to the one that holds them all, and to no other."""

import numpy as np
import pytest

from extractors.page import Page
from extractors.records.choose.expand import expand_group
from extractors.records.groups import RecordGroup, find_groups
from extractors.records.groups.features import likely_groups
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group, records_of
from extractors.records.read.model import Record
from extractors.records.signals import page_signals

LINE = (
    '<li class="line"><a class="title" href="/p/{0}">How to repair the pump of model {0}</a>'
    '<a class="author" href="/user/{0}">name{0}</a><span class="date">2026-11-{0} 10:0{1}</span>{2}</li>'
)
PREVIEW = '<div class="preview">The pump of model {0} has a ring that wears out first, so look at that.</div>'
COMMENT = (
    '<div class="comment {2}"><b class="author">name{0}</b> <span class="date">2026-11-{0} 10:0{1}</span>'
    "<p>What number {0} has to say of pumps and rings is this.</p>{3}</div>"
)
_SHOWN = (1, 2, 5, 7)


def lines(*, told: bool = True) -> str:
    """Eight lines of a list, four of them with a preview; the others tell author and time or not."""
    shown = []
    for number in range(8):
        line = LINE.format(10 + number, number, PREVIEW.format(10 + number) if number in _SHOWN else "")
        if not told and number not in _SHOWN:
            line = f'<li class="line"><a class="title" href="/p/{number}">Our offers of week {number} for you</a></li>'
        shown.append(line)
    return f"<ul>{''.join(shown)}</ul>"


def comments() -> str:
    """Four comments of one level, and an answer in each."""
    return "".join(
        COMMENT.format(10 + number, number, "top", COMMENT.format(20 + number, number, "reply", ""))
        for number in range(4)
    )


def from_part(body: str, name: str) -> tuple[RecordGroup, RecordGroup, list[Record]]:
    """The group of this name as it is found on a page, the group to which it expands, and the records of that."""
    page = Page(f"<html><body>{body}</body></html>".encode())
    found = find_groups(page.once(page_signals))
    groups, features = likely_groups(page, found, len(found))
    named = [place for place, value in page.columns.sparse("class").items() if name in value.split()]
    part = RecordGroup(np.array(named), name)
    whole = expand_group(read_group(layout_of(page, part)), groups, features, np.zeros(len(groups), np.float32))
    return part, whole.layout.group, records_of(whole)


@pytest.mark.parametrize(("body", "name"), [(lines(), "preview"), (comments(), "top")])
def test_the_other_records_are_found_too(body: str, name: str) -> None:
    part, _, records = from_part(body, name)
    assert len(part.members) == 4
    assert len(records) == 8
    assert all(record.author and record.time_text for record in records)


def test_answers_with_equal_texts_are_found_too() -> None:
    body = comments().replace("What number 20 has to say", "What number 21 has to say")
    _, _, records = from_part(body, "top")
    assert len(records) == 8


def test_what_tells_no_author_and_no_time_is_left_out() -> None:
    part, whole, _ = from_part(lines(told=False), "preview")
    assert whole is part


def test_a_group_that_is_whole_stays() -> None:
    part, whole, _ = from_part(comments(), "comment")
    assert whole is part
