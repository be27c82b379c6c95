"""Where a page's probabilities are cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.blocks import Blocks
from extractors.article.cut import expected_cut, falling, page_cuts
from extractors.article.features import block_features
from extractors.kernels import state, turned_off
from extractors.page import Page

SENTENCE = "昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。"
PAGE = f"<h1>标题</h1>{f'<p>{SENTENCE}</p>' * 5}<div class=comment><p>{SENTENCE}</p></div><p>版权所有</p>"


def known(page: str) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Features of blocks, their names, visible characters of each."""
    found = Page(page.encode())
    blocks = Blocks(found.columns)
    return *block_features(blocks), blocks.sums(found.columns.counts("visible"))


@pytest.mark.parametrize("probability", [[0.3, 0.9, 0.9, 0.9, 0.9, 0.9, 0.4, 0.1], [0.0] * 8, [1.0] * 8, [1e-30] * 8])
def test_no_two_cuts_take_the_same_and_the_expected_one_is_first(probability: list[float]) -> None:
    features, names, length = known(PAGE)
    given = np.array(probability, np.float32)
    found = page_cuts(features, names, given, length)
    cuts, table, of = found.values, found.table, found.names
    taken = {tuple((given >= cut).tolist()) for cut in cuts}
    assert len(taken) == len(cuts) == table.shape[1]
    assert cuts[0] == np.float32(expected_cut(given, length, falling(given)))
    assert len(of) == len(set(of)) == len(table)
    assert np.isfinite(table).all()
    assert np.float32(found.learned()) in cuts


def test_what_a_cut_moves_is_told() -> None:
    features, names, length = known(PAGE)
    probability = np.array([0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.62, 0.0], np.float32)
    found = page_cuts(features, names, probability, length)
    row = dict(zip(found.names, found.table, strict=True))
    stricter = int(np.argmax(found.values > 0.62))
    assert row["blocks moved"][stricter] == -1
    assert row["moved: inside named comment"][stricter] == 1
    assert row["taken: inside named comment"][stricter] == 0
    assert row["text moved"][0] == 0
    assert row["moved: words"][0] == -1  # nothing is moved


def test_blocks_without_characters() -> None:
    features, names, length = known(PAGE)
    found = page_cuts(features, names, np.linspace(0, 1, 8, dtype=np.float32), np.zeros_like(length))
    assert np.isfinite(found.table).all()


def test_a_sure_page_is_cut_between_text_and_the_rest() -> None:
    features, names, length = known(PAGE)
    probability = np.array([0.97, 0.99, 0.99, 0.99, 0.99, 0.99, 0.01, 0.01], np.float32)
    assert 0.01 < page_cuts(features, names, probability, length).learned() <= 0.97


@pytest.mark.skipif(state().module is None, reason=f"machine code is not in use: {state().reason}")
@given(st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([0.01, 0.3, 1, 3]))
def test_machine_code_gives_the_same(seed: int, blocks: int, shape: float) -> None:
    rng = np.random.default_rng(seed)
    names = known(PAGE)[1]
    features = rng.choice([0, 0, 1, -3.7, 0.1, 60], (len(names), blocks)).astype(np.float32)
    features *= rng.random(blocks, np.float32)
    probability = rng.beta(shape, shape, blocks).astype(np.float32)
    probability[rng.random(blocks) < 0.2] = rng.choice([0, 0.2, 0.5, 1])
    length = rng.integers(0, 2_000, blocks) * (rng.random(blocks) < 0.9)
    found = page_cuts(features, names, probability, length)
    with turned_off():
        wanted = page_cuts(features, names, probability, length)
    assert found.names == wanted.names
    assert np.array_equal(found.values, wanted.values)
    unlike = np.flatnonzero((found.table != wanted.table).any(axis=1)).tolist()
    assert [found.names[row] for row in unlike] == []
