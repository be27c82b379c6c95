"""Removal of boilerplate from the chosen blocks: comments below an article, bylines and tags around it, and footers, menus, forms and
dialogs.

Such parts are main text as a whole or not at all, whatever single blocks look like. They stay if they are most of the
chosen text: a page may consist of one form, and a thread of its replies.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_PARTS = ("inside footer", "inside nav", "inside form", "inside role around")
_MIN_SHARE_WITHOUT_PARTS = 0.6
"""Minimum share of the chosen text that remains without `_PARTS`."""
_MIN_SHARE_WITHOUT_DIALOGS = 0.1
"""Minimum share that remains without blocks inside elements named as dialogs or signatures; some of it must be likely main text."""
_LIKELY_PROBABILITY = 0.5
"""Probability above which a block is more likely main text than not."""
_MIN_ARTICLE_PROBABILITY, _MIN_COMMENT_PROBABILITY = 0.9, 0.65
"""Minimum probability of a block of an article, and of a comment below it that is main text too."""
_MIN_ARTICLE_SHARE = 0.3
"""Minimum share of the chosen text for the certain blocks to be an article."""
_EDGES = tuple(f"inside named {name}" for name in ("byline", "tags"))
_MAX_EDGE_CHARS = 60
_MIN_SHARE_WITHOUT_EDGES = 0.5
"""Minimum share of the chosen text outside elements named as a byline or tags: whole articles stand in such elements too."""


def drop_boilerplate(
    features: NDArray[np.float32],
    names: list[str],
    probability: NDArray[np.float32],
    chosen: NDArray[np.bool_],
    length: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without boilerplate.

    features: float32[F, B] with their names, as `block_features` gives them; probability: float32[B]; chosen: bool[B];
    length: int64[B], visible characters.
    """
    comments, parts, dialogs = _rows(tuple(names))
    chosen = _drop_dialogs(features[dialogs] > 0, probability, chosen, length)
    chosen = _drop_comments(features[comments] > 0, probability, chosen, length)
    others = chosen & ~(features[parts] > 0).any(axis=0)
    return others if length[others].sum() >= _MIN_SHARE_WITHOUT_PARTS * length[chosen].sum() else chosen


def drop_edges(
    features: NDArray[np.float32], names: list[str], chosen: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without short ones of bylines and tags at the beginning and the end. See `drop_boilerplate`."""
    taken, rows = np.flatnonzero(chosen), _edge_rows(tuple(names))
    if not len(taken) or not (features[np.ix_(rows, taken[[0, -1]])] > 0).any():
        return chosen
    named = (features[rows] > 0).any(axis=0)
    others = np.flatnonzero(chosen & ~(named & (length <= _MAX_EDGE_CHARS)))
    if not len(others) or length[chosen & ~named].sum() < _MIN_SHARE_WITHOUT_EDGES * length[chosen].sum():
        return chosen
    left = chosen.copy()
    left[: others[0]] = False
    left[others[-1] + 1 :] = False
    return left


@lru_cache(maxsize=4)
def _edge_rows(names: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([names.index(name) for name in _EDGES], np.int64)


@lru_cache(maxsize=4)
def _rows(names: tuple[str, ...]) -> tuple[int, NDArray[np.int64], int]:
    """The rows of the features of comments, of `_PARTS`, and of dialogs."""
    parts = np.array([names.index(name) for name in _PARTS], np.int64)
    return names.index("inside named comment"), parts, names.index("inside named apart")


def _drop_dialogs(
    named: NDArray[np.bool_], probability: NDArray[np.float32], chosen: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without those named as dialogs or signatures, if likely main text remains."""
    if not (named & chosen).any():
        return chosen
    others = chosen & ~named
    is_enough = length[others].sum() >= _MIN_SHARE_WITHOUT_DIALOGS * length[chosen].sum()
    return others if is_enough and (probability[others] >= _LIKELY_PROBABILITY).any() else chosen


def _drop_comments(
    named: NDArray[np.bool_], probability: NDArray[np.float32], chosen: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without those named as comments that are not certainly main text, if there is an article."""
    article = chosen & ~named & (probability >= _MIN_ARTICLE_PROBABILITY)
    if article.any() and length[article].sum() >= _MIN_ARTICLE_SHARE * length[chosen].sum():
        return chosen & ~(named & (probability < _MIN_COMMENT_PROBABILITY))
    return chosen
