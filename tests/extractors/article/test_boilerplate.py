"""What stands beside a text is left out together, and is kept where it is the text."""

import numpy as np

from extractors.article.blocks import find_blocks
from extractors.article.boilerplate import drop_boilerplate, drop_edges
from extractors.article.features import block_features
from extractors.page import Page

SENTENCE = "昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。"
TEXT = f"<p>{SENTENCE}</p>"


def left(page: str, probability: list[float]) -> list[int]:
    """Numbers of the blocks that are left of all."""
    found = Page(page.encode())
    blocks = find_blocks(found.columns)
    known, length = block_features(blocks), blocks.sums(found.columns.counts("visible"))
    everything = np.ones(len(blocks), np.bool_)
    rest = drop_boilerplate(*known, np.array(probability, np.float32), everything, length)
    return np.flatnonzero(rest).tolist()


def test_parts_of_the_page_beside_a_text() -> None:
    for part in ("footer", "nav", "form", "div role=banner"):
        assert left(f"<div>{TEXT * 4}</div><{part}>{TEXT}</{part.split()[0]}>", [0.8] * 5) == [0, 1, 2, 3]


def test_a_page_that_is_a_form_as_a_whole() -> None:
    assert left(f"<form>{TEXT * 4}</form><p>{SENTENCE}", [0.8] * 5) == [0, 1, 2, 3, 4]


def test_comments_beside_an_article() -> None:
    page = f"<div>{TEXT * 2}</div><div class=comments>{TEXT * 3}</div>"
    assert left(page, [0.95, 0.95, 0.5, 0.6, 0.4]) == [0, 1]
    assert left(page, [0.95, 0.95, 0.5, 0.7, 0.4]) == [0, 1, 3]
    assert left(page, [0.7, 0.8, 0.5, 0.6, 0.4]) == [0, 1, 2, 3, 4]


def test_comments_that_are_most_of_the_text() -> None:
    page = f"<div>{TEXT}</div><div class=comments>{TEXT * 6}</div>"
    assert left(page, [0.95] + [0.5] * 6) == list(range(7))


def test_nothing_is_taken() -> None:
    blocks = find_blocks(Page(TEXT.encode()).columns)
    nothing = np.zeros(1, np.bool_)
    assert not drop_boilerplate(*block_features(blocks), np.zeros(1, np.float32), nothing, np.ones(1, np.int64)).any()


def test_dialogs_and_signatures() -> None:
    for name in ("cookieConsent", "modal fade", "post-signature", "ui-dialog"):
        page = f"<div>{TEXT * 2}</div><div class='{name}'>{TEXT * 4}</div>"
        assert left(page, [0.95, 0.6] + [0.97] * 4) == [0, 1]
        assert left(page, [0.3, 0.4] + [0.97] * 4) == list(range(6))  # nothing beside it is likely


def test_an_article_that_is_shown_in_a_dialog() -> None:
    page = f"<div class=modal>{TEXT * 12}</div><div>{TEXT}</div>"
    assert left(page, [0.95] * 13) == list(range(13))


def test_what_people_say_in_a_play_is_no_dialog() -> None:
    assert left(f"<p>{SENTENCE}</p>" + f"<p class=dialogue>{SENTENCE}</p>" * 3, [0.95] * 4) == [0, 1, 2, 3]


def without_edges(page: str) -> list[int]:
    """Numbers of the blocks that are left of all."""
    found = Page(page.encode())
    blocks = find_blocks(found.columns)
    everything, length = np.ones(len(blocks), np.bool_), blocks.sums(found.columns.counts("visible"))
    return np.flatnonzero(drop_edges(*block_features(blocks), everything, length)).tolist()


BYLINE = "<div class=post-meta><p>2024-05-06<p>生活<p>32 字 1 分钟</div>"


def test_bylines_and_tags_around_a_short_text() -> None:
    assert without_edges(f"{BYLINE}<div>{TEXT}</div><ul class=tags><li>河流<li>水文</ul>") == [3]
    assert without_edges(f"<div>{TEXT}</div>{BYLINE}<div>{TEXT}</div>") == [0, 1, 2, 3, 4]


def test_a_text_in_an_element_named_as_a_byline() -> None:
    assert without_edges(f"<div class=article-info><p>河水上涨{TEXT * 3}</div>") == [0, 1, 2, 3]
    assert without_edges(BYLINE) == [0, 1, 2]
