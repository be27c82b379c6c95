"""Forests: both forms give the same sums bit by bit, and the packaged ones say where they come from."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extractors.kernels import forms, state
from extractors.kernels.forest import PACKAGED, Forest, ForestError, Provenance, forest_for, packaged_forest
from extractors.kernels.forest_stack import running_leaf_sums, stack
from tests.extractors.kernels.both_forms import needs_extension

native = state().module


def by_numpy(forest: Forest, features: np.ndarray) -> np.ndarray:
    return forms["leaf_sums"].numpy(features, *forest._questions, forest.leaves) + np.float32(forest.bias)


def random_forest(rng: np.random.Generator, trees: int, depth: int, columns: int) -> Forest:
    feature = rng.integers(0, columns, trees * depth).astype(np.int16)
    threshold = rng.integers(-3, 4, trees * depth).astype(np.float32) / 2
    leaves = rng.normal(size=(trees, 2**depth)).astype(np.float16).astype(np.float32)
    return Forest(feature, threshold, leaves, 0.1, [str(column) for column in range(columns)])


@pytest.fixture(params=[True, False], ids=["wide registers", "others"])
def registers(request: pytest.FixtureRequest) -> Iterator[None]:
    """The forms of forests for processors with wide registers, where this one has them, and for others."""
    native.wide_registers(request.param)
    yield
    native.wide_registers(True)


@needs_extension
@pytest.mark.usefixtures("registers")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 8), st.sampled_from([1, 2, 31, 32, 33, 64, 255, 257, 600])
)
def test_any_forest(seed: int, trees: int, depth: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    forest = random_forest(rng, trees, depth, 7)
    table = rng.integers(-3, 4, (12, rows)).astype(np.float32) / 2
    table[rng.random(table.shape) < 0.02] = np.nan
    for features in (table[:7], table[2:9], np.asfortranarray(table)[:7]):
        assert np.array_equal(forest.scores(features), by_numpy(forest, features))


@needs_extension
@pytest.mark.usefixtures("registers")
@pytest.mark.parametrize("forest", [packaged_forest(*each) for each in PACKAGED])
@pytest.mark.parametrize("rows", [1, 30, 300])
def test_the_forests_in_use(forest: Forest, rows: int) -> None:
    rng = np.random.default_rng(rows)
    features = rng.normal(size=(len(forest.names), rows)).astype(np.float32)
    at_the_edge = rng.random(features.shape) < 0.3
    features[at_the_edge] = rng.choice(forest.threshold, np.count_nonzero(at_the_edge))
    assert np.array_equal(forest.scores(features), by_numpy(forest, features))


@needs_extension
def test_nothing_outside_is_read() -> None:
    forest = random_forest(np.random.default_rng(1), 3, 2, 7)
    feature, threshold, question = forest._questions
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
            native.leaf_sums(*parts)


@pytest.mark.parametrize(("room", "name"), PACKAGED)
def test_packaged_weights_say_where_they_come_from(room: str, name: str) -> None:
    told = packaged_forest(room, name).provenance
    assert sum(told.pages.values()) > 200
    assert len(told.digest) == 16
    assert told.code
    assert all(0 <= score <= 1 for score in told.scores.values())
    assert set(told.recorded_later) <= {"pages", "digest", "code", "scores"}


def test_a_forest_is_kept_with_its_provenance(tmp_path: Path) -> None:
    wanted = Provenance({"zh-news": 40}, "0" * 16, "abc", {"F1 zh-news": 0.98})
    forest = replace(random_forest(np.random.default_rng(1), 3, 2, 7), provenance=wanted)
    forest.save(tmp_path / "a.npz")
    with (tmp_path / "a.npz").open("rb") as file:
        found = Forest.load(file)
    assert asdict(found.provenance) == {**asdict(wanted), "recorded_later": []}
    assert np.array_equal(found.leaves, forest.leaves)


def test_the_error_says_what_a_user_can_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"no archive", None):
        (tmp_path / "data").mkdir(exist_ok=True)
        if content is not None:
            (tmp_path / "data" / "body.npz").write_bytes(content)
        else:
            (tmp_path / "data" / "body.npz").unlink()
        monkeypatch.setattr("extractors.kernels.forest.files", lambda _: tmp_path)
        with pytest.raises(ForestError, match=r"article/body cannot be read .* Install topicrawl again"):
            packaged_forest.__wrapped__("article", "body")
    with pytest.raises(ForestError, match="another version"):
        forest_for("article", "cut", ["another feature"])


@given(st.integers(0, 2**32), st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 5))
def test_a_stack_scores_as_its_forests_do(seed: int, sizes: list[int], depth: int) -> None:
    rng = np.random.default_rng(seed)
    forests = [random_forest(rng, trees, depth, 7) for trees in sizes]
    row = (rng.integers(-3, 4, 7) / 2).astype(np.float32)
    stacked = stack(forests)
    parts = stacked.feature, stacked.threshold, stacked.leaves, stacked.ends
    assert np.array_equal(forms["running_leaf_sums"].numpy(row, *parts), running_leaf_sums(row, *parts))
    assert stacked.scores(row) == pytest.approx([forest.scores(row[:, None])[0] for forest in forests], abs=1e-5)


@needs_extension
def test_a_stack_reads_nothing_outside() -> None:
    stacked = stack([random_forest(np.random.default_rng(1), 3, 2, 7)])
    row, ends = np.zeros(7, np.float32), stacked.ends
    for parts in (
        (row[:2], stacked.feature, stacked.threshold, stacked.leaves, ends),
        (row, stacked.feature, stacked.threshold[1:], stacked.leaves, ends),
        (row, stacked.feature + 7, stacked.threshold, stacked.leaves, ends),
        (row, stacked.feature, stacked.threshold, stacked.leaves, ends + 1),
    ):
        with pytest.raises(ValueError, match=r"that is not there|not the parts|do not ascend"):
            native.running_leaf_sums(*parts)
