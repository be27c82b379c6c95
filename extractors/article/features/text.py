"""What a block's text is made of."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.counts import TOLD_APART, Counts
from extractors.article.features.table import FeatureTable
from extractors.kernels import native
from extractors.text.characters import KINDS

_TEXT_NAMES = (
    *("words", "link density", "cjk", "digits", "punctuation", "upper"),
    *("stops", "stop rate", "commas", "chunks", "ends with stop"),
)
_DIVIDED = np.array([KINDS.index(kind) for kind in ("cjk", "digit", "punctuation", "upper")], np.int64)
_ENDS = '。！？.!?…”"」；;:：'


def add_text(table: FeatureTable, blocks: Blocks, counts: Counts) -> None:
    """Its words, the shares of kinds of characters, its chunks, how it ends."""
    if compiled := native():
        rows, raw = table.room(_TEXT_NAMES), np.empty((4, len(blocks)))
        amounts = counts.all, counts.words, counts.density, blocks.start, len(blocks.chunks)
        compiled.shares_of_text(*amounts, _DIVIDED, *TOLD_APART[1:], rows, raw)
        rows[[0, 6, 8, 9]] = np.log1p(raw)
        rows[10] = _ends_with_stop(blocks)
        return
    length = np.maximum(counts.length, 1)
    known = (
        np.log1p(counts.words),
        counts.density,
        *(counts.of[KINDS[kind]] / length for kind in _DIVIDED.tolist()),
        np.log1p(counts.stops),
        counts.stops / length,
        np.log1p(counts.commas),
        np.log1p(blocks.stop - blocks.start),
        _ends_with_stop(blocks),
    )
    table.add_rows(_TEXT_NAMES, np.array(known, np.float64))


def _ends_with_stop(blocks: Blocks) -> NDArray[np.bool_]:
    texts = blocks.columns.texts
    if compiled := native():
        return np.asarray(compiled.end_with(texts, blocks.chunks, blocks.start, _ENDS))
    last = blocks.chunks[blocks.stop - 1]
    return np.array([texts[chunk].rstrip()[-1:] in _ENDS for chunk in last.tolist()], np.bool_)
