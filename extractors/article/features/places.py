"""Where a block stands: on the page, among prose, beside which other blocks."""

import numpy as np

from extractors.article.blocks import Blocks
from extractors.article.features.counts import Counts
from extractors.article.features.distances import distance
from extractors.article.features.table import FeatureTable
from extractors.kernels import native

_WINDOWS = (2, 6, 15)
_WINDOW_SIZES = np.array(_WINDOWS, np.int64)
_STEPS = (-2, -1, 1, 2)
_NEIGHBOUR_NAMES = (
    *(f"{name} {step:+d}" for step in _STEPS for name in ("words", "link density", "prose")),
    *(
        f"{name} in {window} {side}"
        for window in _WINDOWS
        for name in ("prose", "linked", "free")
        for side in ("behind", "ahead")
    ),
    "since prose",
    "until prose",
)
_PLACE_NAMES = (
    "place",
    "text before",
    "depth",
    "text after h1",
    "blocks after h1",
    "after first prose",
    "before last prose",
    "prose before",
)


def add_place(table: FeatureTable, blocks: Blocks, counts: Counts) -> None:
    """Its place among all blocks, behind the first heading, among those of prose."""
    depth, heading = blocks.columns.depth, blocks.columns.tagged("h1")
    if compiled := native():
        rows = table.room(_PLACE_NAMES)
        compiled.places(counts.length, counts.prose, depth, heading.view(np.uint8), blocks.home, rows)
        return
    place = np.arange(len(blocks))
    before = np.cumsum(counts.length) - counts.length
    total = max(1, int(counts.length.sum()))
    first = int(np.argmax(heading[blocks.home]))
    prose = np.flatnonzero(counts.prose)
    first_prose, last_prose = (int(prose[0]), int(prose[-1])) if len(prose) else (0, 0)
    known = (
        place / len(blocks),
        before / total,
        depth[blocks.home],
        (before - before[first]) / total,
        np.clip(place - first, -50, 200),
        place - first_prose,
        last_prose - place,
        (np.cumsum(counts.prose) - counts.prose) / max(1, int(counts.prose.sum())),
    )
    table.add_rows(_PLACE_NAMES, np.array(known, np.float64))


def add_neighbours(table: FeatureTable, counts: Counts) -> None:
    """What the blocks next to it are, and what those within some distance hold."""
    number = len(counts.length)
    near = np.empty((3, number))
    np.log1p(counts.words, out=near[0])
    near[1] = counts.density
    np.log1p(counts.prose, out=near[2])
    if compiled := native():
        rows, raw = table.room(_NEIGHBOUR_NAMES), np.empty((6 * len(_WINDOWS), number))
        compiled.neighbours(near, counts.all, _WINDOW_SIZES, rows, raw)
        rows[3 * len(_STEPS) : -2] = np.log1p(raw)
        return
    amounts = np.stack([counts.prose, counts.linked, counts.free])
    padded = np.pad(near, ((0, 0), (2, 2)))
    parts = [padded[:, 2 + step : 2 + step + number] for step in _STEPS]
    running = np.pad(np.cumsum(amounts, axis=1), ((0, 0), (1, 0)))
    place = np.arange(number)
    for window in _WINDOWS:
        behind = running[:, :-1] - running[:, np.maximum(place - window, 0)]
        ahead = running[:, np.minimum(place + 1 + window, number)] - running[:, 1:]
        parts.append(np.log1p(np.stack([behind, ahead], axis=1).reshape(6, -1)))
    prose = counts.prose > 0
    parts.append(np.stack([distance(prose), distance(prose[::-1])[::-1]]))
    table.add_rows(_NEIGHBOUR_NAMES, np.concatenate(parts))
