"""What stands beside the text, whatever its blocks look like one by one: comments, and parts of the page whose elements say
that they are no part of it. Each is text together or not at all, and not where it is most of what is read: a page may be
a form as a whole, and a thread is its replies.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native

_PARTS = ("inside footer", "inside nav", "inside form", "inside role around")
_REST = 0.6
"""Share of the text that is read from which what is left without `_PARTS` is the text."""
_LITTLE = 0.1
"""The same for what is left without blocks whose names say that they are apart, as dialogs are, if some of it is likely."""
_LIKELY = 0.5
"""Probability from which a block is likelier text than not."""
_SURE, _COMMENT = 0.9, 0.65
"""Probabilities from which a block is the text of an article, and from which a comment beside it is main text too."""
_ARTICLE = 0.3
"""Share of the text that is read from which what is sure is an article."""


def without_beside(
    features: NDArray[np.float32],
    names: list[str],
    probability: NDArray[np.float32],
    taken: NDArray[np.bool_],
    length: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """bool[B]: the taken blocks without those that stand beside the text.

    features: float32[F, B] with their names, as `block_features` gives them; probability: float32[B]; taken: bool[B];
    length: int64[B], visible characters.
    """
    comments_at, parts_at, apart_at = _rows(tuple(names))
    taken = _without_apart(features[apart_at] > 0, probability, taken, length)
    if compiled := native():
        limits = _SURE, _COMMENT, _ARTICLE, _REST
        blocks = probability, taken.view(np.uint8), length
        return np.asarray(compiled.without_beside(features, comments_at, parts_at, *blocks, *limits))
    taken = taken & ~_among_comments(probability, features[comments_at] > 0, taken, length)
    parts = (features[parts_at] > 0).any(axis=0)
    rest = taken & ~parts
    return rest if length[rest].sum() >= _REST * length[taken].sum() else taken


@lru_cache(maxsize=4)
def _rows(names: tuple[str, ...]) -> tuple[int, NDArray[np.int64], int]:
    """Where the features stand that tell of comments, of `_PARTS`, and of what is named as apart."""
    parts = np.array([names.index(name) for name in _PARTS], np.int64)
    return names.index("inside named comment"), parts, names.index("inside named apart")


def _without_apart(
    named: NDArray[np.bool_], probability: NDArray[np.float32], taken: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the taken blocks without those that are named as dialogs or signatures, beside a likely text."""
    if not (named & taken).any():
        return taken
    rest = taken & ~named
    is_text = length[rest].sum() >= _LITTLE * length[taken].sum() and (probability[rest] >= _LIKELY).any()
    return rest if is_text else taken


def _among_comments(
    probability: NDArray[np.float32], named: NDArray[np.bool_], taken: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: blocks that are named as comments, are not sure to be main text, and stand beside an article that is.

    Blocks are judged one by one, but comments are main text together, as posts of a thread, or none of them is.
    """
    unsure = named & (probability < _COMMENT)
    article = taken & ~named & (probability >= _SURE)
    return unsure & bool(article.any() and length[article].sum() >= _ARTICLE * length[taken].sum())
