"""What a page is: an article, a list, a thread, something for sale.

For each kind a small forest rates the page by its address, its markup, its structure and its text (`kind_features`); it was
trained by `benchmarks/train_kinds.py`. Kinds of which there are too few known pages to learn from are recognised by plain
signs (`extractors.article.kinds.rare`).
"""

from dataclasses import dataclass
from math import exp
from typing import Literal

import numpy as np

from extractors.article.kinds.features import NAMES, kind_features
from extractors.article.kinds.rare import rare_kind
from extractors.html.document import Document
from extractors.kernels.forest_stack import stack_for

Kind = Literal[
    "article",
    "list",
    "thread",
    "thread_list",
    "product",
    "service",
    "documentation",
    "profile",
    "media",
    "error",
    "document",
]
LEARNED: tuple[Kind, ...] = ("article", "list", "thread", "product", "service", "documentation")
LISTS = frozenset(("list", "thread_list"))
"""Kinds of pages that lead to others and have no author and no time of their own."""
TEXTS = frozenset(("article", "documentation"))
"""Kinds of pages that are one text, which may run over several pages."""
_FEATURES = tuple(NAMES)
_PLACES = {name: place for place, name in enumerate(NAMES)}
_MIN_LIST_PROBABILITY = 0.8
"""Probability from which a list is read as one: an article that is taken for a list would lose its author and its time."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """The kind of a page, and how likely it is right, 0 … 1."""

    name: Kind
    probability: float

    @property
    def is_list(self) -> bool:
        """Whether the page surely leads to others and has no author and no time of its own."""
        return self.name in LISTS and self.probability >= _MIN_LIST_PROBABILITY

    @property
    def is_text(self) -> bool:
        """Whether the page is most likely one text, which may run over several pages."""
        return self.name in TEXTS


def find_kind(page: Document) -> PageKind:
    """The most likely kind of the page."""
    features = kind_features(page)
    likely = dict(zip(LEARNED, probabilities(features), strict=True))
    if rare := rare_kind(page, _NamedKind(features.tolist()), likely):
        return PageKind(*rare)
    best = max(LEARNED, key=likely.__getitem__)
    return PageKind(best, likely[best])


class _NamedKind:
    """Values of features by their names."""

    def __init__(self, values: list[float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> float:
        return self._values[_PLACES[name]]


def probabilities(features: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> list[float]:
    """Of each of `LEARNED`; features: float32[len(NAMES)]."""
    odds = stack_for("article.kinds", LEARNED, _FEATURES).scores(features)
    each = [1 / (1 + exp(-max(-30.0, min(30.0, value)))) for value in odds]
    total = sum(each)
    return [value / total for value in each]
