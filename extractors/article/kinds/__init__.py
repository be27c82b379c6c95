"""The kind of a page: an article, a list, a thread, a product, and others.

For each kind a small forest rates the page by its address, its markup, its structure and its text (`kind_features`); it was
trained by `benchmarks/train_kinds.py`. Kinds with too few known pages to learn from are recognised by simple
signs (`extractors.article.kinds.rare`).
"""

from dataclasses import dataclass
from math import exp
from typing import Literal, cast

import numpy as np

from extractors.article.judged import judge_blocks
from extractors.article.kinds.all_features import NAMES, kind_features
from extractors.article.kinds.rare import rare_kind
from extractors.html.document import Document
from extractors.kernels.forest_stack import stack_for

__all__ = ["LISTS", "Kind", "PageKind", "find_kind"]

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
"""Kinds of pages that lead to other pages, without an author and a time."""
TEXTS = frozenset(("article", "documentation"))
"""Kinds of pages that are one text, which may run over several pages."""
_FEATURES = tuple(NAMES)
_PLACES = {name: place for place, name in enumerate(NAMES)}
_MIN_LIST_PROBABILITY = 0.8
"""Probability above which a page is read as a list: an article read as a list would lose its author and its time."""


@dataclass(frozen=True, slots=True)
class PageKind:
    """The kind of a page, and its probability, 0 … 1."""

    name: Kind
    probability: float

    @property
    def is_list(self) -> bool:
        """Whether the page certainly leads to other pages, without an author and a time."""
        return self.name in LISTS and self.probability >= _MIN_LIST_PROBABILITY

    @property
    def is_text(self) -> bool:
        """Whether the page is most likely one text, which may run over several pages."""
        return self.name in TEXTS


def find_kind(page: Document) -> PageKind:
    """The most likely kind of the page; that of the site's rule where the rule finds the main text."""
    if page.rules and page.rules.kind and page.once(judge_blocks).by_rule:
        return PageKind(cast(Kind, page.rules.kind), 1.0)
    features = kind_features(page)
    likely = dict(zip(LEARNED, probabilities(features), strict=True))
    if rare := rare_kind(page, _FeatureValues(features.tolist()), likely):
        return PageKind(*rare)
    best = max(LEARNED, key=likely.__getitem__)
    return PageKind(best, likely[best])


class _FeatureValues:
    """Values of features by their names."""

    def __init__(self, values: list[float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> float:
        return self._values[_PLACES[name]]


def probabilities(features: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> list[float]:
    """The probability of each of `LEARNED`; features: float32[len(NAMES)]."""
    odds = stack_for("article.kinds", LEARNED, _FEATURES).scores(features)
    each = [1 / (1 + exp(-max(-30.0, min(30.0, value)))) for value in odds]
    total = sum(each)
    return [value / total for value in each]
