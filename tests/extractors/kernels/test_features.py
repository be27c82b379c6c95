"""What is known of blocks is the same by machine code and by numpy: names, numbers, and the main text that follows."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article import main_text
from extractors.article.beside import without_beside
from extractors.article.blocks import Blocks
from extractors.article.features import block_features
from extractors.kernels import state, turned_off
from extractors.page import Page

pytestmark = pytest.mark.skipif(state().module is None, reason=f"machine code is not in use: {state().reason}")

SENTENCE = "昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。"
WORDS = "The committee met on Monday, heard three reports, and will publish its findings in the spring of next year."
PIECES = st.sampled_from(
    [
        *"<div class=content> <div class='nav side'> <div style=display:none> <div role=main> </div> <article> </article>".split(
            "> "
        ),
        *(
            "<p",
            "</p",
            "<li class=a",
            "<li",
            "<ul",
            "</ul",
            "<h1",
            "<h2",
            "</h2",
            "<br",
            "<b",
            "</b",
            "<td",
            "<tr",
            "<table",
        ),
        *("<a href=x", "</a", "<pre", "</pre", "<blockquote", "<figcaption", "<title", "<form", "<aside id=comments"),
        *(
            SENTENCE,
            WORDS,
            "分享到：",
            "Share",
            "2024-05-01 10:00",
            "责任编辑：张三",
            "相关阅读",
            "  ",
            "a",
            "3 replies",
            "\u3000",
        ),
    ]
).map(lambda piece: f"{piece}>" if piece[0] == "<" and piece[-1] != ">" else piece)
SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "articles"


def assert_alike(body: bytes) -> None:
    found, text = features(body), main_text(body)
    with turned_off():
        wanted, wanted_text = features(body), main_text(body)
    assert found[1] == wanted[1]
    differing = [found[1][row] for row in np.flatnonzero((found[0] != wanted[0]).any(axis=1)).tolist()]
    assert not differing
    assert text == wanted_text


def features(body: bytes) -> tuple[np.ndarray, list[str]]:
    blocks = Blocks(Page(body).columns)
    return block_features(blocks) if len(blocks) else (np.zeros((0, 0), np.float32), [])


@given(st.lists(PIECES, max_size=80).map("".join))
def test_any_page(page: str) -> None:
    assert_alike(page.encode())


@pytest.mark.skipif(not SHARED.exists(), reason="the shared pages are not beside this clone")
def test_pages_as_they_are() -> None:
    paths = sorted(SHARED.rglob("*.html*"))[::120]
    assert paths
    for path in paths:
        assert_alike(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_what_stands_beside_the_text(seed: int, blocks: int) -> None:
    names = [
        "a",
        "inside nav",
        "inside named comment",
        "inside form",
        "inside footer",
        "inside role around",
        "inside named apart",
    ]
    random = np.random.default_rng(seed)
    known = (random.random((len(names), blocks)) < 0.3).astype(np.float32)
    probability = random.choice(np.array([0.1, 0.5, 0.65, 0.8, 0.9, 1], np.float32), blocks)
    taken, length = random.random(blocks) < 0.7, random.integers(0, 50, blocks)
    found = without_beside(known, names, probability, taken, length)
    with turned_off():
        assert found.tolist() == without_beside(known, names, probability, taken, length).tolist()
