"""The blocks of a page and what is known of them before they are judged."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks, find_blocks
from extractors.article.features import block_features
from extractors.article.features.overview import page_overview
from extractors.html.document import Document


@dataclass(frozen=True, eq=False, slots=True)
class PageBlocks:
    """B blocks of a page.

    Attributes:
        features: float32[F, B] with their names, as `block_features` gives them; none for a page without blocks.
        length: int64[B], visible characters.
        overview: what the page is like as a whole, see `page_overview`; empty for a page without blocks.
    """

    blocks: Blocks
    features: NDArray[np.float32]
    names: list[str]
    length: NDArray[np.int64]
    overview: NDArray[np.float32]


def page_blocks(page: Document) -> PageBlocks:
    """The page's blocks with their features."""
    blocks = find_blocks(page.columns)
    length = blocks.sums(page.columns.counts("visible"))
    if not len(blocks):
        return PageBlocks(blocks, np.zeros((0, 0), np.float32), [], length, np.zeros(0, np.float32))
    features, names = block_features(blocks)
    return PageBlocks(blocks, features, names, length, page_overview(features, names, length))
