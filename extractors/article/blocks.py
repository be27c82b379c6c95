"""A page's text as blocks: runs of chunks that stand on one line."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import BLOCKS, tag_set
from extractors.kernels import native

_UNREAD = tag_set(
    "select", "option", "optgroup", "textarea", "object", "iframe", "datalist", "head", "canvas", "noframes"
)
_INLINE = ~BLOCKS | tag_set("br")
MAX_BLOCKS = 20_000
"""What lies behind so many blocks of one page is not judged; a block costs a kilobyte while it is."""


class Blocks:
    """B blocks of a page in document order.

    Attributes:
        chunks: int32[C], the chunks that are read (not those of `head`, of menus to choose from, of text fields).
        start: int32[B], where in `chunks` each block begins.
        home: int32[B], the nearest block element around each block's first chunk.
        owner: int32[B], the element whose direct text begins the block.
    """

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        if compiled := native():
            unread, begins = _UNREAD.view(np.uint8), columns.line_start.view(np.uint8)
            texts = columns.tag, unread, columns.end, columns.owner, begins
            self.chunks, self.start, self.owner = compiled.lines(*texts, MAX_BLOCKS)
            self.home = compiled.nearest(columns.tag, _INLINE.view(np.uint8), columns.parent, self.owner)
        else:
            self._find_lines(columns.within(_UNREAD[columns.tag]))
            self.home = self._block_parent[self.owner] if len(self.start) else np.zeros(0, np.int32)

    def _find_lines(self, unread: NDArray[np.bool_]) -> None:
        columns = self.columns
        self.chunks = np.flatnonzero(~unread[columns.owner]) if len(columns.texts) else np.zeros(0, np.int64)
        lines = np.cumsum(columns.line_start)[self.chunks] if len(self.chunks) else np.zeros(0, np.int64)
        self.start = np.flatnonzero(np.diff(lines, prepend=-1)) if len(lines) else np.zeros(0, np.int64)
        if len(self.start) > MAX_BLOCKS:
            self.chunks, self.start = self.chunks[: self.start[MAX_BLOCKS]], self.start[:MAX_BLOCKS]
        self.owner = columns.owner[self.chunks[self.start]] if len(self.start) else np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def _block_parent(self) -> NDArray[np.int32]:
        """int32[N]: the nearest block element at or above each element (never a `br`)."""
        columns = self.columns
        inline = _INLINE[columns.tag]
        inline[:1] = False
        above = np.arange(len(columns), dtype=np.int32)
        above[inline] = columns.parent[inline]
        while True:  # as often as the logarithm of the deepest run of inline elements
            further = above[above]
            if np.array_equal(further, above):
                return above
            above = further

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Per-chunk values[…, M] summed over each block: int64[…, B]."""
        if not len(self):
            return np.zeros((*values.shape[:-1], 0), np.int64)
        if (compiled := native()) and values.ndim == 1:
            return np.asarray(compiled.line_sums(values.astype(np.int64), self.chunks, self.start))
        return np.add.reduceat(values[..., self.chunks], self.start, axis=-1, dtype=np.int64)

    @cached_property
    def stop(self) -> NDArray[np.int64]:
        """int64[B]: where in `chunks` each block ends."""
        return np.append(self.start[1:], len(self.chunks))

    def beginnings(self, length: int = 24) -> list[str]:
        """The first characters of each block."""
        texts, place = self.columns.texts, self.start
        if compiled := native():
            begun: list[str] = compiled.beginnings(texts, self.chunks, place, length)
            return begun
        found = [texts[chunk].lstrip() for chunk in self.chunks[place].tolist()]
        for number in np.flatnonzero(self.stop - place > 1).tolist():
            if len(found[number]) < length:
                found[number] += texts[self.chunks[place[number] + 1]]
        return [text[:length] for text in found]

    def text(self, number: int) -> str:
        """One block's text."""
        return self.columns.join(self.chunks[self.start[number] : self.stop[number]])
