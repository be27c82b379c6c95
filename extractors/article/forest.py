"""Trees of symmetric decisions, evaluated for many rows at once.

All nodes of one level of a tree ask the same question, so a tree of depth D is D comparisons, whose answers, read as
bits, number the leaf: for R rows and T trees one gather of R·T·D values, R·T sums of bits, and R·T leaves.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROWS = 512


@dataclass(frozen=True)
class Forest:
    """T trees of depth D.

    Attributes:
        feature: int16[T·D], the column asked about. threshold: float32[T·D]; the answer is value > threshold.
        leaves: float32[T, 2^D]. bias: added to the sum of leaves.
        names: the features' names, in the order of the columns.
    """

    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    leaves: NDArray[np.float32]
    bias: float
    names: list[str]

    @classmethod
    def load(cls, file: Any) -> "Forest":
        """From an open .npz file as `save` writes it."""
        with np.load(file, allow_pickle=False) as data:
            names = [str(name) for name in data["names"]]
            return cls(
                data["feature"],
                data["threshold"].astype(np.float32),
                data["leaves"].astype(np.float32),
                float(data["bias"]),
                names,
            )

    def save(self, path: Any) -> None:
        """As a compressed .npz; leaves and thresholds in the precision that decisions need."""
        np.savez_compressed(
            path,
            feature=self.feature,
            threshold=self.threshold,
            leaves=self.leaves.astype(np.float16),
            bias=np.float32(self.bias),
            names=np.array(self.names),
        )

    def scores(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[R]: log odds for R rows given as features[F, R]."""
        parts = [self._scores(features[:, start : start + _ROWS]) for start in range(0, features.shape[1], _ROWS)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _scores(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        trees, width = self.leaves.shape
        depth = width.bit_length() - 1
        above = (features[self.feature] > self.threshold[:, None]).reshape(trees, depth, -1)
        leaf = np.tile(np.arange(trees, dtype=np.int32)[:, None] * width, features.shape[1])
        for level in range(depth):
            leaf += above[:, level] * np.int32(1 << level)
        return np.asarray(self.leaves.ravel()[leaf].sum(axis=0) + np.float32(self.bias))

    def reasons(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[F]: what each of a row's F values adds to its score.

        Going down a tree, each answer changes the mean of the leaves that are still possible; the change is put to the
        account of the value that was asked about. The accounts and the mean of all leaves sum up to the score.
        """
        trees, width = self.leaves.shape
        depth = width.bit_length() - 1
        answers = (row[self.feature] > self.threshold).reshape(trees, depth)
        features = self.feature.reshape(trees, depth)
        left = self.leaves
        mean = left.mean(axis=1)
        found = np.zeros(len(row), np.float32)
        for level in range(depth):
            left = np.where(answers[:, level, None], left[:, 1::2], left[:, 0::2])
            np.add.at(found, features[:, level], left.mean(axis=1) - mean)
            mean = left.mean(axis=1)
        return found
