"""What is known of the page as a whole, the same for all of its blocks."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.counts import TOLD_APART, Counts
from extractors.article.features.table import FeatureTable
from extractors.article.marks import LINE_NAMES
from extractors.html.tags import TAG
from extractors.kernels import native
from extractors.text.characters import KINDS

_VISIBLE = KINDS.index("visible")
_AMOUNTS = (
    "blocks",
    "text",
    "link share",
    "prose",
    "prose share",
    "prose blocks",
    "longest",
    "cjk",
    "dates",
    "replies",
    "h1",
    "articles",
    "code",
    "images",
)
_PLAIN = ("link share", "prose share", "cjk", "h1")
"""What is known of a page as it is; its other amounts as logarithms."""
_COUNTED = [
    *(_VISIBLE, TOLD_APART[0]),
    *(LINE_NAMES.index(kind) + 1 for kind in ("date", "comment")),
    *(TAG[name] for name in ("h1", "article", "pre", "code", "img")),
]
"""For `_AMOUNTS`: kinds of characters, kinds of lines, tags."""
_PAGE_NAMES = [f"page {name}" for name in _AMOUNTS]
_PAGE_IS_PLAIN = np.isin(_AMOUNTS, _PLAIN)


def add_page(table: FeatureTable, blocks: Blocks, counts: Counts, kinds: NDArray[np.int8]) -> None:
    """The page's `_AMOUNTS`, as they are or as logarithms."""
    compiled = native()
    values = (
        compiled.page_amounts(counts.all, kinds, blocks.columns.tag, *_COUNTED)
        if compiled
        else _page_amounts(blocks, counts, kinds)
    )
    table.add_rows(_PAGE_NAMES, np.where(_PAGE_IS_PLAIN, values, np.log1p(values))[:, None])


def _page_amounts(blocks: Blocks, counts: Counts, kinds: NDArray[np.int8]) -> NDArray[np.float64]:
    """float64: the page's `_AMOUNTS`."""
    sums = [part.sum() for part in (*counts.of.values(), counts.linked, counts.free, counts.prose)]
    tags = np.bincount(blocks.columns.tag, minlength=len(TAG) + 1)
    lines = np.bincount(kinds, minlength=len(LINE_NAMES) + 1)
    length, prose = max(1, int(sums[_VISIBLE])), int(sums[-1])
    amounts = (
        len(blocks),
        length,
        sums[-3] / length,
        prose,
        prose / length,
        np.count_nonzero(counts.prose),
        counts.prose.max(),
        sums[TOLD_APART[0]] / length,
        *lines[_COUNTED[2:4]],
        *tags[_COUNTED[4:6]],
        tags[_COUNTED[6]] + tags[_COUNTED[7]],
        tags[_COUNTED[8]],
    )
    return np.array(amounts, np.float64)
