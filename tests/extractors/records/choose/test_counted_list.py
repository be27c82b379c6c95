"""A list of threads without authors is known by its labelled numbers of replies."""

import numpy as np
import pytest

from extractors.html.tags import TAG
from extractors.page import Page
from extractors.records import find_records
from extractors.records.choose.counted_list import is_counted_list, is_viewed_list
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group

TITLES = (
    "Why does the small pump make a strange noise",
    "My neighbour repaired his own boiler",
    "The bread never rises properly",
    "Every second photo turns out too dark",
    "The train from Leeds stops for ages",
    "Our old dog refuses the stairs",
)


def page(cell: str, age: str = "{}.5 days ago") -> bytes:
    """A table of lines with an age, a title, and a cell with a number."""
    rows = "".join(
        f"<tr><td>{age.format(60 + number)}</td><td><a href='/thread/{number}a{number}'>{title}</a></td>"
        f"<td>{cell.format(3 + 2 * number)}</td></tr>"
        for number, title in enumerate(TITLES)
    )
    menu = "<a href='/home'>Home</a><a href='/code'>Code</a>"
    return f"<html><body><div>{menu}</div><div><h1>Most recent</h1><table>{rows}</table></div></body></html>".encode()


def is_counted(body: bytes) -> bool:
    """Whether the rows of the page's table are such a list."""
    made = Page(body)
    rows = np.flatnonzero(made.columns.tag == TAG["tr"])
    return is_counted_list(read_group(layout_of(made, RecordGroup(rows, ""))))


def test_lines_with_numbers_of_replies_are_found() -> None:
    body = page("{} posts spanning 9.6 days")
    found = find_records(body)
    assert is_counted(body)
    assert [record.title for record in found] == list(TITLES)
    assert [record.replies for record in found] == [str(3 + 2 * number) for number in range(len(TITLES))]


@pytest.mark.parametrize(("cell", "age"), [("{} kB", "{}.5 days ago"), ("{} posts", "model {}")])
def test_other_numbers_and_lines_without_times_are_no_sign(cell: str, age: str) -> None:
    assert not is_counted(page(cell, age))


@pytest.mark.parametrize(("cell", "expected"), [("{0} replies, {0}1 views", True), ("{} replies", False)])
def test_lists_with_views_are_lists_of_threads(cell: str, *, expected: bool) -> None:
    cells = "</td><td>".join(cell.split(", "))
    made = Page(page(cells))
    rows = np.flatnonzero(made.columns.tag == TAG["tr"])
    assert is_viewed_list(read_group(layout_of(made, RecordGroup(rows, "")))) == expected
