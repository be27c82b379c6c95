"""Symmetric (oblivious) decision trees, evaluated for many rows at once.

All nodes of one level of a tree have the same comparison, so a tree of depth D is D comparisons, whose results, read as
bits, give the number of the leaf. Trees share comparisons: R rows, Q distinct comparisons and T trees need R·Q comparisons,
R·T·D bytes combined to leaf numbers, and R·T leaves.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel

FORMAT = 2
"""Format of the files; format 2 includes a provenance."""
PACKAGED = (
    ("article", "body"),
    ("article", "cut"),
    ("article", "thread"),
    *(("article.kinds", kind) for kind in ("article", "list", "thread", "product", "service", "documentation")),
    ("records", "choosing"),
    ("records", "reviewing"),
    ("titles", "retelling"),
)
"""Room and name of every forest in the package."""
_MAX_ROWS = 256
"""Rows evaluated at once, so that the arrays stay in the processor's cache."""


class ForestError(RuntimeError):
    """A packaged forest cannot be used; the message gives a remedy."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a forest.

    Attributes:
        pages: the number of training pages of each set; digest: of their gold and sources, 16 hexadecimal digits.
        code: the commit of the code that trained it.
        scores: by name, measured on sites that it was not trained on (folds by site).
        recorded_later: fields recorded after the training, from documents and data of that time.
        note: remarks on the fields.
    """

    pages: Mapping[str, int] = field(default_factory=dict)
    digest: str = ""
    code: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    recorded_later: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class Forest:
    """T trees of depth D.

    Attributes:
        feature: int16[T·D], the column of each comparison. threshold: float32[T·D]; the comparison is value > threshold.
        leaves: float32[T, 2^D]. bias: added to the sum of leaves.
        names: the features' names, in the order of the columns.
        provenance: see `Provenance`.
    """

    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    leaves: NDArray[np.float32]
    bias: float
    names: list[str]
    provenance: Provenance = Provenance()

    @classmethod
    def load(cls, file: Any) -> "Forest":
        """From an open .npz file as `save` writes it; ValueError or KeyError for another file."""
        with np.load(file, allow_pickle=False) as data:
            if "format" not in data or int(data["format"]) != FORMAT:
                raise ValueError(f"its format is not {FORMAT}")
            return cls(
                data["feature"],
                data["threshold"].astype(np.float32),
                data["leaves"].astype(np.float32),
                float(data["bias"]),
                [str(name) for name in data["names"]],
                Provenance(**json.loads(str(data["provenance"]))),
            )

    def save(self, path: Any) -> None:
        """Write a compressed .npz; leaves and thresholds in the precision that decisions need."""
        np.savez_compressed(
            path,
            format=np.int32(FORMAT),
            feature=self.feature,
            threshold=self.threshold,
            leaves=self.leaves.astype(np.float16),
            bias=np.float32(self.bias),
            names=np.array(self.names),
            provenance=np.array(json.dumps(asdict(self.provenance), ensure_ascii=False)),
        )

    def scores(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[R]: log odds for R rows given as features[F, R]."""
        if not features.shape[1]:
            return np.zeros(0, np.float32)
        sums = leaf_sums(np.ascontiguousarray(features, np.float32), *self._questions, self.leaves)
        return np.asarray(sums + np.float32(self.bias))

    @cached_property
    def _questions(self) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int32]]:
        """The Q distinct comparisons: int32[Q] features, float32[Q] thresholds; and int32[D, T], the comparison of each tree
        at each level."""
        return unique_questions(self.feature, self.threshold, len(self.feature) // len(self.leaves))

    def reasons(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[F]: the contribution of each of a row's F values to its score.

        Going down a tree, each comparison changes the mean of the remaining leaves; the change is attributed to the
        compared value. The contributions and the mean of all leaves sum up to the score.
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


def unique_questions(
    feature: NDArray[np.int16], threshold: NDArray[np.float32], depth: int
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int32]]:
    """See `Forest._questions`; feature and threshold as in `Forest`."""
    pairs = np.stack([feature.astype(np.float64), threshold.astype(np.float64)])
    by_level = pairs.reshape(2, -1, depth).swapaxes(1, 2).reshape(2, -1)
    unique, question = np.unique(by_level, axis=1, return_inverse=True)
    levels = question.ravel().astype(np.int32).reshape(depth, -1)
    return unique[0].astype(np.int32), unique[1].astype(np.float32), levels


@kernel
def leaf_sums(
    features: NDArray[np.float32],
    asked: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    questions: NDArray[np.int32],
    leaves: NDArray[np.float32],
) -> NDArray[np.float32]:
    """float32[R]: the sums of the leaves that R > 0 rows reach, features[F, R].

    asked, thresholds: the Q distinct comparisons, `features[asked] > threshold`. questions[D, T]: the comparison of each
    tree at each level. leaves[T, 2^D].
    """
    starts = range(0, features.shape[1], _MAX_ROWS)
    parts = [
        _some_sums(features[:, start : start + _MAX_ROWS], asked, thresholds, questions, leaves) for start in starts
    ]
    return np.concatenate(parts)


def _some_sums(
    features: NDArray[np.float32],
    asked: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    questions: NDArray[np.int32],
    leaves: NDArray[np.float32],
) -> NDArray[np.float32]:
    if features.shape[1] == 1:  # a single row's leaves would be summed in another order
        return _some_sums(features.repeat(2, axis=1), asked, thresholds, questions, leaves)[:1]
    trees, width = leaves.shape
    answers = (features.take(asked, axis=0) > thresholds[:, None]).view(np.uint8)
    levels = answers.take(questions, axis=0)
    leaf = levels[-1]
    for level in levels[-2::-1]:
        leaf += leaf
        leaf += level
    places = leaf + np.arange(0, trees * width, width, dtype=np.intp)[:, None]
    return np.asarray(leaves.ravel().take(places).sum(axis=0))


@cache
def packaged_forest(room: str, name: str) -> Forest:
    """The forest `name` of a room of `extractors`, read from the package once; ForestError if it cannot be read."""
    try:
        with (files(f"extractors.{room}") / "data" / f"{name}.npz").open("rb") as file:
            return Forest.load(file)
    except Exception as error:  # a damaged archive may raise anything
        raise ForestError(f"The weights {room}/{name} cannot be read ({error}). {_ADVICE}") from error


def forest_for(room: str, name: str, features: list[str]) -> Forest:
    """`packaged_forest`; ForestError also if it was trained on other features."""
    found = packaged_forest(room, name)
    if found.names != features:
        raise ForestError(f"The weights {room}/{name} belong to another version of topicrawl. {_ADVICE}")
    found.names[:] = features  # lists of identical objects are compared faster than lists of equal ones
    return found


_ADVICE = "Install topicrawl again: python -m pip install --force-reinstall topicrawl (in a checkout: make clean, then make test)."
