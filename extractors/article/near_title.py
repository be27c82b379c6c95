"""The place where a page shows its title, and the lines around it, which include the byline."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import kernel

NEAR_CHUNKS = 60
"""Chunks before and after the title that are searched for a byline."""
CODE = ("pre", "code", "kbd", "samp", "textarea", "footer")
"""Elements whose text is not a byline."""
READ_CHARS = 200
"""Maximum characters read of a line."""
_MAX_LINE_CHARS = 400
"""Maximum characters of a line that may be a byline."""
_TITLE_KEY_CHARS = 15
"""First characters of the title by which it is found."""


@dataclass(frozen=True, eq=False, slots=True)
class NearTitle:
    """A page seen from its title; made by `near_title`.

    Attributes:
        title: its text.
        start: the first chunk of the shown title; 0 if it is not shown.
        readable: bool[M], the chunks outside code and footers.
    """

    columns: Columns
    title: str
    start: int
    readable: NDArray[np.bool_]

    def lines(self, begin: int, end: int) -> list[str]:
        """The lines of the chunks begin … end − 1, counted from the title; without code and long lines."""
        first, last = max(0, self.start + begin), min(self.start + end, len(self.readable))
        chunks = first + np.flatnonzero(self.readable[first:last]) if first < last else np.zeros(0, np.intp)
        if not len(chunks):
            return []
        lines = self.columns.join(chunks).splitlines()
        return [line[:READ_CHARS] for line in lines if len(line) <= _MAX_LINE_CHARS]


def near_title(columns: Columns, title: str) -> NearTitle:
    """Find where the page shows its title."""
    readable = ~columns.within(columns.tagged(*CODE))[columns.owner] if columns.texts else np.zeros(0, np.bool_)
    return NearTitle(columns, title, _title_chunk(columns, title[:_TITLE_KEY_CHARS]), readable)


def _title_chunk(columns: Columns, first: str) -> int:
    """The chunk, outside `head`, that begins a heading or line with these characters."""
    if not first:
        return 0
    chunks, best = texts_beginning(columns.texts, first), 0
    head = columns.within(columns.tagged("head", "title"))[columns.owner] if chunks else np.zeros(0, np.bool_)
    for chunk in chunks:
        if not head[chunk]:
            best = best or chunk
            if columns.tag_name(int(columns.owner[chunk])) in ("h1", "h2", "h3"):
                return best
    return best


@kernel
def texts_beginning(texts: list[str], wanted: str) -> list[int]:
    """The numbers of the texts that begin, after white space, with this one."""
    return [number for number, text in enumerate(texts) if text.lstrip().startswith(wanted)]
