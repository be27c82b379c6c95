"""The cut of a page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.blocks import find_blocks
from extractors.article.cut import best_of, expected_cut, page_cuts
from extractors.article.features import block_features
from extractors.page import Page
from tests.extractors.kernels.both_forms import needs_extension, of_both

SENTENCE = "昨天下午，市政府召开会议，讨论了今年的计划，并听取了各方意见。"
PAGE = f"<h1>标题</h1>{f'<p>{SENTENCE}</p>' * 5}<div class=comment><p>{SENTENCE}</p></div><p>版权所有</p>"


def known(page: str) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Features of blocks, their names, visible characters of each."""
    found = Page(page.encode())
    blocks = find_blocks(found.columns)
    return *block_features(blocks), blocks.sums(found.columns.counts("visible"))


@pytest.mark.parametrize("probability", [[0.3, 0.9, 0.9, 0.9, 0.9, 0.9, 0.4, 0.1], [0.0] * 8, [1.0] * 8, [1e-30] * 8])
def test_no_two_cuts_choose_the_same_and_the_expected_one_is_first(probability: list[float]) -> None:
    features, names, length = known(PAGE)
    given = np.array(probability, np.float32)
    found = page_cuts(features, names, given, length)
    cuts, table, of = found.values, found.table, found.names
    chosen = {tuple((given >= cut).tolist()) for cut in cuts}
    assert len(chosen) == len(cuts) == table.shape[1]
    assert cuts[0] == np.float32(expected_cut(given, length, np.argsort(-given, kind="stable")))
    assert len(of) == len(set(of)) == len(table)
    assert np.isfinite(table).all()
    assert np.float32(found.best()) in cuts


def test_a_cut_knows_what_it_moves() -> None:
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


@pytest.mark.parametrize(("cut", "gain", "chosen"), [(0.3, 0.005, 0), (0.3, 0.05, 1), (0.05, 0.05, 0), (0.05, 0.3, 1)])
def test_a_cut_that_selects_nearly_all_must_gain_more(cut: float, gain: float, chosen: int) -> None:
    assert best_of(np.array([0.2, 0.2 + gain, 0.1], np.float32), np.array([0.4, cut, 0.6], np.float32)) == chosen


def test_blocks_without_characters() -> None:
    features, names, length = known(PAGE)
    found = page_cuts(features, names, np.linspace(0, 1, 8, dtype=np.float32), np.zeros_like(length))
    assert np.isfinite(found.table).all()


def test_a_sure_page_is_cut_between_text_and_everything_else() -> None:
    features, names, length = known(PAGE)
    probability = np.array([0.97, 0.99, 0.99, 0.99, 0.99, 0.99, 0.01, 0.01], np.float32)
    assert 0.01 < page_cuts(features, names, probability, length).best() <= 0.97


@needs_extension
@given(st.integers(0, 2**32), st.integers(1, 300), st.sampled_from([0.01, 0.3, 1, 3]))
def test_both_forms_give_the_same(seed: int, blocks: int, shape: float) -> None:
    rng = np.random.default_rng(seed)
    features = rng.choice([0, 0, 1, -3.7, 0.1, 60], (9, blocks)).astype(np.float32)
    features *= rng.random(blocks, np.float32)
    probability = rng.beta(shape, shape, blocks).astype(np.float32)
    probability[rng.random(blocks) < 0.2] = rng.choice([0, 0.2, 0.5, 1])
    length = rng.integers(0, 2_000, blocks) * (rng.random(blocks) < 0.9)
    order = np.argsort(-probability, kind="stable")
    cuts = np.minimum(rng.random(6, np.float32), probability.max())
    bins, places = np.array([0, 0.1, 0.5, 0.9], np.float32), np.array([8, 0, 3])
    of_both("cut_table", features, places, places[1:], probability, length, order, cuts, bins, 0.1)
