"""What is read whole or not at all, and what a reader may want or not: rows of tables, captions of pictures."""

import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.html.columns import Columns
from extractors.html.tags import tag_set

_CELLS = tag_set("td", "th")
_LONGEST_ROW = 300
"""Visible characters; longer rows are those of a layout, whose cells are columns of the page."""
_LONGEST_CAPTION = 300
_CAPTION = re.compile(r"caption", re.I)


def whole_rows(blocks: Blocks, taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[B]: the taken blocks, and the other cells of rows of data of which at least half is taken."""
    columns = blocks.columns
    rows = columns.tagged("tr")
    if not rows.any():
        return taken
    row = _row_of(columns, rows)[blocks.home]
    length = blocks.sums(columns.counts("visible"))
    whole = np.bincount(row, weights=length, minlength=len(columns))
    read = np.bincount(row, weights=length * taken, minlength=len(columns))
    return np.asarray(taken | (row > 0) & (2 * read[row] >= whole[row]) & (read[row] > 0))


def _row_of(columns: Columns, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """int64[N]: the row of data around each element, 0 for none: with two cells or more, short, without a table inside."""
    cells = np.bincount(columns.parent[_CELLS[columns.tag]].clip(0), minlength=len(columns))
    alone = columns.subtree(rows | columns.tagged("table")) == 1
    data = rows & alone & (cells >= 2) & (columns.text_length <= _LONGEST_ROW)
    places = np.flatnonzero(data)
    edges = np.zeros(len(columns) + 1, np.int64)
    edges[places] += places
    np.subtract.at(edges, columns.end[places], places)
    return np.cumsum(edges[:-1])


def with_captions(blocks: Blocks, taken: NDArray[np.bool_], wanted: bool) -> NDArray[np.bool_]:
    """bool[B]: the taken blocks with the captions of all pictures among them, or without any."""
    captions = _captions(blocks.columns)[blocks.home]
    if not wanted:
        return np.asarray(taken & ~captions)
    begun = np.maximum.accumulate(taken) & np.maximum.accumulate(taken[::-1])[::-1] if len(taken) else taken
    return np.asarray(taken | captions & begun)


def _captions(columns: Columns) -> NDArray[np.bool_]:
    """bool[N]: in a `figcaption`, or in a short element that is called a caption and stands beside a picture."""
    found = columns.tagged("figcaption")
    places, names = columns.named
    called = [bool(_CAPTION.search(f"{classes[:200]} {identity[:60]}")) for classes, identity in names]
    called_so = places[np.array(called, np.bool_)]
    called_so = called_so[columns.text_length[called_so] <= _LONGEST_CAPTION]
    pictures = columns.has_below(columns.tagged("img", "picture", "video"))
    beside = columns.parent[called_so].clip(0)
    above = columns.parent[beside].clip(0)  # a table's row above the caption's, for one
    near = pictures[beside] | pictures[above] & (columns.text_length[above] <= 2 * _LONGEST_CAPTION)
    found[called_so[near]] = True
    return columns.within(found)
