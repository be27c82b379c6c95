"""Removal of text that a page has twice: for narrow and wide screens, or as a post and its quote.

Duplicates are dropped if they are much of the chosen text; a single repeated sentence is not worth a gap. A refrain is not a
duplicate: it is repeated in the same element, a duplicate in another part of the page.
"""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_MIN_CHARS = 20
"""Minimum visible characters of duplicate blocks."""
_MIN_SHARE = 0.35
"""Share of the chosen text above which duplicates are dropped."""


def drop_duplicates(blocks: Blocks, chosen: NDArray[np.bool_], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without duplicates, if they are much of the text. length: int64[B], visible characters."""
    lengths = length[chosen].tolist()
    long = [size for size in lengths if size >= _MIN_CHARS]
    most = sum(long) - sum(set(long))
    if not most or most < _MIN_SHARE * sum(lengths):  # true of nearly all pages: copies have equal lengths
        return chosen
    asked = chosen & np.isin(length, [size for size, times in Counter(long).items() if times > 1])
    return keep_first(chosen, length, first_duplicate(blocks, asked), containers(blocks))


def keep_first(
    chosen: NDArray[np.bool_], length: NDArray[np.int64], first: NDArray[np.intp], container: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """See `drop_duplicates`. first: intp[B], see `first_duplicate`; container: int32[B], see `containers`."""
    read = np.flatnonzero(chosen)
    _, place, which = np.unique(first[read], return_index=True, return_inverse=True)
    copies = np.zeros(len(chosen), np.bool_)
    copies[read] = container[read] != container[read[place[which]]]
    return chosen & ~copies if has_share(copies, chosen, length, _MIN_SHARE) else chosen


def first_duplicate(blocks: Blocks, asked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """intp[B]: for each block the first asked block with the same text; itself for short and other blocks."""
    found, first = np.arange(len(blocks)), dict[str, int]()
    for number in np.flatnonzero(asked).tolist():
        text = "".join(blocks.text(number).split())
        if len(text) >= _MIN_CHARS:
            found[number] = first.setdefault(text, number)
    return found


def containers(blocks: Blocks) -> NDArray[np.int32]:
    """int32[B]: the element around each block's home; lines of one song share it."""
    return np.asarray(blocks.columns.parent[blocks.home])


def has_share(part: NDArray[np.bool_], chosen: NDArray[np.bool_], length: NDArray[np.int64], share: float) -> bool:
    """Whether part[B] has a block, and its blocks have at least this share of the chosen text."""
    return bool(part.any()) and int(length[part].sum()) >= share * int(length[chosen].sum())
