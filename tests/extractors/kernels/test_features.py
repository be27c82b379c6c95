"""Both forms of the kernels of articles give the same for any page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article import boilerplate, main_text
from tests.extractors.kernels.both_forms import needs_extension
from tests.extractors.kernels.test_parity import Tried, watch

pytestmark = needs_extension

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


@given(st.lists(PIECES, max_size=80).map("".join))
def test_any_page(page: str) -> None:
    tried = Tried()
    with pytest.MonkeyPatch.context() as patch:
        watch(patch, tried.compare)
        main_text(page.encode())
    assert tried.calls
    assert not tried.differences


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_boilerplate_of_any_blocks(seed: int, blocks: int) -> None:
    parts = ("nav", "named comment", "form", "footer", "role around", "named apart")
    names = ["a", *(f"inside {part}" for part in parts)]
    random = np.random.default_rng(seed)
    known = (random.random((len(names), blocks)) < 0.3).astype(np.float32)
    probability = random.choice(np.array([0.1, 0.5, 0.65, 0.8, 0.9, 1], np.float32), blocks)
    chosen, length = random.random(blocks) < 0.7, random.integers(0, 50, blocks)
    found = boilerplate.drop_boilerplate(known, names, probability, chosen, length)
    assert not (found & ~chosen).any()
    assert found.any() or length[chosen].sum() == 0
