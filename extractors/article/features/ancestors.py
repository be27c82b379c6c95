"""Features of a block's ancestors: their content, and whether they hold most of the page's prose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.decay import decay_chunks
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.text import TextCounts
from extractors.kernels import kernel

_LEVELS = 8
"""Ancestors of each block that are examined, its home included."""
_SHARES = (0.55, 0.7, 0.85, 0.96)
_DEEP_SHARES = (0.55, 0.85)
_WITH_DEPTH = np.isin(_SHARES, _DEEP_SHARES)
_HOLDER_NAMES = [
    name
    for share in _SHARES
    for name in (f"in holder of {share}", f"depth below holder of {share}")[: 1 + (share in _DEEP_SHARES)]
]
_CONTAINER_NAMES = [
    f"{name} {level}" for level in range(1, 5) for name in ("prose share", "link density", "blocks", "prose of text")
]
_REPETITION_NAMES = ("like homes", "repeated around", "prose in repeated")
_DECAY_NAMES = ("in decay body", "decay share")
_MIN_LIKE_SIBLINGS = 3


@dataclass(frozen=True, slots=True)
class Ancestors:
    """The ancestors of blocks.

    Attributes:
        chain: int32[levels, B], each block's home, the home's parent, and so on; the root is its own parent.
        prose, blocks: int64[N], the prose and the number of blocks inside each element.
        total: the page's prose, at least 1.
    """

    chain: NDArray[np.int32]
    prose: NDArray[np.int64]
    blocks: NDArray[np.int64]
    total: int


def find_ancestors(blocks: Blocks, counts: TextCounts) -> Ancestors:
    """The ancestors of the page's blocks."""
    columns = blocks.columns
    tree = columns.chunk_start, columns.chunk_end, len(columns.texts)
    prose, number = prose_below(*tree, blocks.chunks, blocks.start, counts.prose)
    chain = ancestor_chain(columns.parent, blocks.home, _LEVELS)
    return Ancestors(chain, prose, number, max(1, int(prose[0])))


@kernel
def ancestor_chain(parent: NDArray[np.int32], home: NDArray[np.int32], levels: int) -> NDArray[np.int32]:
    """See `Ancestors.chain`."""
    above, chain = np.maximum(parent, 0), [home]
    for _ in range(levels - 1):
        chain.append(above[chain[-1]])
    return np.stack(chain)


@kernel
def prose_below(
    chunk_start: NDArray[np.int32],
    chunk_end: NDArray[np.int32],
    texts: int,
    chunks: NDArray[np.int64],
    start: NDArray[np.int64],
    prose: NDArray[np.int64],
) -> NDArray[np.int64]:
    """int64[2, N]: the prose and the number of the blocks that begin inside each element. texts: chunks of the page."""
    running = np.zeros((2, texts + 1), np.int64)
    running[:, chunks[start] + 1] = prose, np.ones_like(prose)
    np.cumsum(running, axis=1, out=running)
    return np.asarray(running[:, chunk_end] - running[:, chunk_start])


def add_containers(table: FeatureTable, blocks: Blocks, around: Ancestors) -> None:
    """The result of the method `decay`, the elements that hold most of the prose, and the content of the nearest ancestors."""
    columns = blocks.columns
    tree = columns.chunk_start, columns.chunk_end, columns.text_length
    visible, above = columns.counts("visible"), around.chain[1]
    rows = decay_shares(*tree, decay_chunks(columns), visible, blocks.chunks, blocks.start, above)
    table.add_rows(_DECAY_NAMES, rows)
    least = np.array(_SHARES) * around.total
    holders = prose_holders(around.prose, columns.end, columns.depth, blocks.home, least, _WITH_DEPTH)
    table.add_rows(_HOLDER_NAMES, holders)
    amounts = around.prose, around.blocks, columns.text_length, columns.link_length
    rows = container_shares(*amounts, around.chain, around.total)
    rows[2::4] = np.log1p(rows[2::4])
    table.add_rows(_CONTAINER_NAMES, rows)


@kernel
def decay_shares(
    chunk_start: NDArray[np.int32],
    chunk_end: NDArray[np.int32],
    text_length: NDArray[np.int64],
    decayed: NDArray[np.bool_],
    visible: NDArray[np.int32],
    chunks: NDArray[np.int64],
    start: NDArray[np.int64],
    above: NDArray[np.int32],
) -> NDArray[np.float64]:
    """float64[2, B]: whether each block's first chunk is among decayed[M], and their share of the text in above[B]."""
    running = np.append(0, np.cumsum(visible * decayed, dtype=np.int64))
    below = running[chunk_end[above]] - running[chunk_start[above]]
    return np.stack([decayed[chunks[start]], below / np.maximum(text_length[above], 1)])


@kernel
def prose_holders(
    prose: NDArray[np.int64],
    end: NDArray[np.int32],
    depth: NDArray[np.int32],
    home: NDArray[np.int32],
    least: NDArray[np.float64],
    with_depth: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """For each amount in `least` a row: whether the home lies in the smallest element with at least that much prose; where
    `with_depth` is set, a second row: its depth below that element."""
    rows = []
    for amount, deep in zip(least.tolist(), with_depth.tolist(), strict=True):
        holder = int(np.flatnonzero(prose >= amount)[-1]) if prose[0] else 0
        rows.append((home >= holder) & (home < end[holder]))
        if deep:
            rows.append(depth[home] - depth[holder])
    return np.array(rows, np.int32)


@kernel
def container_shares(
    prose: NDArray[np.int64],
    blocks: NDArray[np.int64],
    text_length: NDArray[np.int64],
    link_length: NDArray[np.int64],
    chain: NDArray[np.int32],
    total: int,
) -> NDArray[np.float64]:
    """float64[16, B]: rows of `_CONTAINER_NAMES` for the four elements above each home; numbers of blocks without logarithms."""
    around = chain[1:5]
    length = np.maximum(text_length, 1)
    shares = prose / total, link_length / length, blocks.astype(np.float64), prose / length
    return np.stack([share[around] for share in shares], axis=1).reshape(16, -1)


def add_repetition(table: FeatureTable, blocks: Blocks, around: Ancestors) -> None:
    """The largest group of like siblings (same tag and first class) among the elements around a block."""
    rows = sibling_repetition(blocks.columns.sibling_group, around.prose, around.chain, around.total)
    rows[:2] = np.log1p(rows[:2])
    table.add_rows(_REPETITION_NAMES, rows)


@kernel
def sibling_repetition(
    group: NDArray[np.int64], prose: NDArray[np.int64], chain: NDArray[np.int32], total: int
) -> NDArray[np.float64]:
    """float64[3, B]: the size of each home's group, the size of the group around it with the most prose, and that group's
    share of the prose. group: int64[N], a number for each group of like siblings."""
    size, held = np.bincount(group), np.bincount(group, weights=prose)
    groups = group[chain]
    sizes = size[groups]
    shares = np.where(sizes >= _MIN_LIKE_SIBLINGS, held[groups] / total, 0.0)
    best = np.argmax(shares, axis=0), np.arange(chain.shape[1])
    share = shares[best]
    return np.stack([sizes[0], np.where(share > 0, sizes[best], 1), share])
