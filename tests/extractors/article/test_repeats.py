"""What a post repeats of posts before it is read once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.blocks import find_blocks
from extractors.article.repeats import drop_repeats
from extractors.page import Page

ASKED = "水管漏水已经三天了，物业来看过两次都没查到原因，请问该找谁？"
ANSWER = "先关总阀再看水表，水表还在走就是主管漏，找自来水公司。"
ENGLISH = "The old pipe had rusted through, so we replaced all of it last week."


def left(*posts: str) -> list[str]:
    """The lines that are left of posts."""
    blocks = find_blocks(Page("".join(f"<div>{post}</div>" for post in posts).encode()).columns)
    taken = drop_repeats(blocks, np.ones(len(blocks), np.bool_))
    return [blocks.text(number) for number in np.flatnonzero(taken).tolist()]


def test_a_quote_of_a_post_before_is_left_out() -> None:
    assert left(f"<p>{ASKED}</p>", f"<blockquote>{ASKED}</blockquote><p>{ANSWER}</p>") == [ASKED, ANSWER]


def test_a_shortened_quote_and_lines_that_were_one_are_left_out() -> None:
    first, second = ENGLISH[:34], ENGLISH[34:]
    assert left(f"<p>{ASKED}</p>", f"<p>{ENGLISH}</p>", f"<q>{ASKED[4:-3]}</q>", f"{first}<br>{second}") == [
        ASKED,
        ENGLISH,
    ]


def test_what_is_quoted_from_elsewhere_is_left() -> None:
    assert left(f"<p>{ASKED}</p>", f"<blockquote>{ENGLISH}</blockquote>") == [ASKED, ENGLISH]


def test_words_around_a_quote_in_one_line_are_left_with_it() -> None:
    line = f"{ANSWER} {ASKED}"
    assert left(f"<p>{ASKED}</p>", f"<p>{line}</p>") == [ASKED, line]


def test_a_refrain_in_one_post_is_left() -> None:
    assert left(f"<p>{ASKED}</p><p>{ANSWER}</p><p>{ASKED}</p>") == [ASKED, ANSWER, ASKED]


def test_a_line_that_differs_in_a_number_is_left() -> None:
    lines = [f"<p>{ASKED}（{floor}楼）</p>" for floor in (12, 34)]
    assert len(left(*lines)) == 2


def test_few_words_that_several_people_say_are_left() -> None:
    assert (
        left(*["<p>谢谢楼主分享</p>"] * 3, *["<p>Thanks a lot</p>"] * 3) == ["谢谢楼主分享"] * 3 + ["Thanks a lot"] * 3
    )


@given(st.lists(st.text(st.characters(categories=("L", "N")), min_size=1, max_size=40), max_size=6))
def test_short_posts_and_the_first_are_left(posts: list[str]) -> None:
    kept = left(*(f"<p>{post}</p>" for post in posts))
    assert kept[:1] == posts[:1]
    assert [post for post in kept if len(post) < 16] == [post for post in posts if len(post) < 16]
