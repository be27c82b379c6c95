"""Joins chunks to readable text: each block on its own line, table cells separated, white space collapsed."""

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel

_NOTHING, _SPACE, _LINE, _CELL = range(4)
_SEPARATORS = ("", " ", "\n", "\t")


@kernel
def edges(
    tag: NDArray[np.int16],
    is_block: NDArray[np.bool_],
    start: NDArray[np.int32],
    end: NDArray[np.int32],
    texts: int,
) -> NDArray[np.bool_]:
    """bool[M], M = `texts`: a block element begins or ends before the chunk, or the chunk is the first.

    is_block: by tag code. start, end: int32[N], the chunks inside each element.
    """
    blocks = is_block[tag]
    found = np.zeros(texts + 1, np.bool_)
    found[start[blocks]] = True
    found[end[blocks]] = True
    found[:1] = True
    return found[:-1]


@kernel
def separators(
    line: NDArray[np.bool_],
    tag: NDArray[np.int16],
    is_cell: NDArray[np.bool_],
    parent: NDArray[np.int32],
    start: NDArray[np.int32],
    space: NDArray[np.bool_],
) -> NDArray[np.uint8]:
    """uint8[M]: the separator of each chunk from the text before it: nothing (0), a space (1), a new line (2) or the border
    of a table cell (3) after another cell.

    line, space: bool[M], a line begins with the chunk, white space comes before it. is_cell: by tag code. start: int32[N], the
    first chunk inside each element.
    """
    borders = np.zeros(len(line) + 1, np.bool_)
    cells = is_cell[tag]
    if cells.any():
        cells[cells] = is_cell[tag[np.maximum(_previous_sibling(parent)[cells], 0)]]
        borders[start[cells]] = True
    return np.where(line, np.where(borders[:-1], _CELL, _LINE), space * _SPACE).astype(np.uint8)


def _previous_sibling(parent: NDArray[np.int32]) -> NDArray[np.int32]:
    """int32[N]: the element that ends where this one begins, under the same parent; −1 for a first child."""
    order = np.argsort(parent, kind="stable")
    previous = np.full(len(parent), -1, np.int32)
    same = parent[order[1:]] == parent[order[:-1]]
    previous[order[1:][same]] = order[:-1][same]
    return previous


@kernel
def join(texts: list[str], chunks: NDArray[np.int64], separators: NDArray[np.uint8]) -> str:
    """The readable text of these chunks (numbers in ascending order), with the result of the function `separators`; IndexError for a
    missing chunk."""
    if len(chunks) and chunks.min() < 0:
        raise IndexError("no such text")
    places, kinds = chunks.tolist(), separators[chunks].tolist()
    kinds[:1] = [_NOTHING] * len(kinds[:1])
    return "".join(
        _SEPARATORS[kind] + " ".join(texts[place].split()) for kind, place in zip(kinds, places, strict=True)
    )


@kernel
def join_range(texts: list[str], first: int, last: int, separators: NDArray[np.uint8]) -> str:
    """`join` of the chunks first … last − 1."""
    return join(texts, np.arange(first, last), separators)


@kernel
def join_each(
    texts: list[str],
    chunks: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    separators: NDArray[np.uint8],
) -> list[str]:
    """`join` of chunks[first … last − 1], for each first and last."""
    ranges = zip(first.tolist(), last.tolist(), strict=True)
    return [join(texts, chunks[start:end], separators) for start, end in ranges]
