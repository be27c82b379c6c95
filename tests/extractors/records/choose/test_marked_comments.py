"""Comments are found by their number or name, alone or as a group; a box to write one, or the article above them, is none."""

import numpy as np
import pytest

from extractors.html.tags import TAG
from extractors.page import Page
from extractors.records import find_records
from extractors.records.choose.marked_comments import are_called_comments, are_whole_comments
from extractors.records.groups import RecordGroup
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group

ARTICLE = (
    "<article><h1>Of pumps</h1><p>The ring of a pump wears out first, so this is where one should look.</p></article>"
)
ANSWERS = (
    "The ring of mine went after three years.",
    "Where can I buy the ring alone?",
    "Ask for the part number at the shop.",
    "Mine is made of steel and lasts longer.",
)
COMMENT = (
    '<div{0}><b class="author">Harriet</b> <time datetime="2026-11-14T10:00">14 November 2026</time>'
    "<p>The ring of mine went after three years of use.</p>{1}</div>"
)


def texts(comment: str) -> list[str]:
    """The texts of a page's records."""
    page = f"<html><body>{ARTICLE}<section id='talk'>{comment}</section></body></html>"
    return [record.text for record in find_records(page.encode())]


@pytest.mark.parametrize(
    "marks", ['id="comment-12"', 'id="comment-12-by-harriet"', 'class="tk-comment" id="4f3a"', 'class="comment_row"']
)
def test_a_single_comment_is_found(marks: str) -> None:
    assert texts(COMMENT.format(f" {marks}", "")) == ["The ring of mine went after three years of use."]


def test_a_box_to_write_a_comment_is_none() -> None:
    assert texts(COMMENT.format(' class="comment"', "<textarea></textarea>")) == []


def test_what_nothing_calls_a_comment_is_none() -> None:
    assert texts(COMMENT.format(' class="teaser"', "")) == []


@pytest.mark.parametrize(
    ("heading", "reply", "expected"),
    [
        ("One thought on pumps", "", 1),
        ("1 Kommentar", "", 1),
        ("Comments", "", 0),
        ("Newest comments", "Reply", 1),
        ("Pumps", "Antworten", 1),
        ("Pumps", "", 0),
    ],
)
def test_where_names_say_nothing_a_heading_that_counts_or_a_link_to_reply_tells_of_a_comment(
    heading: str, reply: str, expected: int
) -> None:
    said = "The ring of mine went after three years of use."
    comment = f'<div class="cqx"><p class="cab"><b>Harriet</b> 14 November 2026, 10:00</p><p>{said}</p><a href="?to=1">{reply}</a></div>'
    form = '<form class="cpo"><p>Write what you think of this</p><textarea></textarea></form>'
    page = f"<html><body><div class='cma'>{ARTICLE}</div><div class='cpk'><h2>{heading}</h2>{comment}</div>{form}</body></html>"
    assert [record.text for record in find_records(page.encode())] == [said] * expected


def made(name: str, text: str = "The ring went after {} years of use.") -> tuple[Page, RecordGroup]:
    """A page with three of these elements in a box, and their group."""
    rows = "".join(f"<li><b class='author'>Jo{year}</b><p>{text.format(year)}</p></li>" for year in (3, 4, 5))
    page = Page(f"<html><body><ul class='{name}'>{rows}</ul></body></html>".encode())
    return page, RecordGroup(np.flatnonzero(page.columns.tag == TAG["li"]), "")


@pytest.mark.parametrize(("name", "expected"), [("fig-comments", True), ("评论", True), ("teasers", False)])
def test_comments_are_called_by_the_names_around_them(name: str, *, expected: bool) -> None:
    page, group = made(name)
    assert are_called_comments([group], page.columns) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("comments", "The ring went after {} years of use.", True),
        ("teasers", "The ring went after {} years of use.", False),
        ("comments", "After {} years", False),
        ("comments", "The ring went after three years of use.", False),
    ],
)
def test_comments_without_times_are_known_by_names_authors_and_texts(name: str, text: str, *, expected: bool) -> None:
    page, group = made(name, text)
    assert are_whole_comments(read_group(layout_of(page, group))) == expected


def test_the_article_above_comments_is_none_of_them() -> None:
    comments = "".join(
        f"<div class='commentItem'><a href='/user/{name}'>{name}</a> <span class='date'>1{hour}.01.2012 9:20</span>"
        f"<div class='text'><p>{text}</p></div></div>"
        for hour, (name, text) in enumerate(zip(("Ann", "Bo", "Cyd", "Dee"), ANSWERS, strict=True))
    )
    words = "The ring of a pump wears out first, so this is where one should look when water drips. " * 5
    article = f"<h1>Of pumps</h1><span class='date'>09.01.2012 9:10</span><div class='text'><p>{words}</p></div>"
    found = find_records(f"<html><body>{article}{comments}</body></html>".encode())
    assert [record.author for record in found] == ["Ann", "Bo", "Cyd", "Dee"]


@pytest.mark.parametrize("has_times", [True, False])
def test_comments_that_only_a_list_around_them_names_have_times(*, has_times: bool) -> None:
    rows = "".join(
        f"<li><div class='hx'><b class='author'>Jo{year}</b>{f'<i>2026-11-1{year}</i>' * has_times}"
        f"<p>The ring went after {year} years.</p></div>"
        for year in (3, 4, 5)
    )
    page = Page(f"<html><body><ul class='Comments__List-gh'>{rows}</ul></body></html>".encode())
    group = RecordGroup(np.flatnonzero(page.columns.tag == TAG["div"]), "hx")
    assert are_whole_comments(read_group(layout_of(page, group))) == has_times


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("<h3>3 Comments</h3>", True),
        ("<h4>Drei Kommentare</h4>", True),
        ("<h3>Our team</h3>", False),
        ("<p>3 comments</p>", False),
    ],
)
def test_a_heading_announces_comments_whose_names_say_nothing(heading: str, *, expected: bool) -> None:
    rows = "".join(
        f"<li class='q'><b>Jo{year}</b><p>The ring went after {year} years of use.</p></li>" for year in (3, 4, 5)
    )
    page = Page(f"<html><body>{heading}<ul class='z'>{rows}</ul></body></html>".encode())
    group = RecordGroup(np.flatnonzero(page.columns.tag == TAG["li"]), "q")
    assert are_called_comments([group], page.columns) == expected
    assert are_whole_comments(read_group(layout_of(page, group))) == expected


def test_comments_of_terms_and_descriptions_tell_their_authors_after_the_times() -> None:
    people = ("Maëlle", "vieux Léon", "Ana")
    terms = "".join(
        f'<dt><a href="#c{n}">{n}.</a> Le 3 mars 2008, 1{n}:12 par {name}</dt><dd><p>{ANSWERS[n]}</p></dd>'
        for n, name in enumerate(people)
    )
    page = f"<html><body>{ARTICLE}<div id='comments'><h3>Commentaires</h3><dl>{terms}</dl></div></body></html>"
    found = find_records(page.encode())
    assert [(record.author, record.text) for record in found] == list(zip(people, ANSWERS, strict=False))
