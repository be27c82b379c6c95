"""Chosen blocks as text for people."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks


def render(blocks: Blocks, taken: NDArray[np.bool_]) -> str:
    """The taken blocks in order: each on its line, cells of a row parted by tabs, code with its own line breaks."""
    columns = blocks.columns
    chosen = blocks.chunks[np.repeat(taken, blocks.stop - blocks.start)]
    code = columns.tagged("pre")
    if not code.any():
        return columns.join(chosen)
    inside = columns.within(code)[columns.owner[chosen]]
    edges = np.flatnonzero(np.diff(inside.astype(np.int8))) + 1
    parts = []
    for run, is_code in zip(np.split(chosen, edges), np.split(inside, edges), strict=True):
        parts.append(_code(blocks, code, run) if len(run) and is_code[0] else columns.join(run))
    return "\n".join(part for part in parts if part)


def _code(blocks: Blocks, code: NDArray[np.bool_], run: "NDArray[np.integer[Any]]") -> str:
    """The whole text of each `pre` around these chunks, once, as it is written."""
    columns = blocks.columns
    homes: dict[int, None] = {}
    for element in columns.owner[run].tolist():
        while not code[element]:
            element = int(columns.parent[element])
        homes[element] = None
    texts = ("".join(map(str, columns.elements[home].itertext())).strip("\r\n") for home in homes)
    return "\n".join("\n".join(line.rstrip() for line in text.splitlines()) for text in texts)
