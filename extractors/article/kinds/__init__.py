"""What a page is: an article, a list, a thread, something for sale.

For each kind a small forest rates the page by its address, its markup, its structure and its text (`kind_features`); it was
trained by `benchmarks/train_kinds.py`. Kinds of which there are too few known pages to learn from are recognised by plain
signs (`extractors.article.kinds.rare`).
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from extractors.article.kinds.features import NAMES, kind_features
from extractors.article.kinds.rare import rare_kind
from extractors.html.document import Document
from extractors.kernels.forest import forest_for

Kind = Literal[
    "article", "list", "thread", "thread_list", "product", "service", "documentation", "profile", "media", "error"
]
LEARNED: tuple[Kind, ...] = ("article", "list", "thread", "product", "service", "documentation")
LISTS = frozenset(("list", "thread_list"))
"""Kinds of pages that lead to others and have no author and no time of their own."""


_SURE = 0.8
"""Probability from which a list is read as one: an article that is taken for a list would lose its author and its time."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """The kind of a page, and how likely it is right, 0 … 1."""

    name: Kind
    probability: float

    @property
    def is_list(self) -> bool:
        """Whether the page surely leads to others and has no author and no time of its own."""
        return self.name in LISTS and self.probability >= _SURE


def find_kind(page: Document) -> PageKind:
    """The most likely kind of the page."""
    features = kind_features(page)
    likely = dict(zip(LEARNED, probabilities(features), strict=True))
    if rare := rare_kind(page, dict(zip(NAMES, features.tolist(), strict=True)), likely):
        return PageKind(*rare)
    best = max(LEARNED, key=likely.__getitem__)
    return PageKind(best, likely[best])


def probabilities(features: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> list[float]:
    """Of each of `LEARNED`; features: float32[len(NAMES)]."""
    row = np.ascontiguousarray(features[:, None])
    odds = np.array([forest_for("article.kinds", kind, NAMES).scores(row)[0] for kind in LEARNED])
    each = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return [float(value) for value in each / each.sum()]
