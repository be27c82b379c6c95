"""Trees of symmetric decisions, evaluated for many rows at once.

All nodes of one level of a tree ask the same question, so a tree of depth D is D comparisons, whose answers, read as
bits, number the leaf. Trees share questions: for R rows, Q different questions and T trees these are R·Q comparisons,
R·T·D bytes put together to numbers of leaves, and R·T leaves.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native

_ROWS = 256
"""So many at once, that what is worked on stays in the processor's cache."""


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
        """float32[R]: log odds for R rows given as features[F, R]; by machine code where it was built."""
        if (compiled := native()) and features.shape[1] and features.dtype == np.float32:
            feature, threshold, question = self._parts
            return np.asarray(
                compiled.scores(np.ascontiguousarray(features), feature, threshold, question, self.leaves)
                + np.float32(self.bias)
            )
        return self.scores_by_numpy(features)

    def scores_by_numpy(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """See `scores`."""
        parts = [self._scores(features[:, start : start + _ROWS]) for start in range(0, features.shape[1], _ROWS)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _scores(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        if features.shape[1] == 1:  # a single row's leaves would be added up in another order
            return self._scores(features.repeat(2, axis=1))[:1]
        trees, width = self.leaves.shape
        depth = width.bit_length() - 1
        feature, threshold, question = self._questions
        answers = (features.take(feature, axis=0) > threshold).view(np.uint8)
        levels = answers.take(question, axis=0).reshape(depth, trees, -1)
        leaf = levels[-1]
        for level in levels[-2::-1]:
            leaf += leaf
            leaf += level
        places = leaf + np.arange(0, trees * width, width, dtype=np.intp)[:, None]
        return np.asarray(self.leaves.ravel().take(places).sum(axis=0) + np.float32(self.bias))

    @cached_property
    def _questions(self) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]]:
        """The different questions: intp[Q] features, float32[Q, 1] thresholds; and intp[D·T], the one that each tree
        asks at each level, from the first level on."""
        depth = len(self.feature) // len(self.leaves)
        pairs = np.stack([self.feature.astype(np.float64), self.threshold.astype(np.float64)])
        by_level = pairs.reshape(2, -1, depth).swapaxes(1, 2).reshape(2, -1)
        unique, question = np.unique(by_level, axis=1, return_inverse=True)
        return unique[0].astype(np.intp), unique[1].astype(np.float32)[:, None], question.ravel().astype(np.intp)

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int32]]:
        """`_questions` as machine code takes them: int32[Q], float32[Q], int32[D, T]."""
        feature, threshold, question = self._questions
        by_level = question.astype(np.int32).reshape(-1, len(self.leaves))
        return feature.astype(np.int32), threshold.ravel(), by_level

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
