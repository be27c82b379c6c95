"""Text that a page holds twice: for narrow screens and for wide ones, as a post and in a quote of it.

A refrain is said again in the same place; a copy stands elsewhere on the page. Copies are left out where they are much of
what is read: a sentence that happens to be said again is not worth a gap in the text.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.kernels import native

_LONG = 20
"""Visible characters from which a block is told from others by what it says."""
_MUCH = 0.35
"""Share of the text that is read from which it is read without its copies."""


def without_copies(
    blocks: Blocks, taken: NDArray[np.bool_], length: NDArray[np.int64], repeats: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """bool[B]: the taken blocks without their copies, if these are much of the text.

    length: int64[B], visible characters; repeats: bool[B], an earlier block begins alike.
    """
    if not _is_much(taken & repeats & (length >= _LONG), taken, length):  # hardly any page goes further
        return taken
    return first_of_each(taken, length, said_before(blocks, taken & (length >= _LONG)), places_of(blocks))


def first_of_each(
    taken: NDArray[np.bool_], length: NDArray[np.int64], said: NDArray[np.intp], place: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """See `without_copies`. said: intp[B], the first block that says the same; place: int32[B], see `places_of`."""
    read = np.flatnonzero(taken)
    _, first, which = np.unique(said[read], return_index=True, return_inverse=True)
    copies = np.zeros(len(taken), np.bool_)
    copies[read] = place[read] != place[read[first[which]]]
    return taken & ~copies if _is_much(copies, taken, length) else taken


def said_before(blocks: Blocks, asked: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """intp[B]: for each block the first of the asked ones that says the same; itself for short ones and those not asked."""
    said, first = np.arange(len(blocks)), dict[str, int]()
    for number in range(len(blocks)) if asked is None else np.flatnonzero(asked).tolist():
        text = "".join(blocks.text(number).split())
        if len(text) >= _LONG:
            said[number] = first.setdefault(text, number)
    return said


def places_of(blocks: Blocks) -> NDArray[np.int32]:
    """int32[B]: the element around each block's home; lines of one song have the same."""
    return np.asarray(blocks.columns.parent[blocks.home])


def _is_much(part: NDArray[np.bool_], taken: NDArray[np.bool_], length: NDArray[np.int64]) -> bool:
    if compiled := native():
        return bool(compiled.is_much(part.view(np.uint8), taken.view(np.uint8), length, _MUCH))
    return bool(part.any()) and int(length[part].sum()) >= _MUCH * int(length[taken].sum())
