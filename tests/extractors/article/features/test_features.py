"""Features of blocks."""

import pytest

from extractors.article.blocks import find_blocks
from extractors.article.features import block_features
from extractors.article.line_kinds import LINE_NAMES, line_kinds
from extractors.page import Page


def feature(source: str, name: str) -> list[float]:
    rows, names = block_features(find_blocks(Page(source.encode()).columns))
    return [float(value) for value in rows[names.index(name)]]


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ("style='color:red; display : none'", "inside hidden"),
        ("style='VISIBILITY:hidden'", "inside hidden"),
        ("role=main", "inside role main"),
        ("role=navigation", "inside role around"),
    ],
)
def test_what_an_element_says_holds_for_all_inside(attribute: str, name: str) -> None:
    page = f"<div><p>outside</p></div><div {attribute}><section><p>inside <b>it</b></p></section></div><p>behind</p>"
    assert feature(page, name) == [0, 1, 0]


def test_other_styles_and_roles_say_nothing() -> None:
    page = "<div style='display:block'><p>one</p></div><div role=presentation><p>two</p></div>"
    for name in ("inside hidden", "inside role main", "inside role around"):
        assert feature(page, name) == [0, 0]


def test_lines_are_counted_from_and_to_what_others_say() -> None:
    page = "<p>text</p><h3>相关阅读</h3><p>one</p><p>two</p><h3>版权声明</h3>"
    assert feature(page, "since related") == [60, 0, 1, 2, 3]
    assert feature(page, "until rights") == [4, 3, 2, 1, 0]
    assert feature(page, "since heading") == [60, 0, 1, 2, 0]


def test_a_second_block_that_begins_alike_repeats() -> None:
    teaser = "the same long sentence stands on this page more than once"
    assert feature(f"<p>{teaser}</p><p>another</p><div>{teaser}</div>", "repeats") == [0, 0, 1]


def test_a_block_that_the_summary_begins_with() -> None:
    page = "<meta name=Description content='All that is said  here, and more.'><p>All that is said here, and at length.</p><p>More</p>"
    assert feature(page, "in summary") == [1, 0]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("责任编辑：王某", "editor"),
        ("（原标题：某某）", "source"),
        ("特别声明：以上内容", "rights"),
        ("Table of contents", "contents"),
        ("As an affiliate we earn", "affiliate"),
        ("Last edited by somebody", "comment"),
        ("跟贴 19", "comment"),
        ("An ordinary sentence.", ""),
    ],
)
def test_kinds_of_lines(line: str, kind: str) -> None:
    assert ["", *LINE_NAMES][line_kinds([line])[0]] == kind
