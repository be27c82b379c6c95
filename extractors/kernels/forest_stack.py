"""Evaluates several forests on the same row in one call."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.kernels.forest import Forest, forest_for


@dataclass(frozen=True, eq=False, slots=True)
class ForestStack:
    """K forests of one depth with T trees in total, forest by forest; made by `stack`.

    Attributes:
        feature: int32[T, D], the column of each tree's comparison at each level. threshold: float32[T, D]; the comparison is
            value > threshold.
        leaves: float32[T, 2^D].
        ends: int32[K], one past the last tree of each forest.
        biases: K numbers, one for each forest.
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    leaves: NDArray[np.float32]
    ends: NDArray[np.int32]
    biases: tuple[float, ...]

    def scores(self, row: NDArray[np.float32]) -> list[float]:
        """The log odds that each of the K forests gives row[F]."""
        sums = running_leaf_sums(row, self.feature, self.threshold, self.leaves, self.ends).tolist()
        return [after - before + bias for before, after, bias in zip([0.0, *sums], sums, self.biases, strict=False)]


def stack(forests: Sequence[Forest]) -> ForestStack:
    """A stack of these forests; ValueError for different depths."""
    leaves = np.concatenate([forest.leaves for forest in forests])
    depth = leaves.shape[1].bit_length() - 1
    feature, threshold = (
        np.concatenate([getattr(forest, name) for forest in forests]).reshape(len(leaves), depth)
        for name in ("feature", "threshold")
    )
    ends = np.cumsum([len(forest.leaves) for forest in forests]).astype(np.int32)
    biases = tuple(forest.bias for forest in forests)
    return ForestStack(feature.astype(np.int32), threshold, leaves, ends, biases)


@cache
def stack_for(room: str, names: tuple[str, ...], features: tuple[str, ...]) -> ForestStack:
    """The packaged forests of these names; ForestError if one cannot be used, see `forest_for`."""
    return stack([forest_for(room, name, list(features)) for name in names])


@kernel
def running_leaf_sums(
    row: NDArray[np.float32],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float32],
    leaves: NDArray[np.float32],
    ends: NDArray[np.int32],
) -> NDArray[np.float64]:
    """float64[K]: sums of the leaves of row[F] in the first ends[0], ends[1] … trees."""
    leaf = (row[feature] > threshold) @ (1 << np.arange(feature.shape[1]))
    return np.asarray(np.cumsum(leaves[np.arange(len(leaves)), leaf], dtype=np.float64)[ends - 1])
