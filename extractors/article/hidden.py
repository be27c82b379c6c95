"""Removal of text that a page does not show."""

import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_MIN_SHOWN_SHARE = 0.3
"""Share of the chosen text that must be shown; else scripts show the text later, and hidden text is the article."""
_MIN_SHOWN_CHARS = 500
"""Visible characters that must be shown: an article has more."""
_UNFOLDS = re.compile(r"accordion|collaps|toggle|faq|expand|tab-?(?:content|pane)|answer|spoiler|read-?more", re.I)
"""Classes and ids of elements that a click of the reader shows."""


def drop_hidden(
    blocks: Blocks, chosen: NDArray[np.bool_], hidden: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without hidden blocks that no click shows, if enough remains.

    hidden: bool[B], see `hidden_blocks`; length: int64[B], visible characters.
    """
    if not (hidden & chosen).any():
        return chosen
    shown = chosen & ~(hidden & ~_unfolded(blocks))
    return shown if length[shown].sum() >= max(_MIN_SHOWN_CHARS, _MIN_SHOWN_SHARE * length[chosen].sum()) else chosen


def hidden_blocks(blocks: Blocks, styled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[B]: inside an element that is hidden by its style (`styled`), by its attribute, or as a template."""
    columns = blocks.columns
    places = columns.places("template")
    places += [place for place, value in columns.sparse("hidden").items() if value.lower() != "until-found"]
    if not places:
        return styled
    found = np.zeros(len(columns), np.bool_)
    found[places] = True
    return styled | columns.within(found)[blocks.home]


def _unfolded(blocks: Blocks) -> NDArray[np.bool_]:
    """bool[B]: inside an element whose name says that a click shows it."""
    columns = blocks.columns
    found = np.zeros(len(columns), np.bool_)
    found[columns.named(lambda classes, identity: bool(_UNFOLDS.search(f"{classes[:200]} {identity[:60]}")))] = True
    return columns.within(found & ~columns.tagged("html", "body"))[blocks.home]
