"""Removal of tables of contents, whose lines the text repeats as headings."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_MIN_LINES = 3
_MIN_JUMP_SHARE, _MIN_LEFT_SHARE = 0.9, 0.6
"""Share of a line that is links into the page itself; share of the chosen text that must remain."""


def drop_contents(blocks: Blocks, chosen: NDArray[np.bool_], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without runs of three or more lines of links into the page. length: int64[B], visible
    characters."""
    columns = blocks.columns
    jumps = [place for place, target in columns.sparse("href").items() if len(target) > 1 and target[0] == "#"]
    if len(jumps) < _MIN_LINES:
        return chosen
    inside = np.zeros(len(columns), np.bool_)
    inside[jumps] = True
    linked = blocks.sums(columns.counts("visible") * columns.within(inside)[columns.owner])
    is_jump = (length > 0) & (linked >= _MIN_JUMP_SHARE * length)
    lines = np.flatnonzero(chosen)
    runs = np.split(lines, np.flatnonzero(np.diff(is_jump[lines])) + 1)
    left = chosen.copy()
    for run in runs:
        if len(run) >= _MIN_LINES and is_jump[run[0]]:
            left[run] = False
    return left if length[left].sum() >= _MIN_LEFT_SHARE * length[chosen].sum() else chosen
