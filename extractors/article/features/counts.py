"""Counts per block that several groups of features need."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.kernels import native
from extractors.text.characters import KINDS

TOLD_APART = tuple(KINDS.index(kind) for kind in ("cjk", "stop", "comma"))
"""Kinds of characters by which prose is known: where they stand in `KINDS`."""


class Counts:
    """Of B blocks.

    Attributes:
        of: by kind int64[B], characters. length, cjk, stops, commas: some of these.
        linked, free: int64[B], visible characters in links, and others; prose: free ones of blocks that read as sentences.
        words: float64[B]. density: float64[B], the share in links.
        all: int64[K + 3, B], by machine code alone: of each kind, linked, free and prose.
    """

    def __init__(self, blocks: Blocks) -> None:
        columns = blocks.columns
        by_kind, linked = columns.characters.by_kind, columns.linked
        if compiled := native():
            chunks = by_kind, linked.view(np.uint8), blocks.chunks, blocks.start
            self.all, (self.words, self.density) = compiled.block_counts(*chunks, *TOLD_APART)
            *sums, self.linked, self.free, self.prose = self.all
        else:
            sums = blocks.sums(by_kind)
            self.linked = blocks.sums(columns.counts("visible") * linked)
        self.of: dict[str, NDArray[np.int64]] = dict(zip(KINDS, sums, strict=True))
        self.length, self.cjk, self.stops, self.commas = (self.of[kind] for kind in ("visible", "cjk", "stop", "comma"))
        if not compiled:
            self._find_prose()

    def _find_prose(self) -> None:
        self.words = self.cjk + (self.length - self.cjk) / 4.5
        self.density = self.linked / np.maximum(self.length, 1)
        self.free = self.length - self.linked
        is_prose = (self.words >= 12) & (self.density < 0.4) & (self.stops + self.commas > 0)
        self.prose = np.where(is_prose, self.free, 0)
