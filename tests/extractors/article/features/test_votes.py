"""Votes of untrained methods."""

import numpy as np
import pytest

from extractors.article.blocks import find_blocks
from extractors.article.features import block_features
from extractors.article.features.votes import after_title, prose_runs
from extractors.page import Page

LONG = "这是正文里的一段话，说的是昨天发生的事情，记者在现场看到，许多人都来了，大家都很高兴。"


def feature(source: str, name: str) -> list[float]:
    rows, names = block_features(find_blocks(Page(source.encode()).columns))
    return [round(float(value), 3) for value in rows[names.index(name)]]


def test_paragraphs_choose_the_element_around_them() -> None:
    page = f"<div><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p></div><div><p>{LONG}</p></div><p>栏目</p>"
    assert feature(page, "in best candidate") == [1, 1, 1, 0, 0]
    scores = feature(page, "candidate score")
    assert scores[:3] == [1, 1, 1]
    assert 0 < scores[3] < 1


def test_text_parted_by_line_breaks_chooses_its_own_element() -> None:
    page = f"<table><tr><td>{LONG}<br>{LONG}</td><td>{LONG}</td></tr></table>"
    assert feature(page, "in best candidate") == [1, 1, 0]


def test_links_bring_no_points() -> None:
    links = f"<a href=x>{LONG}</a>"
    page = f"<div><p>{links}</p><p>{links}</p><p>{links}</p></div><div><p>{LONG}</p></div>"
    assert feature(page, "in best candidate") == [0, 0, 0, 1]


def test_blocks_alike_share_their_prose_wherever_they_stand() -> None:
    page = f"<div><p class=a>{LONG}</p></div><div><p class=a>{LONG}</p></div><div><p class=b>{LONG}{LONG}</p></div>"
    assert feature(page, "prose alike") == [0.5, 0.5, 0.5]
    assert feature(page, "blocks alike") == pytest.approx([np.log(3), np.log(3), np.log(2)], abs=0.001)


def test_blocks_are_counted_from_the_heading_that_says_the_title() -> None:
    page = "<title>An unusual day - Site</title><p>An unusual day<p>one<h2>An unusual day</h2><p>two<p>three"
    assert feature(page, "blocks after title") == [-2, -1, 0, 1, 2]


def test_without_a_title_no_block_is_after_it() -> None:
    nowhere = np.zeros(3, np.bool_)
    assert not after_title(nowhere, nowhere, np.ones(3, np.int64), np.ones(3, np.int64), 40).any()


def test_a_gap_ends_a_run_of_prose() -> None:
    share, longest = prose_runs(np.array([0, 30, 0, 0, 30, 0, 0, 0, 0, 40, 0]), 4)
    assert share.tolist() == [0, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0, 0.4, 0.4]
    assert set(longest.tolist()) == {0.6}


def test_a_page_without_prose_has_no_run() -> None:
    assert not prose_runs(np.zeros(4, np.int64), 4).any()


def test_a_part_of_a_page_tells_its_kind() -> None:
    page = f"<div class=comments><p>{LONG}</p></div><p>{LONG}</p>"
    assert feature(page, "page prose named comment") == [0.5, 0.5]
