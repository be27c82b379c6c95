"""Votes of untrained methods: where they agree, pages of unknown kinds are read correctly."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.ancestors import Ancestors
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.text import TextCounts
from extractors.html.tags import tag_set
from extractors.kernels import kernel

_CANDIDATE_NAMES = (
    *("in best candidate", "candidate score", "depth below best"),
    *("page best candidate", "page prose of best"),
)
_ALIKE_NAMES = ("prose alike", "blocks alike")
_TITLE_NAMES = ("blocks after title", "text after title")
_RUN_NAMES = ("prose of run", "page longest run")
_DENSITY_NAMES = [f"text per element {level}" for level in range(4)]
_PARAGRAPHS = tag_set("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "dd", "dt", "figcaption")
_MIN_PARAGRAPH_WORDS = 8
_WORDS_PER_POINT = 25
_CANDIDATE_LEVELS = 4
"""Levels above a block that are searched for its best candidate."""
_RUN_GAP_BLOCKS = 4
"""Blocks without prose that end a run of prose."""
_HEADING_CHARS = 40
"""Characters by which a heading that matches the title is preferred to other matching lines."""


def add_votes(
    table: FeatureTable,
    blocks: Blocks,
    counts: TextCounts,
    around: Ancestors,
    beginnings: list[str],
    heading: NDArray[np.bool_],
) -> None:
    """Votes of untrained methods, and the text density of the block's ancestors. Requires the feature "in title"."""
    columns, chain = blocks.columns, around.chain
    _add_candidates(table, blocks, counts, chain)
    rows = alike_blocks(columns.class_number, columns.tag, blocks.home, chain[1], counts.prose)
    rows[1] = np.log1p(rows[1])
    table.add_rows(_ALIKE_NAMES, rows)
    start = np.fromiter(map(len, beginnings), np.int64, len(beginnings))
    table.add_rows(_TITLE_NAMES, after_title(table.row("in title") > 0, heading, start, counts.length, _HEADING_CHARS))
    table.add_rows(_RUN_NAMES, prose_runs(counts.prose, _RUN_GAP_BLOCKS))
    near = chain[: len(_DENSITY_NAMES)]
    density = (columns.text_length - columns.link_length)[near] / (columns.end[near] - near)
    table.add_rows(_DENSITY_NAMES, np.log1p(density))


def _add_candidates(table: FeatureTable, blocks: Blocks, counts: TextCounts, chain: NDArray[np.int32]) -> None:
    """Choose the best candidate as readability does: paragraphs (a point each, one for each comma, up to three for its words) give their
    points to the element around them and half of them to the next one above. An element keeps the share that is not link
    text; the one with most points is the best candidate."""
    columns = blocks.columns
    is_paragraph = (counts.words >= _MIN_PARAGRAPH_WORDS) & (counts.density < 0.5)
    score = np.where(is_paragraph, 1 + counts.commas + np.minimum(counts.words / _WORDS_PER_POINT, 3), 0.0)
    tree = columns.link_length, columns.text_length, columns.depth, columns.end
    rows, top = best_candidate(chain, columns.tag, _PARAGRAPHS, score, *tree, _CANDIDATE_LEVELS)
    table.add_rows(_CANDIDATE_NAMES[:3], rows)
    total = max(float(score.sum()), 1e-9)
    held = float(score[rows[0] > 0].sum())
    table.add_rows(_CANDIDATE_NAMES[3:], np.array([top / total, held / total])[:, None])


@kernel
def best_candidate(
    chain: NDArray[np.int32],
    tag: NDArray[np.int16],
    paragraph_tags: NDArray[np.bool_],
    score: NDArray[np.float64],
    link_length: NDArray[np.int64],
    text_length: NDArray[np.int64],
    depth: NDArray[np.int32],
    end: NDArray[np.int32],
    levels: int,
) -> tuple[NDArray[np.float64], float]:
    """float64[3, B]: whether each home lies in the best candidate, the highest points of its ancestors relative to those
    of the best candidate, its depth below that; and the best candidate's points. chain: see `Ancestors`; score: float64[B]."""
    place = np.arange(chain.shape[1])
    level = paragraph_tags[tag[chain[0]]].astype(np.int8)
    full = np.bincount(chain[level, place], weights=score, minlength=len(end))
    half = np.bincount(chain[level + 1, place], weights=score / 2, minlength=len(end))
    points = (full + half) * (1 - link_length / np.maximum(text_length, 1))
    best = int(np.argmax(points))
    top = max(float(points[best]), 1e-9)
    inside = (chain[0] >= best) & (chain[0] < end[best])
    rows = inside, points[chain[:levels]].max(axis=0) / top, depth[chain[0]] - depth[best]
    return np.array(rows, np.float64), top


@kernel
def alike_blocks(
    class_number: NDArray[np.int64],
    tag: NDArray[np.int16],
    home: NDArray[np.int32],
    above: NDArray[np.int32],
    prose: NDArray[np.int64],
) -> NDArray[np.float64]:
    """float64[2, B]: the share of the page's prose in blocks whose homes have the same tag and class as this one, in
    parents of the same tag; and the number of these blocks. Paragraphs of one text share their markup."""
    key = (class_number[home] * 512 + tag[home]) * 512 + tag[above]
    group = np.unique(key, return_inverse=True)[1]
    held = np.bincount(group, weights=prose)
    return np.stack([held[group] / max(1.0, held.sum()), np.bincount(group)[group]])


@kernel
def after_title(
    in_title: NDArray[np.bool_],
    heading: NDArray[np.bool_],
    start: NDArray[np.int64],
    length: NDArray[np.int64],
    heading_chars: int,
) -> NDArray[np.float64]:
    """float64[2, B]: the distance after the block with the page's title, in blocks and as a share of the text; 0 without such
    a block.

    start: int64[B], characters of each block's beginning; length: int64[B], of the whole block.
    """
    if not in_title.any():
        return np.zeros((2, len(length)))
    title = int(np.argmax(np.where(in_title, start + heading_chars * heading, 0)))
    before = np.cumsum(length) - length
    distance = np.clip(np.arange(len(length)) - title, -50, 200)
    return np.stack([distance, (before - before[title]) / max(1, int(length.sum()))])


@kernel
def prose_runs(prose: NDArray[np.int64], gap: int) -> NDArray[np.float64]:
    """float64[2, B]: the share of the page's prose in the block's run of prose, 0 for none; and the share of
    the longest run. `gap` blocks without prose end a run."""
    place = np.arange(len(prose))
    last = np.maximum.accumulate(np.where(prose > 0, place, -gap))
    since = place - last
    begins = (prose > 0) & (np.append(gap, since[:-1]) >= gap - 1)
    run = np.cumsum(begins)
    held = np.bincount(run, weights=prose) / max(1, int(prose.sum()))
    return np.stack([np.where(since < gap, held[run], 0), np.full(len(prose), held.max())])
