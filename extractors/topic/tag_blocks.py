"""A page as tag blocks, weighted by tags that emphasise text.

A block is a line of text, the smallest span between block elements, so that blocks do not overlap. With the key
tags k_i of block i, the experience x_i of its type, and the impact of the surrounding element:

    impact_i = λ0 · k_i / Σ k + λ1 · x_i,   then impact_i + λ2 · (mean impact of the blocks in the element around it)
    weight_i = impact_i / Σ impact

So impact is passed up, and down again to the blocks beside an important one.
"""

from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.html.tags import tag_set


class BlockType(IntEnum):
    """The role of a block."""

    TITLE = 0
    CONTENT = 1
    NAVIGATION = 2
    ANCHOR = 3
    OTHER = 4


KEY_TAGS = tag_set("strong", "b", "h1", "h2", "h3", "h4", "h5", "h6", "em", "i", "a")
_TITLES = tag_set("h1", "h2")
_NAVIGATION = tag_set("nav", "header", "footer", "aside", "menu")
_KEYS, _TYPE, _AROUND = 0.4, 0.6, 0.5
"""λ0, λ1, λ2."""
_EXPERIENCE = np.array([1.0, 0.6, 0.1, 0.2, 0.15])
"""x: the value of a block of each type."""
_MAX_LINK_SHARE = 0.6
"""Share of a block's characters in links above which the block is navigation or an anchor."""
_MIN_CONTENT_CHARS = 20
"""Minimum visible characters of a content line."""


@dataclass(frozen=True, slots=True)
class TagBlocks:
    """B blocks of a page in document order; made by `tag_blocks`.

    Attributes:
        lines: the blocks as lines of text.
        kind: int8[B], `BlockType`.
        impact, weight: float64[B]; the weights sum to 1.
    """

    lines: Blocks
    kind: NDArray[np.int8]
    impact: NDArray[np.float64]
    weight: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lines)

    def joined(self) -> tuple[str, NDArray[np.int64]]:
        """The text of all blocks, with the white space of the source and a space before each block except the first;
        and where the next block begins: int64[B]."""
        lines = self.lines
        if not len(lines):
            return "", np.zeros(0, np.int64)
        texts = [lines.columns.texts[chunk] for chunk in lines.chunks.tolist()]
        spaced = lines.columns.space_before[lines.chunks].copy()
        spaced[lines.start] = True
        spaces = [" " if space else "" for space in spaced.tolist()]
        length = np.fromiter(map(len, texts), np.int64, len(texts)) + spaced
        whole = "".join(chain.from_iterable(zip(spaces, texts, strict=True)))
        return whole[1:], np.cumsum(length)[lines.stop - 1]

    def texts(self) -> list[str]:
        """The text of each block."""
        whole, ends = self.joined()
        starts = [0, *ends.tolist()]
        return [whole[start : stop - 1] for start, stop in pairwise(starts)]


def tag_blocks(lines: Blocks) -> TagBlocks:
    """The blocks of a page with their types and weights."""
    kind = _block_types(lines)
    impact = _impacts(lines, kind)
    total = float(impact.sum())
    return TagBlocks(lines, kind, impact, impact / total if total else impact)


def _block_types(lines: Blocks) -> NDArray[np.int8]:
    columns, owner = lines.columns, lines.owner
    visible = lines.sums(columns.counts("visible"))
    linked = lines.sums(columns.counts("visible") * columns.linked) if len(lines) else visible
    leads = linked > _MAX_LINK_SHARE * visible
    kind = np.full(len(lines), BlockType.OTHER, dtype=np.int8)
    kind[~leads & (visible >= _MIN_CONTENT_CHARS)] = BlockType.CONTENT
    kind[leads] = BlockType.ANCHOR
    kind[leads & columns.within(_NAVIGATION[columns.tag])[owner]] = BlockType.NAVIGATION
    kind[~leads & columns.within(_TITLES[columns.tag])[owner]] = BlockType.TITLE
    return kind


def _impacts(lines: Blocks, kind: NDArray[np.int8]) -> NDArray[np.float64]:
    columns = lines.columns
    if not len(lines):
        return np.zeros(0)
    keys = lines.sums(KEY_TAGS[columns.tag][columns.owner].astype(np.int32)).astype(np.float64)
    impact = _KEYS * keys / max(1.0, float(keys.sum())) + _TYPE * _EXPERIENCE[kind]
    around = np.maximum(columns.parent[lines.home], 0)
    blocks = np.bincount(around, minlength=len(columns))[around]
    total = np.bincount(around, weights=impact, minlength=len(columns))[around]
    return np.asarray(impact + _AROUND * total / blocks)
