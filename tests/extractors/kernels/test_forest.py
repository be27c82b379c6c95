"""A forest by machine code gives numpy's sums, bit by bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.article.body import article_forest
from extractors.kernels import state
from extractors.kernels.forest import Forest
from extractors.records.choose.choice import _forest

native = state().module
pytestmark = pytest.mark.skipif(native is None, reason=f"machine code is not in use: {state().reason}")


def random_forest(rng: np.random.Generator, trees: int, depth: int, columns: int) -> Forest:
    feature = rng.integers(0, columns, trees * depth).astype(np.int16)
    threshold = rng.integers(-3, 4, trees * depth).astype(np.float32) / 2
    leaves = rng.normal(size=(trees, 2**depth)).astype(np.float16).astype(np.float32)
    return Forest(feature, threshold, leaves, 0.1, [str(column) for column in range(columns)])


@given(
    st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 8), st.sampled_from([1, 2, 31, 32, 33, 64, 255, 257, 600])
)
def test_any_forest(seed: int, trees: int, depth: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    forest = random_forest(rng, trees, depth, 7)
    table = rng.integers(-3, 4, (12, rows)).astype(np.float32) / 2
    table[rng.random(table.shape) < 0.02] = np.nan
    for features in (table[:7], table[2:9], np.asfortranarray(table)[:7]):
        assert np.array_equal(forest.scores(features), forest.scores_by_numpy(features))


@pytest.mark.parametrize("forest", [article_forest(), _forest("choosing"), _forest("reviewing")])
@pytest.mark.parametrize("rows", [1, 30, 300])
def test_the_forests_in_use(forest: Forest, rows: int) -> None:
    rng = np.random.default_rng(rows)
    features = rng.normal(size=(len(forest.names), rows)).astype(np.float32)
    at_the_edge = rng.random(features.shape) < 0.3
    features[at_the_edge] = rng.choice(forest.threshold, np.count_nonzero(at_the_edge))
    assert np.array_equal(forest.scores(features), forest.scores_by_numpy(features))


def test_nothing_outside_is_read() -> None:
    forest = random_forest(np.random.default_rng(1), 3, 2, 7)
    feature, threshold, question = forest._parts
    features = np.zeros((7, 5), np.float32)
    for parts in (
        (features[:2], feature, threshold, question, forest.leaves),
        (features, feature, threshold[1:], question, forest.leaves),
        (features, feature, threshold, question + 7, forest.leaves),
        (features, feature, threshold, question - 1, forest.leaves),
        (features, feature, threshold, question, forest.leaves[:, :2].copy()),
        (features[:, :0], feature, threshold, question, forest.leaves),
    ):
        with pytest.raises(ValueError, match=r"that is not there|not the parts|needs rows"):
            native.scores(*parts)
