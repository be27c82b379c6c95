"""Completes table rows, and includes or removes captions of pictures."""

import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.html.columns import Columns
from extractors.html.tags import tag_set

_CELLS = tag_set("td", "th")
_MAX_ROW_CHARS = 300
"""Visible characters; longer rows belong to a layout whose cells are columns of the page."""
_MAX_CAPTION_CHARS = 300
_CAPTION = re.compile(r"caption", re.I)


def complete_rows(blocks: Blocks, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks, and the other cells of data rows that are at least half chosen."""
    columns = blocks.columns
    if not columns.places("tr"):
        return chosen
    row = _row_of(columns, columns.tagged("tr"))[blocks.home]
    length = blocks.sums(columns.counts("visible"))
    whole = np.bincount(row, weights=length, minlength=len(columns))
    read = np.bincount(row, weights=length * chosen, minlength=len(columns))
    is_read = (2 * read >= whole) & (read > 0)
    is_read[_headers(columns, np.unique(row[row > 0]), is_read)] = True
    return np.asarray(chosen | (row > 0) & is_read[row])


def _headers(columns: Columns, rows: NDArray[np.int64], is_read: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The rows of only `th` before a row that is read, in the same table or table section."""
    named = np.bincount(columns.parent[columns.tagged("th")], minlength=len(columns))
    cells = np.bincount(np.maximum(columns.parent[_CELLS[columns.tag]], 0), minlength=len(columns))
    first, then = rows[:-1], rows[1:]
    above, below = columns.parent[first], columns.parent[then]
    same = (above == below) | (columns.parent[above] == columns.parent[below])
    return np.asarray(first[(named[first] == cells[first]) & is_read[then] & same])


def _row_of(columns: Columns, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """int64[N]: the data row around each element, 0 for none. A data row is short, with two or more cells and no table inside."""
    cells = np.bincount(np.maximum(columns.parent[_CELLS[columns.tag]], 0), minlength=len(columns))
    alone = columns.subtree(rows | columns.tagged("table")) == 1
    data = rows & alone & (cells >= 2) & (columns.text_length <= _MAX_ROW_CHARS)
    places = np.flatnonzero(data)
    edges = np.zeros(len(columns) + 1, np.int64)
    edges[places] += places
    np.subtract.at(edges, columns.end[places], places)
    return np.cumsum(edges[:-1])


def with_captions(blocks: Blocks, chosen: NDArray[np.bool_], wanted: bool) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks with the captions of all pictures between them, or without captions."""
    captions = _captions(blocks.columns)[blocks.home]
    if not wanted:
        return np.asarray(chosen & ~captions)
    begun = np.maximum.accumulate(chosen) & np.maximum.accumulate(chosen[::-1])[::-1] if len(chosen) else chosen
    return np.asarray(chosen | captions & begun)


def _captions(columns: Columns) -> NDArray[np.bool_]:
    """bool[N]: inside a `figcaption`, or inside a short element beside a picture whose class or id contains "caption"."""
    found = columns.tagged("figcaption")
    called_so = columns.named(lambda classes, identity: bool(_CAPTION.search(f"{classes[:200]} {identity[:60]}")))
    called_so = called_so[columns.text_length[called_so] <= _MAX_CAPTION_CHARS]
    pictures = columns.has_below(columns.tagged("img", "picture", "video"))
    beside = np.maximum(columns.parent[called_so], 0)
    above = np.maximum(columns.parent[beside], 0)  # for instance a table row above the caption's row
    near = pictures[beside] | pictures[above] & (columns.text_length[above] <= 2 * _MAX_CAPTION_CHARS)
    found[called_so[near]] = True
    return columns.within(found)
