"""A thread's main text is its posts."""

from dataclasses import replace

import numpy as np
import pytest

from extractors.article import main_text
from extractors.article.blocks import find_blocks
from extractors.article.explain import explain
from extractors.article.threads import Posts, find_posts, with_posts
from extractors.page import Page
from tests.extractors.records.engines.boards import ENGINES
from tests.extractors.records.engines.comments import ARTICLE
from tests.extractors.records.engines.comments import ENGINES as COMMENTS
from tests.extractors.records.engines.content import Post, posts

DISCUZ = "Discuz! X3"


def thread(engine: str, count: int = 9) -> tuple[Page, list[Post]]:
    """A board's page and its posts."""
    build, path, _, fields = ENGINES[engine]
    written = posts(5, count, chinese="english" not in fields)
    body = f"<html><head><meta charset=utf-8></head><body>{build(written)}</body></html>"
    return Page(body.encode(), f"https://board.example{path}"), written


@pytest.mark.parametrize("engine", ENGINES)
def test_every_post_is_main_text(engine: str) -> None:
    page, written = thread(engine)
    text = main_text(page.body, url=page.url)
    assert [post.text for post in written if post.text not in text] == []


@pytest.mark.parametrize("engine", [name for name in COMMENTS if ARTICLE[0] in COMMENTS[name][0](posts(1))])
def test_comments_beside_an_article_are_none_of_it(engine: str) -> None:
    written = posts(3, 7)
    page = Page(f"<meta charset=utf-8>{COMMENTS[engine][0](written)}".encode(), "https://news.example/2026/a.html")
    text = main_text(page.body, url=page.url)
    assert all(paragraph in text for paragraph in ARTICLE)
    assert [post.text for post in written if post.text in text] == []


def test_posts_are_found_without_what_is_before_and_beside_them() -> None:
    page, written = thread(DISCUZ)
    blocks = find_blocks(page.columns)
    found = find_posts(page, blocks)
    assert found
    lines = [blocks.text(number) for number in range(len(blocks))]
    assert [line for line, of_post in zip(lines, found.bodies.tolist(), strict=True) if of_post] == [
        post.text for post in written
    ]
    assert written[0].author in lines[found.begin :]
    assert "水管漏水怎么办" in lines[: found.begin]


def test_posts_that_quote_each_other_are_read_once() -> None:
    build, path, _, _ = ENGINES[DISCUZ]
    written = posts(5, 9)
    page = build([replace(post, quote=written[0].text if post.number in (2, 5) else "") for post in written])
    text = main_text(f"<meta charset=utf-8>{page}".encode(), url=f"https://board.example{path}")
    assert [text.count(post.text) for post in written] == [1] * 9


def of_blocks(bodies: list[bool], *, are_comments: bool = False) -> Posts:
    """Posts that begin with the third block."""
    return Posts(np.array(bodies), 2, are_comments, whole=np.arange(len(bodies)) >= 2, people=1.0, confidence=1.0)


def test_comments_are_main_text_where_no_article_is() -> None:
    found = of_blocks([False, False, True, True], are_comments=True)
    length = np.array([20, 300, 40, 50])
    assert not found.are_main_text(np.array([0.95, 0.95, 0.4, 0.4], np.float32), length)
    assert found.are_main_text(np.array([0.95, 0.5, 0.4, 0.4], np.float32), length)


def test_a_page_without_posts_has_none() -> None:
    page = Page(b"<h1>title</h1>" + b"<p>A sentence that says something, and another one that says more.</p>" * 5)
    assert find_posts(page, find_blocks(page.columns)) is None


def test_other_blocks_are_kept_only_before_the_first_post() -> None:
    found = of_blocks([False, False, False, True, False, True, True])
    taken = np.array([True, False, True, False, True, True, True])
    probability = np.array([0.9, 0.05, 0.9, 0.2, 0.9, 0.6, 0.01], np.float32)
    assert with_posts(taken, found, probability).tolist() == [True, False, False, True, False, True, False]


def test_names_of_boards_and_notices_before_the_first_post_are_dropped() -> None:
    found = of_blocks([False, False, True])
    probability = np.array([0.3, 0.6, 0.3], np.float32)
    assert with_posts(np.ones(3, np.bool_), found, probability).tolist() == [False, True, True]


def test_explanations_say_which_blocks_are_posts() -> None:
    page, written = thread(DISCUZ)
    told = [verdict.text for verdict in explain(page) if verdict.reasons[0] == "body of a post"]
    assert told == [post.text for post in written]
