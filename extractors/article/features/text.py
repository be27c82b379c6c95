"""Features of a block's text: characters by kind, words, links, prose."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.feature_table import FeatureTable
from extractors.kernels import kernel
from extractors.text.characters import KINDS

CJK, STOP, COMMA = (KINDS.index(kind) for kind in ("cjk", "stop", "comma"))
"""Kinds of characters by which prose is recognised: their places in `KINDS`."""
_TEXT_NAMES = (
    *("words", "link density", "cjk", "digits", "punctuation", "upper"),
    *("stops", "stop rate", "commas", "chunks"),
)
_AS_LOGARITHMS = [_TEXT_NAMES.index(name) for name in ("words", "stops", "commas", "chunks")]
_SHARE_KINDS = np.array([KINDS.index(kind) for kind in ("cjk", "digit", "punctuation", "upper")], np.int64)
_LETTERS_PER_WORD = 4.5
_MIN_PROSE_WORDS = 12
_MAX_PROSE_DENSITY = 0.4
_LAST_SIGNS = '。！？.!?…”"」；;:：'


@dataclass(frozen=True, slots=True)
class TextCounts:
    """Counts of B blocks.

    Attributes:
        every: int64[K + 3, B], characters of each of `KINDS`, then linked, free and prose.
        length: int64[B], visible characters. stops, commas: int64[B].
        linked, free: int64[B], visible characters inside and outside links.
        prose: int64[B], the free characters of blocks that read as sentences, 0 for other blocks.
        words: float64[B]. density: float64[B], the share of characters inside links.
    """

    every: NDArray[np.int64]
    length: NDArray[np.int64]
    stops: NDArray[np.int64]
    commas: NDArray[np.int64]
    linked: NDArray[np.int64]
    free: NDArray[np.int64]
    prose: NDArray[np.int64]
    words: NDArray[np.float64]
    density: NDArray[np.float64]


def count_characters(blocks: Blocks) -> TextCounts:
    """Characters of each block; needs at least one block."""
    columns = blocks.columns
    chunks = columns.characters.by_kind, columns.linked, blocks.chunks, blocks.start
    every, (words, density) = block_counts(*chunks, CJK, STOP, COMMA)
    linked, free, prose = every[-3:]
    return TextCounts(every, every[0], every[STOP], every[COMMA], linked, free, prose, words, density)


@kernel
def block_counts(
    by_kind: NDArray[np.int32],
    linked: NDArray[np.bool_],
    chunks: NDArray[np.int64],
    start: NDArray[np.int64],
    cjk: int,
    stop: int,
    comma: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """`TextCounts.every`, and float64[2, B]: words and density. by_kind: int32[K, M], visible characters first."""
    sums = np.add.reduceat(by_kind[:, chunks], start, axis=1, dtype=np.int64)
    in_links = np.add.reduceat((by_kind[0] * linked)[chunks], start, dtype=np.int64)
    length, free = sums[0], sums[0] - in_links
    words, density = sums[cjk] + (length - sums[cjk]) / _LETTERS_PER_WORD, in_links / np.maximum(length, 1)
    has_signs = sums[stop] + sums[comma] > 0
    is_prose = (words >= _MIN_PROSE_WORDS) & (density < _MAX_PROSE_DENSITY) & has_signs
    return np.stack([*sums, in_links, free, np.where(is_prose, free, 0)]), np.stack([words, density])


def add_text(table: FeatureTable, blocks: Blocks, counts: TextCounts) -> None:
    """Words, shares of kinds of characters, chunks, and how the block ends."""
    amounts = counts.every, counts.words, counts.density, blocks.start, len(blocks.chunks)
    rows = text_shares(*amounts, _SHARE_KINDS, STOP, COMMA)
    rows[_AS_LOGARITHMS] = np.log1p(rows[_AS_LOGARITHMS])
    table.add_rows(_TEXT_NAMES, rows)
    table.add("ends with stop", lines_end_with(blocks.columns.texts, blocks.chunks, blocks.start, _LAST_SIGNS))


@kernel
def text_shares(
    every: NDArray[np.int64],
    words: NDArray[np.float64],
    density: NDArray[np.float64],
    start: NDArray[np.int64],
    chunks: int,
    share_kinds: NDArray[np.int64],
    stop: int,
    comma: int,
) -> NDArray[np.float64]:
    """float64[10, B]: rows of `_TEXT_NAMES`, without logarithms. chunks: their number on the page."""
    length = np.maximum(every[0], 1)
    shares = (every[kind] / length for kind in share_kinds.tolist())
    stops, commas = every[stop], every[comma]
    rows = words, density, *shares, stops, stops / length, commas, np.diff(start, append=chunks)
    return np.array(rows, np.float64)


@kernel
def lines_end_with(
    texts: list[str], chunks: NDArray[np.int64], start: NDArray[np.int64], signs: str
) -> NDArray[np.bool_]:
    """bool[B]: the block's last non-blank character is one of the signs, or its last chunk is blank."""
    last = chunks[np.append(start[1:], len(chunks)) - 1]
    return np.array([texts[chunk].rstrip()[-1:] in signs for chunk in last.tolist()], np.bool_)
