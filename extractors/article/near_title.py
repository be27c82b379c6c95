"""Where the title of a page is shown."""

import numpy as np

from extractors.html.columns import Columns

NEAR_CHUNKS = 60
"""Chunks before and after the title in which a byline is looked for."""
CODE = ("pre", "code", "kbd", "samp", "textarea", "footer")
"""Elements whose text is no byline."""


def title_chunk(columns: Columns, title: str) -> int:
    """The chunk, outside `head`, that begins a heading or line with the title's text."""
    head = columns.within(columns.tagged("head", "title"))[columns.owner] if len(columns.texts) else np.zeros(0, bool)
    first = title[:15]
    best = 0
    for chunk in [number for number, text in enumerate(columns.texts) if first in text] if first else []:
        if not head[chunk] and columns.texts[chunk].lstrip().startswith(first):
            best = best or chunk
            if columns.tag_name(int(columns.owner[chunk])) in ("h1", "h2", "h3"):
                return best
    return best
