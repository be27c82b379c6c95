"""What the elements around a block hold, and whether it lies in those that hold most of the page's prose."""

import numpy as np

from extractors.article.blocks import Blocks
from extractors.article.decay import decay_chunks
from extractors.article.features.around import Around
from extractors.article.features.table import FeatureTable
from extractors.kernels import native

_SHARES = (0.55, 0.7, 0.85, 0.96)
_DEEP_SHARES = (0.55, 0.85)
_WITH_DEPTH = np.isin(_SHARES, _DEEP_SHARES).view(np.uint8)
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


def add_containers(table: FeatureTable, blocks: Blocks, around: Around) -> None:
    """Shares of the page's prose in the elements around a block, and whether it lies in the smallest that holds most."""
    _add_decay(table, blocks, around)
    _add_holders(table, blocks, around)
    _add_around(table, blocks, around)


def _add_decay(table: FeatureTable, blocks: Blocks, around: Around) -> None:
    """What the published method takes: the block's beginning, and how much of what is around it."""
    columns, parent = blocks.columns, around.chain[1]
    decayed, visible = decay_chunks(columns), columns.counts("visible")
    if compiled := native():
        tree = columns.chunk_start, columns.chunk_end, columns.text_length
        texts = decayed.view(np.uint8), visible, blocks.chunks, blocks.start
        compiled.decay_shares(*tree, *texts, parent, table.room(_DECAY_NAMES))
        return
    below = columns.subtree_chunks(visible * decayed)
    share = below[parent] / np.maximum(columns.text_length[parent], 1)
    table.add_rows(_DECAY_NAMES, np.stack([decayed[blocks.chunks[blocks.start]], share]))


def _add_holders(table: FeatureTable, blocks: Blocks, around: Around) -> None:
    """Whether a block lies in the smallest element with so much of the prose, and how deep."""
    columns, home, prose = blocks.columns, blocks.home, around.prose
    if compiled := native():
        rows, least = table.room(_HOLDER_NAMES), np.array(_SHARES) * around.total
        compiled.holders(prose, columns.end, columns.depth, home, least, _WITH_DEPTH, rows)
        return
    for share in _SHARES:
        holder = int(np.flatnonzero(prose >= share * around.total)[-1]) if prose[0] else 0
        table.add(f"in holder of {share}", (home >= holder) & (home < columns.end[holder]))
        if share in _DEEP_SHARES:
            table.add(f"depth below holder of {share}", columns.depth[home] - columns.depth[holder])


def _add_around(table: FeatureTable, blocks: Blocks, around: Around) -> None:
    """What the four elements above each home hold."""
    prose, text, linked = around.prose, blocks.columns.text_length, blocks.columns.link_length
    if compiled := native():
        rows, raw = table.room(_CONTAINER_NAMES), np.empty((4, len(blocks)))
        compiled.containers(prose, around.blocks, text, linked, around.chain, around.total, rows, raw)
        rows[2::4] = np.log1p(raw)
        return
    inside, every = np.unique(around.chain[1:5], return_inverse=True)
    length = np.maximum(text[inside], 1)
    shares = (
        prose[inside] / around.total,
        linked[inside] / length,
        np.log1p(around.blocks[inside]),
        prose[inside] / length,
    )
    table.add_rows(_CONTAINER_NAMES, np.stack(shares)[:, every.reshape(4, -1)].swapaxes(0, 1).reshape(16, -1))


def add_repetition(table: FeatureTable, blocks: Blocks, around: Around) -> None:
    """The largest group of like siblings (same tag and first class) among the elements around a block."""
    group = blocks.columns.sibling_group
    if compiled := native():
        rows, raw = table.room(_REPETITION_NAMES), np.empty((2, len(blocks)))
        compiled.repetition(group, around.prose, around.chain, around.total, rows, raw)
        rows[:2] = np.log1p(raw)
        return
    size = np.bincount(group)
    held = np.bincount(group, weights=around.prose)
    groups = group[around.chain]
    sizes = size[groups]
    shares = np.where(sizes >= 3, held[groups] / around.total, 0.0)
    best = np.argmax(shares, axis=0), np.arange(len(blocks))
    share = shares[best]
    like = np.log1p(sizes[0]), np.log1p(np.where(share > 0, sizes[best], 1))
    table.add_rows(_REPETITION_NAMES, np.stack([*like, share]))
