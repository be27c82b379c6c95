"""A page's only comment is found by its number or its name, a box to write one is not."""

import pytest

from extractors.records import find_records

ARTICLE = (
    "<article><h1>Of pumps</h1><p>The ring of a pump wears out first, so this is where one should look.</p></article>"
)
COMMENT = (
    '<div{0}><b class="author">Harriet</b> <time datetime="2026-11-14T10:00">14 November 2026</time>'
    "<p>The ring of mine went after three years of use.</p>{1}</div>"
)


def texts(comment: str) -> list[str]:
    """The texts of a page's records."""
    page = f"<html><body>{ARTICLE}<section id='talk'>{comment}</section></body></html>"
    return [record.text for record in find_records(page.encode())]


@pytest.mark.parametrize("marks", [' id="comment-12"', ' id="comment-12-by-harriet"', ' class="tk-comment" id="4f3a"'])
def test_a_single_comment_is_found(marks: str) -> None:
    assert texts(COMMENT.format(marks, "")) == ["The ring of mine went after three years of use."]


def test_a_box_to_write_a_comment_is_none() -> None:
    assert texts(COMMENT.format(' class="comment"', "<textarea></textarea>")) == []


def test_what_nothing_calls_a_comment_is_none() -> None:
    assert texts(COMMENT.format(' class="teaser"', "")) == []
