"""Features of a page as a whole, and means of its blocks' features."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_OF_PAGE = (
    *("blocks", "text", "link share", "prose", "prose share", "prose blocks", "longest", "cjk", "dates", "replies"),
    *("h1", "articles", "code", "images", "best candidate", "prose of best", "longest run"),
    *(f"prose named {name}" for name in ("content", "post", "comment", "side", "related", "form")),
)
_MEANS = (
    *("link density", "words", "stop rate", "digits", "ends with stop", "repeats", "prose in repeated", "repeated around"),
    *(f"home {name}" for name in ("p", "div", "item", "cell", "heading", "code", "quote", "definition", "caption", "button")),
    *(f"inside {name}" for name in ("article", "main", "nav", "header", "footer", "aside", "form", "table", "list", "figure")),
    *(
        f"inside named {name}"
        for name in (
            *("content", "body", "post", "main", "comment", "side", "foot", "navigation", "related", "byline", "tags"),
            *("form", "code", "user", "share"),
        )
    ),
    *("in holder of 0.55", "in holder of 0.85", "in decay body", "in best candidate", "blocks alike", "prose alike", "like homes"),
)  # fmt: skip


OVERVIEW_NAMES = [*(f"page {name}" for name in _OF_PAGE), *(f"mean {name}" for name in _MEANS)]


def page_overview(features: NDArray[np.float32], names: list[str], length: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32[len(OVERVIEW_NAMES)]: features of the page, and means over its blocks, weighted by their length.

    features: float32[F, B] with their names, as `block_features` gives them; length: int64[B], visible characters.
    """
    of_page, of_blocks = _places(tuple(names))
    weight = length.astype(np.float32) / max(1, int(length.sum()))
    return np.concatenate([features[of_page, 0], features[of_blocks] @ weight])


@lru_cache(maxsize=4)
def _places(names: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    known = (
        np.array([names.index(name) for name in group], np.int64) for group in (OVERVIEW_NAMES[: len(_OF_PAGE)], _MEANS)
    )
    of_page, of_blocks = known
    return of_page, of_blocks
