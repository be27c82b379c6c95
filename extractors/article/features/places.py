"""Features of a block's place: on the page, among prose, beside other blocks; and amounts of the whole page."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.text import CJK, TextCounts
from extractors.article.line_kinds import LINE_NAMES
from extractors.html.tags import TAG
from extractors.kernels import kernel

_MAX_DISTANCE = 60
_WINDOWS = np.array((2, 6, 15), np.int64)
"""Numbers of blocks before and after a block whose text is summed."""
_STEPS = (-2, -1, 1, 2)
_NEIGHBOUR_NAMES = (
    *(f"{name} {step:+d}" for step in _STEPS for name in ("words", "link density", "prose")),
    *(
        f"{name} in {window} {side}"
        for window in _WINDOWS.tolist()
        for name in ("prose", "linked", "free")
        for side in ("behind", "ahead")
    ),
    "since prose",
    "until prose",
)
_PLACE_NAMES = (
    *("place", "text before", "depth", "text after h1", "blocks after h1"),
    *("after first prose", "before last prose", "prose before"),
)
_PAGE_AMOUNTS = (
    *("blocks", "text", "link share", "prose", "prose share", "prose blocks", "longest", "cjk", "dates", "replies"),
    *("h1", "articles", "code", "images"),
)
_PLAIN_AMOUNTS = np.isin(_PAGE_AMOUNTS, ("link share", "prose share", "cjk", "h1"))
"""Amounts of a page that are features without a logarithm."""
_PAGE_NAMES = [f"page {name}" for name in _PAGE_AMOUNTS]
_COUNTED_TAGS = [TAG[name] for name in ("h1", "article", "pre", "code", "img")]
_COUNTED_LINES = [LINE_NAMES.index(kind) + 1 for kind in ("date", "comment")]


def add_place(table: FeatureTable, blocks: Blocks, counts: TextCounts) -> None:
    """The block's place among all blocks, after the first h1, and among prose."""
    columns = blocks.columns
    rows = block_places(counts.length, counts.prose, columns.depth, columns.tagged("h1"), blocks.home)
    table.add_rows(_PLACE_NAMES, rows)


@kernel
def block_places(
    length: NDArray[np.int64],
    prose: NDArray[np.int64],
    depth: NDArray[np.int32],
    heading: NDArray[np.bool_],
    home: NDArray[np.int32],
) -> NDArray[np.float64]:
    """float64[8, B]: rows of `_PLACE_NAMES`. depth, heading: of each element."""
    place = np.arange(len(home))
    before = np.cumsum(length) - length
    total = max(1, int(length.sum()))
    first = int(np.argmax(heading[home]))
    with_prose = np.flatnonzero(prose)
    first_prose, last_prose = (int(with_prose[0]), int(with_prose[-1])) if len(with_prose) else (0, 0)
    rows = (
        *(place / len(home), before / total, depth[home], (before - before[first]) / total),
        *(np.clip(place - first, -50, 200), place - first_prose, last_prose - place),
        (np.cumsum(prose) - prose) / max(1, int(prose.sum())),
    )
    return np.array(rows, np.float64)


def add_neighbours(table: FeatureTable, counts: TextCounts) -> None:
    """Properties of neighbouring blocks, and the amount of text within some distance."""
    near = np.stack([np.log1p(counts.words), counts.density, np.log1p(counts.prose)])
    rows = neighbours(near, counts.every, _WINDOWS)
    windows = rows[3 * len(_STEPS) : -2]
    np.log1p(windows, out=windows)
    table.add_rows(_NEIGHBOUR_NAMES, rows)


@kernel
def neighbours(near: NDArray[np.float64], every: NDArray[np.int64], windows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows of `_NEIGHBOUR_NAMES`, without logarithms.

    near: float64[3, B], properties to copy from neighbours. every: see `TextCounts`.
    """
    linked, free, prose = every[-3:]
    place, number = np.arange(len(prose)), len(prose)
    padded = np.pad(near, ((0, 0), (2, 2)))
    rows = [row for step in _STEPS for row in padded[:, 2 + step : 2 + step + number]]
    running = np.pad(np.cumsum([prose, linked, free], axis=1), ((0, 0), (1, 0)))
    for window in windows.tolist():
        behind = running[:, :-1] - running[:, np.maximum(place - window, 0)]
        ahead = running[:, np.minimum(place + 1 + window, number)] - running[:, 1:]
        rows += [row for pair in zip(behind, ahead, strict=True) for row in pair]
    has_prose = prose > 0
    return np.array([*rows, blocks_since(has_prose), blocks_since(has_prose[::-1])[::-1]], np.float64)


@kernel
def blocks_since(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """int64[B]: the distance to the last marked block before, in blocks; at most `_MAX_DISTANCE`."""
    place = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, place, -_MAX_DISTANCE))
    return np.minimum(place - last, _MAX_DISTANCE)


def add_page(table: FeatureTable, blocks: Blocks, counts: TextCounts, kinds: NDArray[np.int8]) -> None:
    """Amounts of the whole page, the same for all its blocks."""
    amounts = _page_amounts(counts.every.sum(axis=1).tolist(), counts.prose, blocks.columns.tag, kinds)
    table.add_rows(_PAGE_NAMES, np.where(_PLAIN_AMOUNTS, amounts, np.log1p(amounts))[:, None])


def _page_amounts(
    sums: list[int], prose: NDArray[np.int64], tag: NDArray[np.int16], kinds: NDArray[np.int8]
) -> NDArray[np.float64]:
    """float64[14]: `_PAGE_AMOUNTS`. sums: of the rows of `TextCounts.every`; prose, kinds: of each block."""
    lines = np.bincount(kinds, minlength=len(LINE_NAMES) + 1)[_COUNTED_LINES].tolist()
    heading, article, pre, code, image = np.bincount(tag, minlength=len(TAG) + 1)[_COUNTED_TAGS].tolist()
    length = max(1, sums[0])
    amounts = (
        *(len(prose), length, sums[-3] / length, sums[-1], sums[-1] / length),
        *(np.count_nonzero(prose), int(prose.max()), sums[CJK] / length, *lines),
        *(heading, article, pre + code, image),
    )
    return np.array(amounts, np.float64)
