"""Text that a page holds twice is read once."""

import numpy as np

from extractors.article.blocks import Blocks, find_blocks
from extractors.article.body import body_text
from extractors.article.duplicates import containers, drop_duplicates, first_duplicate, keep_first
from extractors.page import Page

SENTENCES = [f"昨天下午第{number}次会议讨论了今年的计划，并听取了各方面的意见和建议。" for number in "一二三四五六"]
TEXT = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)


def blocks_of(page: str) -> Blocks:
    return find_blocks(Page(page.encode()).columns)


def read(page: str) -> list[int]:
    """Numbers of the blocks that are left of all."""
    blocks = blocks_of(page)
    length = blocks.sums(blocks.columns.counts("visible"))
    everything = np.ones(len(blocks), np.bool_)
    return np.flatnonzero(drop_duplicates(blocks, everything, length)).tolist()


def test_a_copy_for_wide_screens_is_left_out() -> None:
    assert read(f"<div>{TEXT}</div><div>{TEXT}</div>") == list(range(6))


def test_a_page_with_its_text_twice_is_read_once() -> None:
    twice = f"<h1>会议讨论计划</h1><article><div>{TEXT}</div><div>{TEXT}</div></article>"
    assert all(body_text(Page(twice.encode())).count(sentence) == 1 for sentence in SENTENCES)


def test_copies_with_other_white_space_are_copies() -> None:
    spaced = TEXT.replace("次", "次\n ").replace("<p>", "<p> ")
    assert read(f"<div>{TEXT}</div><div>{spaced}</div>") == list(range(6))


def test_a_refrain_is_kept() -> None:
    refrain = f"<p>{SENTENCES[0]}</p>"
    assert len(read(f"<div>{refrain * 8}</div>")) == 8
    assert len(read(f"<div>{'<br>'.join(SENTENCES[:1] * 8)}</div>")) == 8


def test_a_quoted_sentence_is_kept() -> None:
    quoted = f"<div>{TEXT}</div><blockquote><p>{SENTENCES[1]}</p></blockquote>"
    assert len(read(quoted)) == 7


def test_short_lines_are_no_copies() -> None:
    assert len(read("<div><p>同意</p></div>" * 9)) == 9


def test_a_copy_of_what_is_not_read_is_read() -> None:
    blocks = blocks_of(f"<div>{TEXT}</div><div>{TEXT}</div>")
    length = blocks.sums(blocks.columns.counts("visible"))
    taken = np.arange(len(blocks)) >= 6
    assert (keep_first(taken, length, first_duplicate(blocks, taken), containers(blocks)) == taken).all()


def test_blocks_without_text() -> None:
    nothing = np.zeros(0, np.bool_)
    assert not len(drop_duplicates(blocks_of(""), nothing, np.zeros(0, np.int64)))
