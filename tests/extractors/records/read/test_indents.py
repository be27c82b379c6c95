"""Who answers whom where all comments stand beside each other and only their indents tell."""

import pytest

from extractors.records import find_records

SAID = (
    "The old bridge was closed for repairs on Monday",
    "Then the buses go round by the mill again",
    "They did so last spring, it took half an hour more",
    "Is there a ferry that takes bicycles as well",
    "Only at weekends, and not when the wind is strong",
    "My neighbour rows people over for a cake",
)
DEPTHS = (0, 1, 2, 0, 1, 1)
ANSWERED = [-1, 0, 1, -1, 3, 3]
WAYS = {
    "a picture's width": '<td class="ind"><img src="s.gif" height="1" width="{wide}"></td>',
    "an attribute": '<td indent="{depth}"></td>',
    "a class": '<td class="comment-depth-{depth}"></td>',
    "a margin": '<td><div style="color:red; margin-left:{wide}px"></div></td>',
}


def parents(way: str, depths: tuple[int, ...] = DEPTHS) -> list[int]:
    """The records that are answered, on a page of one row for each comment."""
    rows = "".join(
        f'<tr class="comtr">{way.format(depth=depth, wide=40 * depth)}<td><a class="hnuser" href="user?id=u{number}">u{number}</a> '
        f'<span class="age">2026-11-1{number} 10:00</span><div class="commtext">{SAID[number]}</div></td></tr>'
        for number, depth in enumerate(depths)
    )
    found = find_records(f"<meta charset=utf-8><h1>Bridge</h1><table class=comment-tree>{rows}</table>".encode())
    assert [record.text for record in found] == list(SAID[: len(depths)])
    return [record.parent for record in found]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_an_indent_tells_who_is_answered(way: str) -> None:
    assert parents(way) == ANSWERED


@pytest.mark.parametrize(
    ("way", "depths"),
    [
        (WAYS["an attribute"], (1, 1, 1, 1, 1, 1)),
        (WAYS["an attribute"], (2, 1, 1, 2, 1, 1)),
        ('<td><img src="face.png" height="{wide}" width="{wide}"></td>', DEPTHS),
        ("<td></td>", DEPTHS),
    ],
    ids=["all alike", "the first is not the least", "faces of several sizes", "nothing told"],
)
def test_what_is_no_indent(way: str, depths: tuple[int, ...]) -> None:
    assert parents(way, depths) == [-1] * 6
