"""The elements around each block, and what lies in every element."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.counts import Counts
from extractors.kernels import native

_LEVELS = 8


class Around:
    """The elements around each block, and what lies in every element."""

    def __init__(self, blocks: Blocks, counts: Counts) -> None:
        self.chain: NDArray[np.int32] = _chain(blocks)
        """int32[levels, B]: the home, its parent, and so on; the root above itself."""
        self.prose, self.blocks = _prose_below(blocks, counts)
        """int64[N] each: prose and blocks in every element."""
        self.total = max(1, int(self.prose[0]))


def _prose_below(blocks: Blocks, counts: Counts) -> NDArray[np.int64]:
    """int64[2, N]: prose and blocks in every element."""
    if compiled := native():
        columns = blocks.columns
        tree = columns.chunk_start, columns.chunk_end, len(columns.texts)
        return np.asarray(compiled.prose_below(*tree, blocks.chunks, blocks.start, counts.prose))
    return _below(blocks, np.stack([counts.prose, np.ones_like(counts.prose)]))


def _chain(blocks: Blocks) -> NDArray[np.int32]:
    """int32[levels, B]: see `Around`."""
    if compiled := native():
        return np.asarray(compiled.chains(blocks.columns.parent, blocks.home, _LEVELS))
    above = np.maximum(blocks.columns.parent, 0)
    chain = [blocks.home]
    for _ in range(_LEVELS - 1):
        chain.append(above[chain[-1]])
    return np.stack(chain)


def _below(blocks: Blocks, values: NDArray[Any]) -> NDArray[Any]:
    """Per-block values[…, B] summed over each element: an array […, N]."""
    per_chunk = np.zeros((*values.shape[:-1], len(blocks.columns.texts)), values.dtype)
    per_chunk[..., blocks.chunks[blocks.start]] = values
    return blocks.columns.subtree_chunks(per_chunk)
