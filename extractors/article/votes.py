"""Votes of methods that were never trained: where they agree with each other a page of an unknown kind is read right.

Everything is an array operation over the B blocks of a page or its N elements.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import tag_set
from extractors.kernels import native

CANDIDATE_NAMES = (
    "in best candidate",
    "candidate score",
    "depth below best",
    "page best candidate",
    "page prose of best",
)
ALIKE_NAMES = ("prose alike", "blocks alike")
TITLE_NAMES = ("blocks after title", "text after title")
RUN_NAMES = ("prose of run", "page longest run")
_PARAGRAPHS = tag_set("p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "dd", "dt", "figcaption")
_LEAST_WORDS = 8
_LONG = 25
"""Words for one more point."""
_NEAR = 4
"""Levels above a block at which its best candidate is looked for."""
_GAP = 4
"""So many blocks without prose end a run of it."""
_HEADING = 40
"""Characters by which a heading that stands in the title is preferred to other lines of it."""


def paragraph_scores(
    words: NDArray[np.float64], commas: NDArray[np.int64], density: NDArray[np.float64]
) -> NDArray[np.float64]:
    """float64[B]: a point for each paragraph, one for each comma, up to three for length; 0 for lines and links."""
    if compiled := native():
        return np.asarray(compiled.paragraph_scores(words, commas, density, _LEAST_WORDS, _LONG))
    return np.where((words >= _LEAST_WORDS) & (density < 0.5), 1 + commas + np.minimum(words / _LONG, 3), 0.0)


def candidate_votes(columns: Columns, chain: NDArray[np.int32], score: NDArray[np.float64]) -> NDArray[Any]:
    """Rows of `CANDIDATE_NAMES`, as readability chooses: paragraphs give their points to the element around them and
    half to the one above, which keeps them as far as its text is not that of links; the best element is the body.

    chain: int32[levels, B], elements around each block from its own on. score: float64[B].
    """
    if compiled := native():
        return _candidates(compiled, columns, chain, score)
    place = np.arange(chain.shape[1])
    level = _PARAGRAPHS[columns.tag[chain[0]]].astype(np.int8)
    full = np.bincount(chain[level, place], weights=score, minlength=len(columns))
    half = np.bincount(chain[level + 1, place], weights=score / 2, minlength=len(columns))
    points = (full + half) * (1 - columns.link_length / np.maximum(columns.text_length, 1))
    best = int(np.argmax(points))
    total, top = max(float(score.sum()), 1e-9), max(float(points[best]), 1e-9)
    inside = (chain[0] >= best) & (chain[0] < columns.end[best])
    rows = np.empty((len(CANDIDATE_NAMES), len(place)))
    rows[0] = inside
    rows[1] = points[chain[:_NEAR]].max(axis=0) / top
    rows[2] = columns.depth[chain[0]] - columns.depth[best]
    rows[3] = top / total
    rows[4] = score[inside].sum() / total
    return rows


def _candidates(
    compiled: Any, columns: Columns, chain: NDArray[np.int32], score: NDArray[np.float64]
) -> NDArray[np.float64]:
    """By machine code, but for sums whose digits depend on the order in which numpy adds."""
    rows = np.empty((len(CANDIDATE_NAMES), chain.shape[1]))
    paragraphs = columns.tag, _PARAGRAPHS.view(np.uint8)
    text = columns.link_length, columns.text_length, columns.depth, columns.end
    top = compiled.candidates(chain, *paragraphs, score, *text, _NEAR, rows)
    total = max(float(score.sum()), 1e-9)
    rows[3] = top / total
    rows[4] = score[rows[0] > 0].sum() / total
    return rows


def alike_votes(
    columns: Columns, home: NDArray[np.int32], above: NDArray[np.int32], prose: NDArray[np.int64]
) -> NDArray[Any]:
    """Rows of `ALIKE_NAMES`: the share of the page's prose, and the logarithm of the number of blocks, whose elements
    have the same name and class, in parents of the same name: paragraphs of one text look alike."""
    if compiled := native():
        rows = np.empty((len(ALIKE_NAMES), len(home)))
        compiled.alike(columns.class_number, columns.tag, home, above, prose, rows)
        rows[1] = np.log1p(rows[1])
        return rows
    key = (columns.class_number[home] * 512 + columns.tag[home]) * 512 + columns.tag[above]
    group = np.unique(key, return_inverse=True)[1]
    held = np.bincount(group, weights=prose)
    return np.stack([held[group] / max(1.0, held.sum()), np.log1p(np.bincount(group))[group]])


def title_votes(
    in_title: NDArray[np.bool_], heading: NDArray[np.bool_], start: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[Any]:
    """Rows of `TITLE_NAMES`: how far behind the block that says the page's title, in blocks and as a share of the text;
    0 where none does. A text begins behind its title.

    start: int64[B], characters known of each block's beginning. length: int64[B], characters of each block.
    """
    rows = np.zeros((len(TITLE_NAMES), len(length)))
    if compiled := native():
        marks = (np.ascontiguousarray(mark).view(np.uint8) for mark in (in_title, heading))
        compiled.after_title(*marks, start, length, _HEADING, rows)
    elif in_title.any():
        title = int(np.argmax(np.where(in_title, start + _HEADING * heading, 0)))
        before = np.cumsum(length) - length
        rows[0] = np.clip(np.arange(len(length)) - title, -50, 200)
        rows[1] = (before - before[title]) / max(1, int(length.sum()))
    return rows


def run_votes(prose: NDArray[np.int64]) -> NDArray[Any]:
    """Rows of `RUN_NAMES`: the share of the page's prose in the run of prose to which the block belongs (0 for none), and
    that of the longest run."""
    if compiled := native():
        rows = np.empty((len(RUN_NAMES), len(prose)))
        compiled.runs(prose, _GAP, rows)
        return rows
    place = np.arange(len(prose))
    last = np.maximum.accumulate(np.where(prose > 0, place, -_GAP))
    since = place - last
    begins = (prose > 0) & (np.append(_GAP, since[:-1]) >= _GAP - 1)
    run = np.cumsum(begins)
    held = np.bincount(run, weights=prose) / max(1, int(prose.sum()))
    return np.stack([np.where(since < _GAP, held[run], 0), np.full(len(prose), held.max())])
