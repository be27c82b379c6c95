"""A page's text as blocks: the lines that a browser would show, each a run of text chunks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import BLOCKS, tag_set
from extractors.kernels import kernel

_UNREAD = tag_set(
    "select", "option", "optgroup", "textarea", "object", "iframe", "datalist", "head", "canvas", "noframes"
)
_UNREAD_IN_HEAD = _UNREAD & ~tag_set("head") | tag_set("title")
"""For pages whose whole body libxml2 puts into `head`, as it does after an unknown element there."""
_MAX_HEAD_SHARE = 0.5
_INLINE = ~BLOCKS | tag_set("br")
MAX_BLOCKS = 20_000
"""Blocks of one page that are judged; each needs about a kilobyte of memory during that."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """B blocks of a page in document order; made by `find_blocks`.

    Attributes:
        chunks: int64[C], the chunks that are read (not those of `head`, menus and text fields).
        start: int64[B], where in `chunks` each block begins.
        owner: int32[B], the element whose direct text begins the block.
        home: int32[B], the nearest block element around each block's first chunk.
    """

    columns: Columns
    chunks: NDArray[np.int64]
    start: NDArray[np.int64]
    owner: NDArray[np.int32]
    home: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start)

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Per-chunk values[M] summed over each block: int64[B]."""
        if not len(self):
            return np.zeros(0, np.int64)
        return np.add.reduceat(values[self.chunks], self.start, dtype=np.int64)

    @cached_property
    def stop(self) -> NDArray[np.int64]:
        """int64[B]: where in `chunks` each block ends."""
        return np.append(self.start[1:], len(self.chunks))

    def beginnings(self, length: int = 24) -> list[str]:
        """The first characters of each block."""
        return line_beginnings(self.columns.texts, self.chunks, self.start, length)

    def text(self, number: int) -> str:
        """One block's text."""
        return self.columns.join(self.chunks[self.start[number] : self.stop[number]])


def find_blocks(columns: Columns) -> Blocks:
    """The page's blocks, at most `MAX_BLOCKS`."""
    unread = _UNREAD_IN_HEAD if _has_body_in_head(columns) else _UNREAD
    lines = find_lines(columns.tag, unread, columns.end, columns.owner, columns.line_start, MAX_BLOCKS)
    return Blocks(columns, *lines, nearest_blocks(columns.tag, _INLINE, columns.parent, lines[2]))


def split_blocks(blocks: Blocks, marked: NDArray[np.bool_]) -> tuple[Blocks, NDArray[np.int64]]:
    """The blocks, divided where marked[M], by chunk, changes inside one; and the number of the block that each was a part of."""
    number = np.repeat(np.arange(len(blocks)), blocks.stop - blocks.start)
    changes = np.append(True, (np.diff(number) != 0) | np.diff(marked[blocks.chunks]))
    start = np.flatnonzero(changes[: len(number)])
    columns, owner = blocks.columns, blocks.columns.owner[blocks.chunks[start]]
    home = nearest_blocks(columns.tag, _INLINE, columns.parent, owner)
    return Blocks(columns, blocks.chunks, start, owner, home), number[start]


def _has_body_in_head(columns: Columns) -> bool:
    """Whether more than half of the page's text is in `head`, besides its title."""
    head = next(iter(columns.places("head")), -1)
    if head < 0:
        return False
    length, end = columns.text_length, int(columns.end[head])
    titles = sum(int(length[place]) for place in columns.places("title") if head <= place < end)
    return int(length[head]) - titles > _MAX_HEAD_SHARE * int(length[0])


@kernel
def find_lines(
    tag: NDArray[np.int16],
    unread_tags: NDArray[np.bool_],
    end: NDArray[np.int32],
    owner: NDArray[np.int32],
    line_starts: NDArray[np.bool_],
    most: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """int64[C]: the chunks outside elements with an unread tag; int64[B]: where among them each line begins, at most
    `most`; int32[B]: the owner of each line's first chunk. unread_tags: by tag code; line_starts: bool[M]."""
    unread = unread_tags[tag]
    closed = np.bincount(end[unread], minlength=len(tag) + 1)[: len(tag)]
    chunks = np.flatnonzero(np.cumsum(unread - closed)[owner] <= 0)
    start = np.flatnonzero(np.diff(np.cumsum(line_starts)[chunks], prepend=-1))
    if len(start) > most:
        chunks, start = chunks[: start[most]], start[:most]
    return chunks, start, owner[chunks[start]]


@kernel
def nearest_blocks(
    tag: NDArray[np.int16], inline_tags: NDArray[np.bool_], parent: NDArray[np.int32], owner: NDArray[np.int32]
) -> NDArray[np.int32]:
    """int32[B]: each of owner[B] itself, or the first element above it whose tag is not inline; at last the root."""
    inline = inline_tags[tag]
    inline[:1] = False
    above = np.arange(len(tag), dtype=np.int32)
    above[inline] = parent[inline]
    # the number of rounds is the logarithm of the deepest inline run
    while not np.array_equal(above, further := above[above]):
        above = further
    return above[owner]


@kernel
def line_beginnings(texts: list[str], chunks: NDArray[np.int64], start: NDArray[np.int64], length: int) -> list[str]:
    """The first characters of each block, from its first two chunks."""
    found = [texts[chunk].lstrip() for chunk in chunks[start].tolist()]
    for number in np.flatnonzero(np.diff(start, append=len(chunks)) > 1).tolist():
        if len(found[number]) < length:
            found[number] += texts[chunks[start[number] + 1]]
    return [text[:length] for text in found]
