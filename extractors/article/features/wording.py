"""What a block says: what else of the page says the same, how far lines that tell their kind are."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.counts import Counts
from extractors.article.features.distances import distances
from extractors.article.features.table import FeatureTable
from extractors.article.marks import LINE_NAMES
from extractors.html.columns import Columns
from extractors.kernels import native

_SHORT = 160
_LINE_NUMBERS = np.arange(1, len(LINE_NAMES) + 1)[:, None]
_DISTANCE_NAMES = [f"{side} {name}" for side in ("since", "until") for name in LINE_NAMES]
_SAID_NAMES = ("in title", "repeated", "repeats", "in summary")


def add_words(
    table: FeatureTable, blocks: Blocks, counts: Counts, beginnings: list[str], kinds: NDArray[np.int8]
) -> None:
    """What it says beside the page's title and description, and beside lines of known kinds."""
    title, summary = (" ".join(said(blocks.columns).split()) for said in (_title, _summary))
    _add_said(table, beginnings, title, summary)
    _add_distances(table, counts, kinds)


def _add_said(table: FeatureTable, beginnings: list[str], title: str, summary: str) -> None:
    """What else of the page says the same."""
    if compiled := native():
        rows, raw = table.room(_SAID_NAMES), np.empty(len(beginnings))
        compiled.said(beginnings, title, summary, rows, raw)
        rows[1] = np.log1p(raw)
        return
    times = Counter(beginnings)
    known = (
        [len(text) > 3 and text in title for text in beginnings],
        np.log1p(np.array([times[text] for text in beginnings])),
        _repeats(beginnings),
        [len(text) > 8 and text in summary for text in beginnings],
    )
    table.add_rows(_SAID_NAMES, np.array(known, np.float64))


def _add_distances(table: FeatureTable, counts: Counts, kinds: NDArray[np.int8]) -> None:
    """How far back the last short line of each kind is, and how far ahead the next."""
    if compiled := native():
        rows = table.room(_DISTANCE_NAMES)
        compiled.line_distances(kinds, counts.length, _SHORT, len(LINE_NAMES), rows)
        return
    lines = np.where(counts.length < _SHORT, kinds, 0) == _LINE_NUMBERS
    table.add_rows(_DISTANCE_NAMES, np.concatenate([distances(lines), distances(lines[:, ::-1])[:, ::-1]]))


def _repeats(beginnings: list[str]) -> NDArray[np.bool_]:
    """Whether an earlier block begins in the same way."""
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(text, place) < place for place, text in enumerate(beginnings)], np.bool_)


def _summary(columns: Columns) -> str:
    """What the page's meta elements give as its description."""
    for place in np.flatnonzero(columns.tagged("meta"))[:200].tolist():
        name = columns.value(place, "name") or columns.value(place, "property")
        if name.lower() in ("description", "og:description"):
            return columns.value(place, "content")[:1_000]
    return ""


def _title(columns: Columns) -> str:
    found = np.flatnonzero(columns.tagged("title"))
    return columns.text(int(found[0]))[:500] if len(found) else ""
