"""Features of a block's wording: whether the page repeats it, and distances to lines of known kinds."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.places import blocks_since
from extractors.article.features.text import TextCounts
from extractors.article.line_kinds import LINE_NAMES
from extractors.html.columns import Columns
from extractors.kernels import kernel

_MAX_LINE_CHARS = 160
"""Visible characters; longer blocks are not lines of a kind."""
_MIN_TITLE_CHARS, _MIN_SUMMARY_CHARS = 4, 9
"""Shorter beginnings match a title or summary by chance."""
_MAX_METAS, _MAX_SUMMARY_CHARS, _MAX_TITLE_CHARS = 200, 1_000, 500
_DISTANCE_NAMES = [f"{side} {name}" for side in ("since", "until") for name in LINE_NAMES]
_REPEATED_NAMES = ("in title", "repeated", "repeats", "in summary")


def add_wording(
    table: FeatureTable, blocks: Blocks, counts: TextCounts, beginnings: list[str], kinds: NDArray[np.int8]
) -> None:
    """Whether title, description and other blocks have the same words, and distances to lines of known kinds."""
    title, summary = (" ".join(text(blocks.columns).split()) for text in (_title, _summary))
    rows = repeated_beginnings(beginnings, title, summary)
    rows[1] = np.log1p(rows[1])
    table.add_rows(_REPEATED_NAMES, rows)
    table.add_rows(_DISTANCE_NAMES, line_distances(kinds, counts.length, _MAX_LINE_CHARS, len(LINE_NAMES)))


@kernel
def repeated_beginnings(beginnings: list[str], title: str, summary: str) -> NDArray[np.float64]:
    """float64[4, B]: whether each beginning is in the title, the number of blocks with it, whether an earlier block has it, and
    whether it is in the summary."""
    times, first = Counter(beginnings), dict[str, int]()
    rows = (
        [len(text) >= _MIN_TITLE_CHARS and text in title for text in beginnings],
        [times[text] for text in beginnings],
        [first.setdefault(text, place) < place for place, text in enumerate(beginnings)],
        [len(text) >= _MIN_SUMMARY_CHARS and text in summary for text in beginnings],
    )
    return np.array(rows, np.float64)


@kernel
def line_distances(
    kinds: NDArray[np.int8], length: NDArray[np.int64], max_chars: int, number: int
) -> NDArray[np.int16]:
    """int16[2·number, B]: for each kind from 1, the distance in blocks to the last earlier block of it with less than
    `max_chars` characters; then, the distance to the next one."""
    lines = np.where(length < max_chars, kinds, 0) == np.arange(1, number + 1)[:, None]
    since = [blocks_since(line) for line in lines]
    until = [blocks_since(line[::-1])[::-1] for line in lines]
    return np.array([*since, *until], np.int16)


def _summary(columns: Columns) -> str:
    """The description in the page's meta elements."""
    for place in columns.places("meta")[:_MAX_METAS]:
        name = columns.value(place, "name") or columns.value(place, "property")
        if name.lower() in ("description", "og:description"):
            return columns.value(place, "content")[:_MAX_SUMMARY_CHARS]
    return ""


def _title(columns: Columns) -> str:
    return next(map(columns.text, columns.places("title")), "")[:_MAX_TITLE_CHARS]
